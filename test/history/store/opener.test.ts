import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/history/events/event.ts';
import { openDatabase } from '../../../src/history/store/database.ts';
import type { HistorySettings } from '../../../src/history/store/history.ts';
import { StoreOpener } from '../../../src/history/store/opener.ts';
import type { Store } from '../../../src/history/store/store.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function stateDirectory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hostnode-opener-'));
  endings.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

function open(stateDir?: string) {
  const said: string[] = [];
  let uptime = 0;
  const settings: HistorySettings = {
    days: 90,
    maxMegabytes: 16,
    ...(stateDir !== undefined && { stateDir }),
  };
  const opener = new StoreOpener(settings, {
    say: (level, message) => said.push(`${level}: ${message.replaceAll(`${stateDir}/`, '')}`),
    uptime: () => uptime,
  });
  endings.push(() => opener.close());
  return {
    ...{ opener, settings, said },
    pass: (ms: number) => {
      uptime += ms;
    },
    write: (...events: NewEvent[]) => {
      return opener.write([{ kind: 'events', events }]);
    },
    times: () => opener.ask(times),
  };
}

/** A byte in the middle of the events. */
async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.fill(0xff, 4096 + 8, 4096 + 16);
  await writeFile(path, bytes);
}

const note = (at: number, udid = 'PHONE7'): NewEvent => ({ kind: 'note', udid, at, text: 'x', where: {} });
const times = (store: Store) =>
  store
    .events()
    .map(({ at }) => at)
    .toReversed();
const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => note(from + index));

describe('a store that may rest', () => {
  it('is closed, and whoever asks after all has it open again', async () => {
    const dir = await stateDirectory();
    const { opener, write, times } = open(dir);
    await write(note(1));
    expect(opener.rest()).toBe(true);
    expect(await readdir(dir)).toEqual(['history.sqlite']);
    expect(await times()).toEqual([1]);
    await write(note(2));
    expect(await times()).toEqual([1, 2]);
  });

  it('is not checked again in the same process: that takes half a second for a large file', async () => {
    const dir = await stateDirectory();
    const first = open(dir);
    await first.write(...many(0, 100));
    first.opener.close();
    await damage(join(dir, 'history.sqlite'));
    expect(() => openDatabase(join(dir, 'history.sqlite'))).toThrow('is damaged');
    const said: string[] = [];
    const next = new StoreOpener(first.settings, { say: (_, message) => said.push(message), isWhole: true });
    endings.push(() => next.close());
    await next.ask(() => {});
    expect(said).toEqual([]);
    next.close();
    await next.ask(() => {}); // but for the first time only
    expect(said.join()).toContain('is damaged');
  });

  it('may not while its memory is the only copy', async () => {
    const inMemory = open();
    await inMemory.write(note(1));
    expect(inMemory.opener.rest()).toBe(false);
  });
});

