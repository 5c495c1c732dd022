import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../src/host/json-file.ts';

const schema = z.object({ version: z.literal(1), phones: z.array(z.string()) });
const value: z.infer<typeof schema> = { version: 1, phones: ['R58M123'] };

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-json-'));
  file = join(dir, 'roster.json');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = () => readJsonFile(file, schema, 1);

describe('writeJsonFile', () => {
  it('writes what readJsonFile reads, for its owner alone', async () => {
    await writeJsonFile(file, { version: 1, phones: [] });
    await writeJsonFile(file, value);
    expect(await read()).toEqual({ value });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['roster.json']);
  });

  it('removes what a killed write left', async () => {
    writeFileSync(join(dir, '.roster.json.draft.tmp'), 'half');
    await writeJsonFile(file, value);
    expect(readdirSync(dir)).toEqual(['roster.json']);
  });

  it('says why it cannot write', async () => {
    writeFileSync(file, '{}');
    await expect(writeJsonFile(join(file, 'below.json'), value)).rejects.toMatchObject({
      code: 'STATE_UNWRITABLE',
      message: `cannot write ${file}/below.json: a part of the path is not a directory`,
    });
  });
});

/** Mounts a disk of 8 KiB on `at`; false where this process may not. */
function mountTinyDisk(at: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', at], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a full disk', () => {
  it('leaves the old file whole, and no draft', async ({ skip }) => {
    if (!mountTinyDisk(dir)) skip('needs the right to mount');
    try {
      await writeJsonFile(file, value);
      const large = { version: 1, phones: ['x'.repeat(6000)] };
      await expect(writeJsonFile(file, large)).rejects.toMatchObject({
        code: 'STATE_UNWRITABLE',
        message: `cannot write ${file}: no space left on the disk`,
      });
      expect(await read()).toEqual({ value });
      expect(readdirSync(dir)).toEqual(['roster.json']);
    } finally {
      execFileSync('umount', [dir]);
    }
  });
});

describe('readJsonFile', () => {
  it('is empty where there is no file', async () => {
    expect(await read()).toEqual({});
  });

  it.each([
    ['{"version":1,"pho', 'is damaged (not JSON)'],
    ['', 'is damaged (not JSON)'],
    ['{"version":1,"phones":[7]}', 'is damaged (unexpected content at phones.1)'],
    ['null', 'is damaged (unexpected content at the whole)'],
  ])('sets a damaged file aside: %j', async (text, what) => {
    writeFileSync(file, text);
    const { problem, movedTo = '', value: nothing } = await read();
    expect(nothing).toBeUndefined();
    expect(movedTo).toMatch(/roster\.json\.damaged-\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(problem).toBe(`${file} ${what}; it was set aside as ${movedTo}`);
    expect(readFileSync(movedTo, 'utf8')).toBe(text);
    expect(await read()).toEqual({});
  });

  it.each([
    ['nested', '['.repeat(15e6), /more than 4000000 values/],
    ['of very many values', `{"version":1,"phones":[${'[],'.repeat(10e6)}[]]}`, /more than 4000000 values/],
  ])('sets a %s file aside before it is parsed', async (_, text, why) => {
    writeFileSync(file, text);
    const parse = vi.spyOn(JSON, 'parse');
    const { problem } = await read();
    expect(problem).toMatch(why);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('counts no brackets and commas in texts', async () => {
    const phones = ['['.repeat(40), '\\"[{'.repeat(40), '\\\\'];
    const bounds = { mostBytes: 10_000, mostMarks: 20 };
    await writeJsonFile(file, { version: 1, phones });
    expect(await readJsonFile(file, schema, 1, { bounds })).toEqual({ value: { version: 1, phones } });
    expect((await readJsonFile(file, schema, 1, { bounds: { ...bounds, mostMarks: 3 } })).problem).toContain(
      'is damaged (more than 3 values)',
    );
  });

  it('sets a file of a newer version aside under a name of its own', async () => {
    writeFileSync(file, '{"version":2,"racks":[]}');
    const { problem, movedTo = '' } = await read();
    expect(movedTo).toContain('roster.json.newer-');
    expect(problem).toBe(
      `${file} was written by a newer hostnode (version 2, this one reads 1); it was set aside as ${movedTo}`,
    );
  });

  it('sets aside what else is in its place, so that it can be written again', async () => {
    mkdirSync(join(file, 'below'), { recursive: true });
    const { problem, movedTo = '' } = await read();
    expect(movedTo).toContain('roster.json.unreadable-');
    expect(problem).toBe(
      `${file} cannot be read (EISDIR: illegal operation on a directory, read); it was set aside as ${movedTo}`,
    );
    expect(readdirSync(movedTo)).toEqual(['below']);
    await writeJsonFile(file, value);
    expect(await read()).toEqual({ value });
  });

  it('does not throw when the way to it is none', async () => {
    writeFileSync(file, '');
    const { problem } = await readJsonFile(join(file, 'below.json'), schema, 1);
    expect(problem).toContain(`${file}/below.json cannot be read (ENOTDIR`);
  });
});
