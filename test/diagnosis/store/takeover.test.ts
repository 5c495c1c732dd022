import { link, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keeper } from '../../../src/diagnosis/store/opener.ts';

let dir: string;
let said: string[];
const open = () =>
  new Keeper({ stateDir: dir, days: 90, maxMegabytes: 16 }, { say: (_, text) => said.push(text) });

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostnode-takeover-'));
  said = [];
});
afterEach(() => rm(dir, { recursive: true }));

const SAMPLE_MS = 5 * 60_000;
const earlier = {
  version: 1,
  phones: {
    A: {
      samples: [
        [10, 80, 251],
        [11, null, 260],
      ],
      happenings: [
        { at: 5000, what: 'adb: device', state: 'device' },
        { at: 4000, what: 'adb: unauthorized', state: 'unauthorized' },
        { at: 3000, what: 'unplugged: adb no longer lists it', state: 'disconnected' },
        { at: 2000, what: 'hot' },
        { at: 1000, what: 'adb: device', state: 'device' },
      ],
    },
    B: { samples: [], happenings: [{ at: 1500, what: 'adb: device', state: 'device' }] },
  },
};

describe('history.json of an earlier version', () => {
  it('is taken over once, with what has a kind, and is removed', async () => {
    const old = join(dir, 'history.json');
    await writeFile(old, JSON.stringify(earlier));
    const keeper = open();
    const usual = { udid: 'A', where: {} };
    const expected = [
      { id: 1, at: 1000, kind: 'attached', ...usual, state: 'device' },
      { id: 2, at: 1500, kind: 'attached', udid: 'B', where: {}, state: 'device' },
      { id: 3, at: 3000, kind: 'detached', ...usual },
      { id: 4, at: 4000, kind: 'attached', ...usual, state: 'unauthorized' },
      { id: 5, at: 5000, kind: 'state', ...usual, state: 'device', before: 'unauthorized' },
    ];
    expect(await keeper.ask((store) => store.events().toReversed())).toEqual(expected);
    expect(await keeper.ask((store) => store.samples('A', 0))).toEqual([
      { at: 10 * SAMPLE_MS, levelPercent: 80, temperatureDecicelsius: 251 },
      { at: 11 * SAMPLE_MS, temperatureDecicelsius: 260 },
    ]);
    expect(await readdir(dir)).not.toContain('history.json');
    keeper.close();
    const second = open();
    expect(await second.ask((store) => store.events().toReversed())).toEqual(expected);
    second.close();
    expect(said).toEqual([]);
  });

  it('that was taken over by an agent that was killed before it could remove it is not taken over again', async () => {
    const old = join(dir, 'history.json');
    await writeFile(old, JSON.stringify(earlier));
    const first = open();
    // as the file would be found after a kill: the database has it, and it is there
    await link(old, join(dir, 'kept'));
    await first.ask((store) => store.events());
    first.close();
    await link(join(dir, 'kept'), old);
    const second = open();
    expect(await second.ask((store) => store.events())).toHaveLength(5);
    second.close();
    expect(await readdir(dir)).toEqual(['history.sqlite', 'kept']);
  });

  it('that is damaged is set aside', async () => {
    await writeFile(join(dir, 'history.json'), '{"version":1,"phones":[]}');
    const keeper = open();
    expect(await keeper.ask((store) => store.events())).toEqual([]);
    keeper.close();
    expect(said.join()).toMatch(
      /history.json is damaged \(unexpected content at phones\); it was set aside as /,
    );
  });
});
