import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileBehind, writeNewFiles, writeOutputFile } from '../../src/cli/output-files.ts';

const NOBODY = 65_534;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-output-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('writeOutputFile', () => {
  let file: string;
  let victim: string;
  beforeEach(async () => {
    await mkdir(join(dir, 'theirs'));
    file = join(dir, 'theirs', 'slots.yaml');
    victim = join(dir, 'victim');
    await writeFile(victim, 'root’s');
  });

  it('makes a file, and writes over one only where that is wanted', async () => {
    await writeOutputFile(file, 'first', false);
    await expect(writeOutputFile(file, 'second', false)).rejects.toThrow(/^EEXIST: .* '.*slots\.yaml'$/);
    await writeOutputFile(file, 'new', true);
    expect(await readFile(file, 'utf8')).toBe('new');
    await expect(writeOutputFile(join(dir, 'none', 'x'), '', true)).rejects.toThrow(`'${dir}/none/x'`);
  });

  it('goes through a link in a directory that is ours alone', async () => {
    await symlink(victim, file);
    await writeOutputFile(file, 'new', true);
    expect(await readFile(victim, 'utf8')).toBe('new');
    await writeOutputFile('/dev/null', 'text', true);
  });

  it.skipIf(process.getuid?.() !== 0).each([
    ['a link in another user’s directory', symlink, () => chown(join(dir, 'theirs'), NOBODY, NOBODY)],
    ['a second name in another user’s directory', link, () => chown(join(dir, 'theirs'), NOBODY, NOBODY)],
    ['a link where all may write', symlink, () => chmod(join(dir, 'theirs'), 0o1777)],
  ])('does not write as root through %s', async (_, lay, open) => {
    await lay(victim, file);
    await open();
    await expect(writeOutputFile(file, 'new', true)).rejects.toThrow(/link/);
    expect(await readFile(victim, 'utf8')).toBe('root’s');
  });
});

describe('the file that is replaced', () => {
  it('is that behind a link in a directory that is ours alone', async () => {
    await writeFile(join(dir, 'report.xml'), 'ours');
    await symlink(join(dir, 'report.xml'), join(dir, 'latest.xml'));
    expect(await fileBehind(join(dir, 'latest.xml'))).toBe(join(dir, 'report.xml'));
  });

  it.skipIf(process.getuid?.() !== 0)('is none that another user put behind the name', async () => {
    const [named, victim] = [join(dir, 'theirs', 'report.xml'), join(dir, 'victim')];
    await mkdir(join(dir, 'theirs'));
    await writeFile(victim, 'root’s');
    await symlink(victim, named);
    await chown(join(dir, 'theirs'), NOBODY, NOBODY);
    await writeNewFiles([{ path: await fileBehind(named), text: 'marked', mode: 0o644 }], true);
    expect([await readFile(victim, 'utf8'), await readFile(named, 'utf8')]).toEqual(['root’s', 'marked']);
  });
});

const pair = () => [
  { path: join(dir, 'keys/key'), text: 'k3y\n', mode: 0o600, folderMode: 0o700 },
  { path: join(dir, 'h.yaml'), text: 'cloud:\n', mode: 0o644 },
];
const modeOf = async (name: string) => (await stat(join(dir, name))).mode & 0o777;

describe('writeNewFiles', () => {
  it('writes each with its permissions, and makes the folder that it may make', async () => {
    const before = process.umask(0o077);
    try {
      await writeNewFiles(pair(), false);
    } finally {
      process.umask(before);
    }
    expect(await readFile(join(dir, 'keys/key'), 'utf8')).toBe('k3y\n');
    expect(await readFile(join(dir, 'h.yaml'), 'utf8')).toBe('cloud:\n');
    expect([await modeOf('keys'), await modeOf('keys/key'), await modeOf('h.yaml')]).toEqual([
      0o700, 0o600, 0o644,
    ]);
    expect((await readdir(dir, { recursive: true })).toSorted()).toEqual(['h.yaml', 'keys', 'keys/key']);
  });

  it('writes none if one exists, and leaves that as it is', async () => {
    await writeFile(join(dir, 'h.yaml'), 'mine');
    await expect(writeNewFiles(pair(), false)).rejects.toThrow(`'${dir}/h.yaml'`);
    expect(await readdir(join(dir, 'keys'))).toEqual([]);
    expect(await readFile(join(dir, 'h.yaml'), 'utf8')).toBe('mine');
    expect((await readdir(dir)).toSorted()).toEqual(['h.yaml', 'keys']);
  });

  it('writes none if one cannot be written', async () => {
    const nowhere = { path: join(dir, 'none/h.yaml'), text: '', mode: 0o644 };
    await expect(writeNewFiles([...pair(), nowhere], true)).rejects.toThrow(/^ENOENT.* '.*\/none\/h\.yaml'$/);
    expect(await readdir(dir, { recursive: true })).toEqual(['keys']);
  });

  it('with force replaces a file, and a link instead of what it points to', async () => {
    await writeFile(join(dir, 'victim'), 'not mine');
    await symlink(join(dir, 'victim'), join(dir, 'h.yaml'));
    await writeNewFiles(pair(), true);
    expect(await readFile(join(dir, 'victim'), 'utf8')).toBe('not mine');
    expect(await readFile(join(dir, 'h.yaml'), 'utf8')).toBe('cloud:\n');
  });
});
