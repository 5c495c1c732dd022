import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../src/host/json-file.ts';
import { readStateText, readSystemText } from '../../src/host/state-file.ts';
import { makeUnreadable } from '../support/unreadable.ts';

const schema = z.object({ version: z.literal(1), phones: z.array(z.string()) });
const value: z.infer<typeof schema> = { version: 1, phones: ['R58M123'] };

let dir: string;
let file: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-reading-'));
  file = join(dir, 'roster.json');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const read = (options?: { mayRename?: boolean }) => readJsonFile(file, schema, 1, options);

describe('a state file that cannot be read', () => {
  it('stays, and is found once it can be', async () => {
    await writeJsonFile(file, value);
    const mend = await makeUnreadable(file);
    expect(await read()).toEqual({
      problem: `${file} cannot be read (EIO: i/o error, read); the agent reads it again later and does not overwrite it until then`,
      mustStay: true,
    });
    expect(await readlink(file)).toBe('/proc/self/mem');
    await mend();
    expect(await read()).toEqual({ value });
  });

  it('is ignored by who only looks', async () => {
    await makeUnreadable(file);
    expect((await read({ mayRename: false })).problem).toBe(
      `${file} cannot be read (EIO: i/o error, read); it is ignored`,
    );
  });

  it.skipIf(process.getuid?.() !== 0)('because of its mode or its owner stays, too', () => {
    const code = `
      const { readStateText } = await import(${JSON.stringify(new URL('../../src/host/state-file.ts', import.meta.url).href)});
      process.seteuid(65534);
      console.log(JSON.stringify(await readStateText(${JSON.stringify(file)})));`;
    execFileSync('sh', ['-c', `echo '{}' > ${file} && chmod 755 ${dir} && chmod 600 ${file}`]);
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    expect(JSON.parse(said)).toMatchObject({ kind: 'unreadable', why: 'EACCES: permission denied, open' });
  });

  it('is not said to be absent where a link leads to a disk that is not there', async () => {
    await symlink(join(dir, 'disk', 'roster.json'), file);
    expect(await readStateText(file)).toEqual({ kind: 'unreadable', why: 'a link there leads to no file' });
  });

  it('is not said to be absent when the way to it is closed by a loop', async () => {
    await symlink('loop', join(dir, 'loop'));
    expect(await readStateText(join(dir, 'loop', 'roster.json'))).toMatchObject({ kind: 'unreadable' });
  });
});

describe('a state file that is none', () => {
  it.each([
    ['empty', (path: string) => writeFile(path, '')],
    ['full of NULs after a power failure', (path: string) => writeFile(path, Buffer.alloc(4096))],
    ['cut off', (path: string) => writeFile(path, '{"version":1,"pho')],
    ['of absurd size', (path: string) => writeFile(path, '').then(() => truncate(path, 2 ** 31 + 1))],
    ['a pipe that nobody writes to', async (path: string) => void execFileSync('mkfifo', [path])],
  ])('%s: is set aside, and can be written anew', async (_, spoil) => {
    await spoil(file);
    const { movedTo = '', mustStay } = await read();
    expect([movedTo.startsWith(`${file}.damaged-`), mustStay]).toEqual([true, undefined]);
    await writeJsonFile(file, value);
    expect(await read()).toEqual({ value });
    expect(await readdir(dir)).toHaveLength(2);
  });

  it('a socket: is set aside', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    expect((await read()).movedTo).toMatch(/damaged-/);
    server.close();
  });

  it('that cannot be set aside is not written over', async () => {
    const name = 'n'.repeat(250); // with more behind it, it would be too long
    file = join(dir, name);
    await writeFile(file, 'x');
    expect(await read()).toMatchObject({
      mustStay: true,
      problem: expect.stringContaining(
        'could not be set aside (ENAMETOOLONG); the agent does not overwrite it',
      ),
    });
    expect(await readFile(file, 'utf8')).toBe('x');
  });
});

it('reads a file of the system through a link', async () => {
  await writeFile(join(dir, 'id'), 'text');
  await symlink('id', file);
  expect(await readSystemText(file)).toEqual({ kind: 'text', text: 'text' });
  expect(await readSystemText('/proc/self/status')).toMatchObject({ kind: 'text' }); // its size is said to be 0
});
