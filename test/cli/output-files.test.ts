import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import {
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileBehind, writeNewFiles, writeOrPrint } from '../../src/cli/output-files.ts';

const NOBODY = 65_534;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-output-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

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

describe('writeOrPrint', () => {
  it('with force writes the file behind a link, and keeps the link', async () => {
    const [file, named] = [join(dir, 'slots.yaml'), join(dir, 'latest.yaml')];
    await writeFile(file, 'old');
    await symlink(file, named);
    await writeOrPrint(named, 'new', true);
    expect([await readFile(file, 'utf8'), await readlink(named)]).toEqual(['new', file]);
  });

  it('with force makes a file that is not there', async () => {
    await writeOrPrint(join(dir, 'slots.yaml'), 'new', true);
    expect(await readFile(join(dir, 'slots.yaml'), 'utf8')).toBe('new');
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

  it('takes the name only for the whole file: who is ended before leaves no empty one', async () => {
    const path = join(dir, 'bundle');
    const seen: string[] = [];
    const file = {
      ...{ path, mode: 0o600 },
      get text() {
        seen.push(...readdirSync(dir));
        return 'whole';
      },
    };
    await writeNewFiles([file], false);
    expect([seen.includes('bundle'), await readdir(dir)]).toEqual([false, ['bundle']]);
  });

  it('writes none if one cannot be written', async () => {
    const nowhere = { path: join(dir, 'none/h.yaml'), text: '', mode: 0o644 };
    await expect(writeNewFiles([...pair(), nowhere], true)).rejects.toThrow(
      /^ENOENT[^']* '[^']*\/none\/h\.yaml'$/,
    );
    expect(await readdir(dir, { recursive: true })).toEqual(['keys']);
  });

  it('puts no file in the place of what is none, such as a device', async () => {
    const pipe = join(dir, 'h.yaml');
    await promisify(execFile)('mkfifo', [pipe]);
    await expect(writeNewFiles(pair(), true)).rejects.toThrow(`it is no file '${pipe}'`);
    expect((await stat(pipe)).isFIFO()).toBe(true);
    expect(await readdir(join(dir, 'keys'))).toEqual([]);
  });

  it('with force replaces a file, and a link instead of what it points to', async () => {
    await writeFile(join(dir, 'victim'), 'not mine');
    await symlink(join(dir, 'victim'), join(dir, 'h.yaml'));
    await writeNewFiles(pair(), true);
    expect(await readFile(join(dir, 'victim'), 'utf8')).toBe('not mine');
    expect(await readFile(join(dir, 'h.yaml'), 'utf8')).toBe('cloud:\n');
  });
});
