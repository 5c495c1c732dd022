import { chmod, chown, link, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeOutputFile } from '../../src/cli/output-file.ts';

const NOBODY = 65_534;

let dir: string;
let file: string;
let victim: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-output-'));
  await mkdir(join(dir, 'theirs'));
  file = join(dir, 'theirs', 'slots.yaml');
  victim = join(dir, 'victim');
  await writeFile(victim, 'root’s');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('writeOutputFile', () => {
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
