import {
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder } from '../../src/host/folder.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-folder-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const placeOf = async (path: string) => {
  await using folder = await Folder.open(path);
  return await realpath(folder.path('.'));
};

/** How many of this process's descriptors are of the directory, of one above it, or of what is in it. */
async function openOnTheWayTo(path: string): Promise<number> {
  const all = await readdir('/proc/self/fd');
  const targets = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => 'closed')));
  return targets.filter((target) => `${path}/`.startsWith(join(target, '/')) || target.startsWith(`${path}/`))
    .length;
}

describe('an open directory', () => {
  it('is the one to which links lead, of whatever kind', async () => {
    await mkdir(join(dir, 'a', 'b'), { recursive: true });
    await symlink('a/b', join(dir, 'near'));
    await symlink(dir, join(dir, 'far'));
    await symlink('../a/./b/..', join(dir, 'a', 'back'));
    const ways = ['a/b', 'near', 'far/near', 'far/far/a/b/', 'a/back/b', 'a//b/.'];
    for (const way of ways) expect(await placeOf(`${dir}/${way}`)).toBe(join(dir, 'a', 'b'));
    expect(await placeOf(`/proc/self/root${dir}/near`)).toBe(join(dir, 'a', 'b'));
    expect(await placeOf(relative(process.cwd(), join(dir, 'near')))).toBe(join(dir, 'a', 'b'));
    expect(await placeOf('/')).toBe('/');
  });

  it('stays the same when another one takes its place', async () => {
    await mkdir(join(dir, 'state'));
    await using folder = await Folder.open(join(dir, 'state'));
    await rename(join(dir, 'state'), join(dir, 'moved'));
    await mkdir(join(dir, 'state'));
    await writeFile(folder.path('file'), '');
    expect([await readdir(join(dir, 'moved')), await readdir(join(dir, 'state'))]).toEqual([['file'], []]);
  });

  it('is made with all above it, for its owner alone, and no twice', async () => {
    for (const make of [true, true]) {
      await using folder = await Folder.open(join(dir, 'x', 'y'), { make });
      expect(folder.mode).toBe(0o700);
    }
    await Promise.all(
      [1, 2, 3].map(() => Folder.open(join(dir, 'p', 'q'), { make: true }).then((made) => made.close())),
    );
  });

  it.each([
    ['missing', 'ENOENT'],
    ['file', 'ENOTDIR'],
    ['file/below', 'ENOTDIR'],
    ['loop', 'ELOOP'],
  ])('%s: %s', async (name, code) => {
    await writeFile(join(dir, 'file'), '');
    await symlink('loop', join(dir, 'loop'));
    await expect(Folder.open(join(dir, name))).rejects.toMatchObject({ code });
  });

  it('leaves no descriptor open behind it, also where it fails', async () => {
    const open = () => openOnTheWayTo(dir);
    await symlink('loop', join(dir, 'loop'));
    const before = await open();
    for (let count = 0; count < 20; count += 1) {
      await Folder.open(join(dir, 'loop')).catch(() => {});
      await (await Folder.open(dir)).close();
    }
    expect(await open()).toBe(before);
  });
});
