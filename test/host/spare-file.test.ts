import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  clearSpareFile,
  prepareSpareFile,
  readSpareFile,
  writeSpareFile,
} from '../../src/host/spare-file.ts';
import { StateUnwritableError } from '../../src/host/state-errors.ts';

const SIZE = 128 * 1024;

let dir: string;
let file: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-spare-'));
  file = join(dir, 'spare');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function overwrite(at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, undefined, at);
  await handle.close();
}

describe('a spare file', () => {
  it('has all its blocks from the beginning, keeps its place and size, and is its owner’s alone', async () => {
    await prepareSpareFile(file);
    const before = await stat(file);
    expect([before.size, before.mode & 0o777]).toEqual([SIZE, 0o600]);
    expect(before.blocks * 512).toBeGreaterThanOrEqual(SIZE);
    for (const text of ['one', 'two', 'three']) {
      await writeSpareFile(file, text);
      expect(await readSpareFile(file)).toBe(text);
    }
    await prepareSpareFile(file);
    const after = await stat(file);
    expect([after.ino, after.size, after.blocks]).toEqual([before.ino, before.size, before.blocks]);
    expect(await readSpareFile(file)).toBe('three');
  });

  it('holds a roster of some hundred phones', async () => {
    const phone = () => ({
      udid: randomBytes(8).toString('hex'),
      serial: randomBytes(8).toString('hex'),
      devpath: '1-4.2.3',
      identity: { model: 'Redmi Note 12', manufacturer: 'Xiaomi', androidRelease: '14', isEmulator: false },
      lastSeenAt: 1_790_000_000_000,
    });
    const text = JSON.stringify(Array.from({ length: 500 }, phone));
    await prepareSpareFile(file);
    await writeSpareFile(file, text);
    expect(await readSpareFile(file)).toBe(text);
  });

  it('says that a text has not the room, and keeps the one before', async () => {
    await prepareSpareFile(file);
    await writeSpareFile(file, 'small');
    await expect(writeSpareFile(file, randomBytes(SIZE).toString('base64'))).rejects.toThrow(
      StateUnwritableError,
    );
    expect(await readSpareFile(file)).toBe('small');
  });

  it.each([
    ['its beginning', 0, 200],
    ['its end', 120, 40],
  ])('keeps the text before where a write was cut off: %s', async (_, at, length) => {
    await prepareSpareFile(file);
    await writeSpareFile(file, 'first'); // in the first slot
    await writeSpareFile(file, 'second');
    await overwrite(SIZE / 2 + at, randomBytes(length));
    expect(await readSpareFile(file)).toBe('first');
    await writeSpareFile(file, 'third');
    expect(await readSpareFile(file)).toBe('third');
    await overwrite(SIZE / 2 + at, randomBytes(length));
    expect(await readSpareFile(file)).toBe('first');
  });

  it('grows for what needs more room, and keeps the text in it', async () => {
    await prepareSpareFile(file);
    await writeSpareFile(file, 'before');
    await prepareSpareFile(file, 600 * 1024);
    expect([(await stat(file)).size, await readSpareFile(file)]).toEqual([2 * 1024 ** 2, 'before']);
    const text = randomBytes(600 * 1024).toString('latin1');
    await writeSpareFile(file, text.slice(0, 300 * 1024));
    expect(await readSpareFile(file)).toBe(text.slice(0, 300 * 1024));
    await prepareSpareFile(file);
    expect([(await stat(file)).size, await readdir(dir)]).toEqual([2 * 1024 ** 2, ['spare']]);
  });

  it('takes the first of the shorter texts that fits', async () => {
    await prepareSpareFile(file);
    const long = () => randomBytes(SIZE).toString('base64');
    await writeSpareFile(file, long(), [long(), 'short', 'shorter']);
    expect(await readSpareFile(file)).toBe('short');
  });

  it('reads nothing where there is nothing, or something else', async () => {
    expect(await readSpareFile(file)).toBeUndefined();
    await prepareSpareFile(file);
    expect(await readSpareFile(file)).toBeUndefined();
    await writeFile(file, 'something else');
    expect(await readSpareFile(file)).toBeUndefined();
    await expect(writeSpareFile(join(dir, 'none'), 'x')).rejects.toThrow(StateUnwritableError);
  });

  it('is made again if it was cut off', async () => {
    await prepareSpareFile(file);
    await truncate(file, SIZE - 1);
    await prepareSpareFile(file);
    expect((await stat(file)).size).toBe(SIZE);
    await writeSpareFile(file, 'text');
    expect(await readSpareFile(file)).toBe('text');
  });

  it('leaves nothing of a text behind when it is cleared', async () => {
    await prepareSpareFile(file);
    await writeSpareFile(file, 'secret'.repeat(10));
    const before = (await readFile(file)).subarray(128, 150);
    await clearSpareFile(file);
    expect(await readSpareFile(file)).toBeUndefined();
    expect((await readFile(file)).includes(before)).toBe(false);
    await clearSpareFile(join(dir, 'none'));
  });
});
