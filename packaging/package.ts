/**
 * Makes the Debian package: hostnode_<version>_<architecture>.deb, with its own Node; the host needs no Node,
 * npm or network to install it. The build is reproducible.
 */
import { execFile, execFileSync } from 'node:child_process';
import { chmod, lutimes, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { architectureOf } from './architecture.ts';
import { conffiles, control, debianVersion, filesBelow, installedKibibytes, md5sums } from './control.ts';
import { stage } from './stage.ts';

const run = promisify(execFile);

const root = fileURLToPath(new URL('..', import.meta.url));

const COMPRESSIONS = { best: ['-Zxz', '-z6'], quick: ['-Zxz', '-z0'], none: ['-Znone'] } as const;
const SCRIPTS = ['postinst', 'prerm', 'postrm'];

export interface PackageOptions {
  /** Folder for the .deb. */
  readonly folder: string;
  /** Node's or Debian's name of the architecture. */
  readonly arch?: string;
  /** `quick`: a fifth of the work, and a quarter larger. */
  readonly compression?: keyof typeof COMPRESSIONS;
}

/** @returns the path of the package */
export async function buildPackage({ folder, arch = process.arch, compression = 'best' }: PackageOptions) {
  const architecture = architectureOf(arch);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const date = sourceDate();
  const work = await mkdtemp(join(tmpdir(), 'hostnode-package-'));
  try {
    const staged = join(work, 'root');
    const debian = debianVersion(version);
    await stage({ root, folder: staged, work, architecture, version: debian, date });
    const files = await filesBelow(staged);
    const size = installedKibibytes(files);
    const own = join(staged, 'DEBIAN');
    await mkdir(own);
    await writeFile(
      join(own, 'control'),
      control({ version: debian, architecture, installedKibibytes: size }),
    );
    await writeFile(join(own, 'conffiles'), conffiles(files));
    await writeFile(join(own, 'md5sums'), await md5sums(staged, files));
    for (const script of SCRIPTS) {
      await writeFile(join(own, script), await readFile(join(root, 'packaging/debian', script)), {
        mode: 0o755,
      });
    }
    await settle(staged, date);
    await mkdir(folder, { recursive: true });
    const target = join(folder, `hostnode_${debian}_${architecture.name}.deb`);
    const options = ['--root-owner-group', ...COMPRESSIONS[compression]];
    await run('dpkg-deb', [...options, '--build', staged, target], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(date.getTime() / 1000) },
    });
    return target;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Removes traces of the build machine: times, and permissions from its umask. */
async function settle(folder: string, date: Date): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    await lutimes(path, date, date);
  }
  await chmod(folder, 0o755);
  await lutimes(folder, date, date);
}

/** SOURCE_DATE_EPOCH, else the last commit. */
export function sourceDate(): Date {
  const seconds =
    process.env.SOURCE_DATE_EPOCH ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return new Date(Number(seconds) * 1000);
}
