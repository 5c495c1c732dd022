import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/history/events/event.ts';
import { StoreOpener } from '../../../src/history/store/opener.ts';
import { readEvents } from '../../../src/history/store/reader.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-reader-'));
});
afterEach(() => rm(dir, { recursive: true }));

const note: NewEvent = { kind: 'note', udid: 'A', at: 5, text: 'x', where: {} };

async function run(stateDir: string): Promise<StoreOpener> {
  const opener = new StoreOpener({ stateDir, days: 90, maxMegabytes: 16 }, { say: () => {} });
  await opener.write([{ kind: 'events', events: [note] }]);
  return opener;
}

const contents = async (folder: string) =>
  Promise.all((await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'hex')]));

const eventsIn = (folder: string) => readEvents(folder, {});

describe('the history while no agent runs', () => {
  it('is read, and nothing is made or changed', async () => {
    (await run(dir)).close();
    const before = await contents(dir);
    expect(await eventsIn(dir)).toEqual([{ ...note, id: 1 }]);
    expect(await contents(dir)).toEqual(before);
  });

  it('is none where a pipe has its name: nobody waits for who writes it', async () => {
    execFileSync('mkfifo', [join(dir, 'history.sqlite')]);
    expect(await eventsIn(dir)).toBeUndefined();
  });

  it('is read whole after an agent that was killed', async () => {
    const agent = join(dir, 'agent');
    const left = join(dir, 'left');
    await mkdir(agent);
    const opener = await run(agent);
    await cp(agent, left, { recursive: true }); // what a kill leaves
    opener.close();
    const before = await contents(left);
    expect(before.map(([name]) => name)).toContain('history.sqlite-wal');
    expect(await eventsIn(left)).toEqual([{ ...note, id: 1 }]);
    expect(await contents(left)).toEqual(before);
  });

  it('is absent where there is none', async () => {
    expect(await eventsIn(dir)).toBeUndefined();
    expect(await eventsIn(join(dir, 'none'))).toBeUndefined();
    expect(await readdir(dir)).toEqual([]);
  });

  it('that is damaged is an error', async () => {
    await writeFile(join(dir, 'history.sqlite'), 'x'.repeat(5000));
    await expect(eventsIn(dir)).rejects.toThrow('file is not a database');
  });
});