describe('the file', () => {
  it('is for its owner alone, with all its parts, and is one file after the end', async () => {
    const dir = await stateDirectory();
    const { opener, write } = open(dir);
    expect(await write(note(1))).toBe(true);
    expect((await readdir(dir)).toSorted()).toEqual(['history.sqlite', 'history.sqlite-wal']);
    for (const name of await readdir(dir)) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    opener.close();
    expect(await readdir(dir)).toEqual(['history.sqlite']);
  });

  it('has nothing of a forgotten phone in any of its bytes', async () => {
    const dir = await stateDirectory();
    const { opener, write } = open(dir);
    await write(...many(1, 300), note(500, 'OTHER1'));
    const bytes = async () =>
      (await Promise.all((await readdir(dir)).map((name) => readFile(join(dir, name), 'latin1')))).join();
    expect(await bytes()).toContain('PHONE7');
    const samples = [{ udid: 'PHONE7', at: 1, levelPercent: 3 }];
    await opener.write([{ kind: 'samples', samples }]);
    await opener.write([{ kind: 'forget', udids: ['PHONE7'] }]);
    expect(await bytes()).not.toContain('PHONE7');
    expect(await bytes()).toContain('OTHER1');
  });

  it('that could not be used has what happened to its phones meanwhile: one is forgotten, one has another udid', async () => {
    const dir = await stateDirectory();
    const one = open(dir);
    await one.write(note(1, 'GONE'), note(2, 'FORMER'), note(3, 'OTHER'));
    const two = open(dir);
    expect(await two.write(note(4, 'GONE'))).toBe(false);
    const changes = [
      { kind: 'forget' as const, udids: ['GONE'] },
      { kind: 'renamed' as const, from: 'FORMER', to: 'LATTER' },
    ];
    expect(await two.opener.write(changes)).toBe(false);
    one.opener.close();
    two.pass(10_000);
    const udids = await two.opener.ask((store) => store.events().map(({ udid }) => udid));
    expect(udids).toEqual(['OTHER', 'LATTER']);
    two.opener.close();
    expect((await readFile(join(dir, 'history.sqlite'))).includes('GONE')).toBe(false);
  });

  it('that was damaged and set aside goes when a phone is forgotten', async () => {
    const dir = await stateDirectory();
    await writeFile(join(dir, 'history.sqlite'), 'not SQLite, with PHONE7'.repeat(100));
    const { opener, write } = open(dir);
    await write(note(1));
    expect((await readdir(dir)).filter((name) => name.includes('damaged'))).toHaveLength(1);
    await opener.write([{ kind: 'forget', udids: ['PHONE7'] }]);
    expect((await readdir(dir)).filter((name) => name.includes('damaged'))).toEqual([]);
  });

  it('of a newer version is left alone', async () => {
    const dir = await stateDirectory();
    const path = join(dir, 'history.sqlite');
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 99; CREATE TABLE events (other)');
    newer.close();
    const before = await readFile(path);
    const { opener, said, write, pass, times: kept } = open(dir);
    expect(await write(note(1))).toBe(false);
    pass(60_000);
    expect(await write(note(2))).toBe(false);
    expect(await kept()).toEqual([1, 2]);
    opener.close();
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(dir)).toEqual(['history.sqlite']);
    expect(said).toEqual([
      'error: history.sqlite was written by a newer hostnode (version 99, this one reads 1); the history is kept in memory, and is lost when the agent stops',
    ]);
  });

  it('of another agent is left to it, and used when that has ended', async () => {
    const dir = await stateDirectory();
    const one = open(dir);
    const two = open(dir);
    expect(await one.write(note(1))).toBe(true);
    expect(await two.write(note(2))).toBe(false);
    expect(await one.write(note(3))).toBe(true);
    one.opener.close();
    two.pass(10_000);
    expect(await two.write(note(4))).toBe(true);
    expect(await two.times()).toEqual([1, 3, 2, 4]);
    expect(two.said).toEqual([
      'error: history.sqlite cannot be used (another agent uses it); the history is kept in memory, and is lost when the agent stops',
      'info: history.sqlite can be used again',
    ]);
  });

  it('is begun anew where somebody removed or moved it, and nothing is written into the void', async () => {
    const dir = await stateDirectory();
    const { write, times: kept, pass, said } = open(dir);
    await write(note(1));
    await rename(dir, `${dir}-moved`);
    endings.push(() => rm(`${dir}-moved`, { recursive: true }));
    pass(10_000);
    expect(await write(note(2))).toBe(false);
    await mkdir(dir);
    pass(10_000);
    expect(await write(note(3))).toBe(true);
    expect(await kept()).toEqual([2, 3]);
    await rm(join(dir, 'history.sqlite'));
    pass(10_000);
    expect(await write(note(4))).toBe(true);
    expect(await kept()).toEqual([4]);
    expect(said).toEqual([
      'error: history.sqlite cannot be used (no such file or directory); the history is kept in memory, and is lost when the agent stops',
      'info: history.sqlite can be used again',
    ]);
  });

  it.each([
    [0, []],
    [99, [expect.stringContaining('is damaged (it has 99 bytes)')]],
  ])('that was cut to %i bytes begins anew, which is said where anything is left', async (bytes, words) => {
    const stateDir = await stateDirectory();
    const before = open(stateDir);
    await before.write(note(1));
    before.opener.close();
    await truncate(join(stateDir, 'history.sqlite'), bytes);
    const { write, times: found, said } = open(stateDir);
    expect(await write(note(2))).toBe(true);
    expect(await found()).toEqual([2]);
    expect(said).toEqual(words);
  });

  it('that is new, or whole, begins without a word', async () => {
    const stateDir = await stateDirectory();
    for (const _ of ['first', 'second']) {
      const { said, write, opener } = open(stateDir);
      await write(note(1));
      opener.close();
      expect(said).toEqual([]);
    }
  });

  it('is another one after a reload with another state directory', async () => {
    const [dir, other] = [await stateDirectory(), await stateDirectory()];
    const { opener, settings, write, times: kept } = open(dir);
    await write(note(1));
    opener.use({ ...settings, stateDir: other });
    expect(await write(note(2))).toBe(true);
    expect(await kept()).toEqual([2]);
    opener.use(settings);
    expect(await kept()).toEqual([1]);
  });
});

describe('without a state directory', () => {
  it('the history is in memory', async () => {
    const { write, said, times: kept } = open();
    expect(await write(note(1))).toBe(true);
    expect(await kept()).toEqual([1]);
    expect(said).toEqual([]);
  });

  it('memory is a stopgap where one is wanted, and moves into it', async () => {
    const { write, settings, opener, times: kept } = open();
    opener.use({ ...settings, isStopgap: true });
    expect(await write(note(1))).toBe(false);
    opener.use({ ...settings, stateDir: await stateDirectory() });
    expect(await write(note(2))).toBe(true);
    expect(await kept()).toEqual([1, 2]);
  });
});

