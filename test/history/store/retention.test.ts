import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/history/events/event.ts';
import { openDatabase } from '../../../src/history/store/database.ts';
import type { Change } from '../../../src/history/store/history.ts';
import { Store } from '../../../src/history/store/store.ts';
import { DAY_MS } from '../../support/history-days.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2027, 5, 1, 12);
const usual = { days: 90, mostBytes: 1e9 };

const newStore = () => new Store(openDatabase(':memory:'), () => NOW);
const write = (store: Store, ...changes: Change[]) => store.write(changes);

const note = (at: number, text = ''): NewEvent => ({ kind: 'note', udid: 'A', at, text, where: {} });
const attached = (udid: string, at: number): NewEvent => ({
  ...{ kind: 'attached', udid, at, state: 'device' },
  where: { usbPath: '1-9' },
});
const agesMs = fc.array(fc.integer({ min: 0, max: 100 * DAY_MS }), { maxLength: 60 });

describe('samples', () => {
  it('are one of each five minutes for a week, and the newest of each hour before', () => {
    fc.assert(
      fc.property(agesMs, (ages) => {
        const store = newStore();
        const times = ages.map((age) => NOW - age);
        for (const at of times)
          write(store, { kind: 'samples', samples: [{ udid: 'A', at, storageUsedBytes: at }] });
        store.keepWithin({ ...usual, now: NOW });
        const bucket = (at: number) => Math.floor(at / (5 * MINUTE_MS)) * 5 * MINUTE_MS;
        const fineFrom = Math.floor((NOW - 7 * DAY_MS) / HOUR_MS) * HOUR_MS;
        const kept = new Map<number, number>(); // by five minutes: the fullest
        for (const at of times) kept.set(bucket(at), Math.max(at, kept.get(bucket(at)) ?? 0));
        const newest = new Map<number, number>(); // by hour, or five minutes
        for (const at of [...kept.keys()].sort((one, other) => one - other)) {
          if (at < NOW - 90 * DAY_MS) continue;
          newest.set(at < fineFrom ? Math.floor(at / HOUR_MS) * HOUR_MS : at, at);
        }
        const expected = [...newest.values()].map((at) => ({ at, storageUsedBytes: kept.get(at) }));
        expect(store.samples('A', 0)).toEqual(expected);
        store.keepWithin({ ...usual, now: NOW });
        expect(store.samples('A', 0)).toEqual(expected);
        store.close();
      }),
      { numRuns: 60 },
    );
  });

  it('of a clock that was ahead are left out, and erased', () => {
    const store = newStore();
    const samples = [NOW, NOW + 400 * DAY_MS].map((at) => ({ udid: 'A', at, levelPercent: 1 }));
    write(store, { kind: 'samples', samples });
    expect(store.samples('A', 0)).toHaveLength(1);
    store.keepWithin({ ...usual, now: NOW });
    expect(store.samples('A', 0)).toHaveLength(1);
  });
});

describe('events', () => {
  it('are erased when they are older than the days that are kept', () => {
    fc.assert(
      fc.property(agesMs, (ages) => {
        const store = newStore();
        write(store, { kind: 'events', events: ages.map((age) => note(NOW - age)) });
        store.keepWithin({ ...usual, now: NOW });
        expect(
          store
            .events()
            .map(({ at }) => at)
            .toReversed(),
        ).toEqual(ages.filter((age) => age <= 90 * DAY_MS).map((age) => NOW - age));
        store.close();
      }),
      { numRuns: 30 },
    );
  });

  it('stay whatever their age is, while the clock may be wrong', () => {
    const store = newStore();
    write(store, { kind: 'events', events: [note(0)] });
    store.keepWithin(usual);
    expect(store.events()).toHaveLength(1);
  });
});

describe('the file', () => {
  it('stays below its limit, and has the newest events', () => {
    const dir = mkdtempSync(join(tmpdir(), 'hostnode-upkeep-'));
    const path = join(dir, 'history.sqlite');
    const store = new Store(openDatabase(path), () => NOW);
    const mostBytes = 4 * 1024 ** 2;
    let largest = 0;
    let count = 0;
    for (let batch = 0; batch < 12; batch++) {
      const events = Array.from({ length: 500 }, () => note(NOW + count++, '😀'.repeat(400)));
      write(store, { kind: 'events', events });
      store.keepWithin({ ...usual, mostBytes });
      expect(statSync(path).size).toBeLessThanOrEqual(mostBytes);
      largest = Math.max(largest, statSync(path).size + statSync(`${path}-wal`).size);
    }
    // what the configuration leaves for SQLite's log, and for a batch that comes
    expect(largest).toBeLessThanOrEqual(mostBytes + 8 * 1024 ** 2);
    const kept = store.events();
    expect(kept.length).toBeGreaterThan(1000);
    expect(kept.map(({ at }) => at)).toEqual(kept.map((_, index) => NOW + count - 1 - index));
    store.close();
    rmSync(dir, { recursive: true });
  });

  it('that readings fill costs no events', () => {
    const store = newStore();
    const events = Array.from({ length: 50 }, (_, index) => attached('A', NOW + index));
    write(store, { kind: 'events', events });
    const sample = (at: number) => ({ udid: 'x'.repeat(100), at: at * 5 * MINUTE_MS, levelPercent: 50 });
    for (let batch = 0; batch < 40; batch++)
      write(store, {
        kind: 'samples',
        samples: Array.from({ length: 500 }, (_, index) => sample(batch * 500 + index)),
      });
    store.keepWithin({ ...usual, mostBytes: 1024 ** 2 });
    expect(store.events()).toHaveLength(50);
    expect(store.samples('x'.repeat(100), 0).at(-1)?.at).toBe(19_999 * 5 * MINUTE_MS);
    store.close();
  });
});
