import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDirectory, type Directory, lookAtState, type Onlooker } from '../../src/doctor/state.ts';
import { lockStateDirectory } from '../../src/host/lock.ts';

const uid = process.getuid?.() ?? 0;
const accounts = {
  users: [
    { name: 'me', uid, home: '/home/me' },
    { name: 'hostnode', uid: 998, home: '/var/lib/hostnode' },
  ],
  groups: [],
};

async function directory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hostnode-state-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const look = async (dir: string, onlooker: Onlooker = { accounts, uid }) => await lookAtState(dir, onlooker);

/** Mounts a disk on `at` that takes nothing; false where this process may not. */
function mountReadOnly(at: string): boolean {
  const options = `ro,mode=0700,uid=${uid}`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const fine: Directory = {
  dir: '/var/lib/hostnode',
  uid: 998,
  mode: 0o700,
  foreign: [],
  freeBytes: 5 * 1024 ** 3,
  freeInodes: 90_000,
};
const judge = (change: Partial<Directory>) =>
  checkDirectory({ ...fine, ...change }, { accounts, uid: 0, serviceUser: 'hostnode' });

describe('the state directory', () => {
  it('is fine for its owner alone, is not written to, and the agent that uses it is named', async () => {
    const dir = await directory();
    const lock = await lockStateDirectory(dir);
    const before = { names: await readdir(dir), changedMs: (await stat(dir)).mtimeMs };
    expect(await look(dir)).toEqual([
      { name: 'state directory', status: 'ok', seen: `${dir}, owner me, mode 0700` },
      { name: 'free space', status: 'ok', seen: expect.stringContaining(' MiB') },
      {
        name: 'running agent',
        status: 'ok',
        seen: `an agent, process ${process.pid}, uses this directory`,
      },
    ]);
    expect({ names: await readdir(dir), changedMs: (await stat(dir)).mtimeMs }).toEqual(before);
    await lock.release();
    expect((await look(dir)).at(-1)).toEqual({
      name: 'running agent',
      status: 'skipped',
      seen: 'no agent uses this directory now',
    });
  });

  it('that is not there yet is fine, and is not made', async () => {
    const dir = join(await directory(), 'later');
    expect(await look(dir)).toEqual([
      {
        name: 'state directory',
        status: 'ok',
        seen: `${dir} does not exist yet: the agent creates it at its start`,
      },
    ]);
    await expect(stat(dir)).rejects.toThrow('ENOENT');
  });

  it('that is not there and cannot be made is a failure: a file or nothing is in the way', async () => {
    const parent = await directory();
    await symlink('/nonexistent/target', join(parent, 'link'));
    await writeFile(join(parent, 'file'), '');
    const dirs = ['link/a/state', 'file/state'].map((path) => join(parent, path));
    expect((await Promise.all(dirs.map((dir) => look(dir)))).flat()).toEqual([
      {
        name: 'state directory',
        status: 'failed',
        seen: `${dirs[0]} does not exist, and me cannot create it in ${join(parent, 'link')} (ENOENT)`,
        remedy: expect.stringMatching(
          /^Create it as root and give it to .* \(chown me .*\), or set state\.dir$/,
        ),
      },
      expect.objectContaining({
        status: 'failed',
        seen: `${dirs[1]} does not exist, and me cannot create it in ${join(parent, 'file')} (ENOTDIR)`,
      }),
    ]);
  });

  it.skipIf(uid === 0)('that is not there and whose parent is closed is a failure', async () => {
    const parent = await directory();
    await chmod(parent, 0o500);
    expect(await look(join(parent, 'a/state'))).toMatchObject([
      { status: 'failed', seen: expect.stringContaining(`me cannot create it in ${parent} (EACCES)`) },
    ]);
  });

  it('of the service that is not there is made by systemd, whoever looks', async () => {
    const dir = '/proc/nowhere/state';
    expect(await look(dir, { accounts, uid, serviceUser: 'hostnode' })).toMatchObject([{ status: 'ok' }]);
  });

  it('in whose place a file stands is a failure', async () => {
    const file = join(await directory(), 'state');
    await writeFile(file, '');
    expect(await look(file)).toMatchObject([{ status: 'failed', seen: `${file} cannot be read (ENOTDIR)` }]);
  });

  it('that others may read is a warning with the command that mends it', async () => {
    const dir = await directory();
    await chmod(dir, 0o755);
    expect((await look(dir))[0]).toEqual({
      name: 'state directory',
      status: 'warning',
      seen: `${dir}, owner me, mode 0755: open to others`,
      remedy: `chmod 700 ${dir}`,
    });
  });

  it('of the service belongs to the service’s user, all of it', () => {
    expect(judge({})[0]).toMatchObject({ status: 'ok' });
    expect(judge({ uid })[0]).toMatchObject({
      status: 'failed',
      seen: '/var/lib/hostnode, owner me, mode 0700: the owner should be hostnode',
      remedy: 'chown -R hostnode /var/lib/hostnode/',
    });
    expect(judge({ foreign: ['roster.json'] })[0]).toMatchObject({
      status: 'failed',
      seen: '/var/lib/hostnode, owner hostnode, mode 0700; files with another owner: roster.json',
      remedy: 'chown -R hostnode /var/lib/hostnode/',
    });
    expect(judge({ mode: 0o500 })[0]).toMatchObject({
      status: 'failed',
      remedy: 'chmod 700 /var/lib/hostnode',
    });
  });

  it('that is a link is what it leads to', async () => {
    const parent = await directory();
    const [dir, link] = [join(parent, 'disk'), join(parent, 'state')];
    await mkdir(dir, { mode: 0o700 });
    await symlink(dir, link);
    expect((await look(link))[0]).toEqual({
      name: 'state directory',
      status: 'ok',
      seen: `${link}, owner me, mode 0700`,
    });
    await chmod(dir, 0o755);
    expect((await look(link))[0]).toMatchObject({
      status: 'warning',
      seen: expect.stringMatching(/mode 0755: open to others$/),
    });
    await rm(dir, { recursive: true });
    expect(await look(link)).toEqual([
      {
        name: 'state directory',
        status: 'failed',
        seen: `${link} cannot be read (ENOENT)`,
        remedy: 'Check what is there, and its disk, or set state.dir',
      },
    ]);
  });

  it('on a file system that takes nothing is a failure, whatever its permission bits say', () => {
    const mends = 'mount it read-write, or set state.dir';
    expect([judge({ obstacle: 'EROFS' })[0], judge({ obstacle: 'EPERM' })[0]]).toEqual([
      {
        name: 'state directory',
        status: 'failed',
        seen: '/var/lib/hostnode, owner hostnode, mode 0700: the file system is read-only',
        remedy: `See dmesg for the reason; ${mends}`,
      },
      {
        name: 'state directory',
        status: 'failed',
        seen: '/var/lib/hostnode, owner hostnode, mode 0700: nobody may write to it',
        remedy: 'lsattr -d /var/lib/hostnode; chattr -i /var/lib/hostnode',
      },
    ]);
  });

  it('that is mounted read-only is seen to take nothing', async ({ skip }) => {
    const dir = await directory();
    if (!mountReadOnly(dir)) skip('needs the right to mount');
    try {
      expect((await look(dir))[0]).toMatchObject({
        status: 'failed',
        seen: `${dir}, owner me, mode 0700: the file system is read-only`,
      });
    } finally {
      execFileSync('umount', [dir]);
    }
  });

  it('needs bytes and inodes', () => {
    const space = (change: Partial<Directory>) => judge(change)[1]?.status;
    expect([
      space({}),
      space({ freeBytes: 50 * 1024 ** 2 }),
      space({ freeBytes: 1024 }),
      space({ freeInodes: 3 }),
    ]).toEqual(['ok', 'warning', 'failed', 'failed']);
  });
});