describe('a damaged file', () => {
  it('is set aside, and a new one begun', async () => {
    const dir = await stateDirectory();
    await writeFile(
      join(dir, 'history.sqlite'),
      'not a database, but a text that is long enough for a header'.repeat(20),
    );
    const { write, said, times: kept } = open(dir);
    expect(await write(note(1))).toBe(true);
    expect(await kept()).toEqual([1]);
    expect(said.join()).toMatch(
      /^error: history.sqlite is damaged; it was set aside as history.sqlite.damaged-\S+; a new history begins$/,
    );
    expect((await readdir(dir)).filter((name) => name.includes('damaged'))).toHaveLength(1);
  });

  it('of another program, or what is no file, is set aside', async () => {
    const dir = await stateDirectory();
    const foreign = new DatabaseSync(join(dir, 'history.sqlite'));
    foreign.exec('CREATE TABLE events (other)');
    foreign.close();
    const { write, said, opener } = open(dir);
    expect(await write(note(1))).toBe(true);
    expect(said.join()).toContain('is the database of another program; it was set aside');
    opener.close();
    await rm(join(dir, 'history.sqlite'));
    await mkdir(join(dir, 'history.sqlite'));
    const second = open(dir);
    expect(await second.write(note(1))).toBe(true);
    expect(second.said.join()).toContain('is damaged (not a file); it was set aside');
  });

  it.each([
    ['a negative version', 'PRAGMA user_version = -3'],
    ['no samples', 'DROP TABLE samples'],
    ['a number that JavaScript has not', `UPDATE sqlite_sequence SET seq = ${2n ** 62n}`],
    ['a time that JavaScript has not', `UPDATE events SET at = ${2n ** 62n} WHERE at = 1`],
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END'],
    [
      'a view that never ends',
      `ALTER TABLE events RENAME TO former; CREATE VIEW events AS WITH RECURSIVE c(id) AS
        (VALUES(1) UNION ALL SELECT id + 1 FROM c) SELECT id FROM c`,
    ],
  ])('with %s is set aside, and a new one begun', async (_, sql) => {
    const dir = await stateDirectory();
    const former = open(dir);
    await former.write(note(1), note(2));
    former.opener.close();
    const database = new DatabaseSync(join(dir, 'history.sqlite'));
    database.exec(sql);
    database.close();
    const { write, times, opener, said } = open(dir);
    await opener.ask((store) => store.events()).catch(() => {});
    // a write that comes upon the damage finds a new file at its next attempt
    expect(await write(note(9)).catch(() => write(note(9)))).toBe(true);
    expect(await times()).toEqual([9]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('it was set aside');
  });

  it('that was cut short while it is used is found when it does not take what SQLite has in its log', async () => {
    const dir = await stateDirectory();
    const { write, times, said } = open(dir);
    await write(...many(0, 2000));
    const path = join(dir, 'history.sqlite');
    await truncate(path, Math.round((await stat(path)).size / 2));
    expect(await write(note(9000)).catch(() => write(note(9000)))).toBe(true);
    expect(await times()).toContain(9000);
    expect(said.join()).toMatch(/damaged.*it was set aside/);
  });

  it('at any byte gives no event that was never written, and takes new ones', async () => {
    const dir = await stateDirectory();
    const path = join(dir, 'history.sqlite');
    const first = open(dir);
    await first.write(...many(0, 60));
    first.opener.close();
    const whole = await readFile(path);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }));
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        run += 1;
        const folder = join(dir, String(run));
        await mkdir(folder);
        const bytes = Buffer.from(whole);
        for (const [at, mask] of changes) bytes[at] = (bytes[at] ?? 0) ^ mask;
        await writeFile(join(folder, 'history.sqlite'), bytes);
        const later = open(folder);
        const known = new Set(many(0, 60).map((event) => JSON.stringify(event)));
        const before = await later.opener.ask((store) => store.events());
        for (const { id, ...event } of before) {
          expect(known.has(JSON.stringify(admittedOrder(event)))).toBe(true);
          expect(event.at).toBe(id - 1);
        }
        const written = await later.write(note(777));
        const after = await later.times();
        if (written) expect(after.filter((at) => at === 777)).toHaveLength(1);
        later.opener.close();
        await rm(folder, { recursive: true });
      }),
      { numRuns: 25 },
    );
  });
});

/** With the keys in the order of `note`. */
const admittedOrder = (event: NewEvent) =>
  event.kind === 'note'
    ? { kind: event.kind, udid: event.udid, at: event.at, text: event.text, where: event.where }
    : event;
