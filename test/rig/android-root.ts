/**
 * A phone's root folder for chroot: the shell and the tools of Android (Debian's mksh and toybox with their
 * libraries), null and zero devices, and the recorded tools.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { AndroidRelease } from './android-release.ts';

const run = promisify(execFile);

/** Programs of this machine that the rig rests on, by name. `tr` is missing in Debian's toybox. */
export const programs = {
  adb: '/usr/bin/adb',
  mksh: '/bin/mksh',
  toybox: '/usr/bin/toybox',
  tr: '/usr/bin/tr',
  chroot: '/usr/sbin/chroot',
  ldd: '/usr/bin/ldd',
  mknod: '/usr/bin/mknod',
  setpriv: '/usr/bin/setpriv',
};

/** What this machine lacks to run the rig: programs, or the rights of root. */
export function missingTools(): string[] {
  const missing = Object.entries(programs).filter(([, path]) => !existsSync(path));
  if (missing.length > 0) return missing.map(([name]) => name);
  return canMakeDevices() ? [] : ['root, with the right to make device nodes'];
}

/** Makes a null device where the phones will stand, and writes to it. */
function canMakeDevices(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-device-'));
  try {
    const node = join(folder, 'null');
    execFileSync(programs.mknod, [node, 'c', '1', '3'], { stdio: 'ignore' });
    writeFileSync(node, '');
    return process.getuid?.() === 0;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The user and group `shell`, as which adbd runs commands. */
export const shellUid = 2000;

/** Fills an empty folder. Answers are not in it yet. */
export async function buildRoot(root: string, release: AndroidRelease): Promise<void> {
  const put = async (path: string, content: string, mode = 0o644) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content, { mode });
  };
  await chmod(root, 0o755);
  for (const folder of ['.rig/tools', '.rig/real', 'system/bin', 'system/xbin', 'data', 'proc', 'dev']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await Promise.all([
    copyProgram(programs.mksh, root, 'system/bin/sh'),
    copyProgram(programs.toybox, root, '.rig/toybox'),
    copyProgram(programs.tr, root, '.rig/real/tr'),
    put('etc/passwd', `root:x:0:0::/:/system/bin/sh\nshell:x:${shellUid}:${shellUid}::/:/system/bin/sh\n`),
    put('etc/group', `root:x:0:\nshell:x:${shellUid}:\n`),
    ...['null c 1 3', 'zero c 1 5'].map(async (node) => {
      const [name = '', ...numbers] = node.split(' ');
      await run(programs.mknod, ['-m', '666', join(root, 'dev', name), ...numbers]);
    }),
  ]);
  await Promise.all([
    symlink('toybox', join(root, '.rig/cat')),
    symlink('toybox', join(root, '.rig/sleep')),
    ...release.tools.map(async (tool) => {
      const real = join(root, '.rig/real', tool);
      if (!existsSync(real)) await symlink('../toybox', real);
      await symlink(`/.rig/real/${tool}`, join(root, 'system/bin', tool));
    }),
  ]);
}

async function copyProgram(program: string, root: string, place: string): Promise<void> {
  await copyFile(program, join(root, place));
  const { stdout } = await run(programs.ldd, [program]);
  await Promise.all(
    Array.from(stdout.matchAll(/(\/\S+) \(0x/g), async ([, library = '']) => {
      await mkdir(dirname(join(root, library)), { recursive: true });
      await copyFile(library, join(root, library));
    }),
  );
}
