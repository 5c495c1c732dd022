import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewEvent, SampleFilter } from '../../../src/history/events/event.ts';
import { admitted } from '../../../src/history/events/event.ts';
import { openDatabase } from '../../../src/history/store/database.ts';
import type { Change, EventQuery } from '../../../src/history/store/history.ts';
import { Store } from '../../../src/history/store/store.ts';
import { anyText } from '../../support/any-text.ts';
import { DAY_MS } from '../../support/history-days.ts';

const newStore = (now = () => 100 * DAY_MS) => new Store(openDatabase(':memory:'), now);

const write = (store: Store, ...changes: Change[]) => store.write(changes);

const lost = (udid: string, at: number, where = {}): NewEvent => ({ kind: 'detached', udid, at, where });
const attached = (udid: string, at: number): NewEvent => ({
  kind: 'attached',
  udid,
  at,
  state: 'device',
  where: {},
});
const started = (at: number): NewEvent => ({ kind: 'agentStarted', at, version: '1.0.0' });

const text = anyText({ maxLength: 400 });
const anyEvent: fc.Arbitrary<NewEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('attached' as const),
    at: fc.integer(),
    udid: text,
    state: text,
    where: fc.record({ slot: text, hub: text }, { requiredKeys: [] }),
  }),
  fc.record({
    kind: fc.constant('note' as const),
    at: fc.integer(),
    text,
    by: text,
    where: fc.record({ usbPath: text }),
  }),
  fc.record({ kind: fc.constant('cloudLost' as const), at: fc.integer(), code: text }),
);

describe('events', () => {
  it('come back as they were recorded, whatever their texts are, in their order', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const store = newStore();
        const kept = events.flatMap((event) => admitted(event) ?? []);
        write(store, { kind: 'events', events: kept });
        expect(store.events().toReversed()).toEqual(
          kept.map((event, index) => ({ ...event, id: index + 1 })),
        );
        store.close();
      }),
    );
  });

  it('are those of the query', () => {
    const store = newStore();
    const place = { slot: 'bay 4', usbPath: 'pci-usb-0:4.2', hub: 'pci-usb-0:4' };
    const note: NewEvent = { kind: 'note', at: 5, text: 'new cable', where: { slot: 'bay 4' } };
    const events = [lost('A', 1, place), lost('B', 2), started(3), lost('A', 4), note];
    write(store, { kind: 'events', events });
    const ids = (query: EventQuery) => {
      const all = store.events(query).map(({ id }) => id);
      // with a limit each place is looked up by itself
      expect(store.events({ limit: 100, ...query }).map(({ id }) => id)).toEqual(all);
      return all;
    };
    expect(ids({})).toEqual([5, 4, 3, 2, 1]);
    expect(ids({ udids: ['A'] })).toEqual([4, 1]);
    expect(ids({ udids: ['A'], withHost: true })).toEqual([4, 3, 1]);
    expect(ids({ udids: [] })).toEqual([]);
    expect(ids({ slots: ['bay 4'] })).toEqual([5, 1]);
    expect(ids({ slots: ['bay 4'], withHost: true })).toEqual([5, 3, 1]);
    expect(ids({ usbPath: place.usbPath })).toEqual([1]);
    expect(ids({ kinds: ['agentStarted', 'note'] })).toEqual([5, 3]);
    for (const hub of ['pci-usb-0', 'pci-usb-0:', 'pci-usb-0:40', 'pci-usb-0:4.2'])
      expect(ids({ hub })).toEqual([]);
    const below = lost('D', 6, { hub: 'pci-usb-0:4.1.3' });
    write(store, { kind: 'events', events: [below] });
    expect(ids({ hub: place.hub })).toEqual([6, 1]);
    expect(ids({ since: 2, before: 5, limit: 2 })).toEqual([4, 3]);
    expect(ids({ udids: ['A', 'B'], since: 2, before: 5, limit: 2 })).toEqual([4, 2]);
  });

  it('of a place that flaps are looked at as far as one question may go, and no other place suffers', () => {
    const store = newStore();
    const note = (udid: string): NewEvent => ({ kind: 'note', udid, at: 1, text: udid, where: {} });
    write(store, { kind: 'events', events: [note('flaps'), note('calm')] });
    const flaps = Array.from({ length: 50_000 }, (_, at) => lost('flaps', at, { hub: 'pci-usb-0:4' }));
    write(store, { kind: 'events', events: flaps });
    const notes = (udid: string, before?: number) =>
      store.events({ udids: [udid], kinds: ['note'], before, limit: 10 }).map(({ id }) => id);
    expect(notes('calm')).toEqual([2]);
    expect(notes('flaps')).toEqual([]);
    expect(notes('flaps', 50_000)).toEqual([1]);
    expect(store.events({ hub: 'pci-usb-0', limit: 1 })).toEqual([]);
  });

  it('keep their order under a clock that is set back, and no id is given twice', () => {
    const store = newStore();
    write(store, { kind: 'events', events: [lost('A', 2 * DAY_MS), lost('B', DAY_MS)] });
    write(store, { kind: 'forget', udids: ['B'] });
    write(store, { kind: 'events', events: [lost('C', 0)] });
    expect(store.events().map(({ id, udid }) => [id, udid])).toEqual([
      [3, 'C'],
      [1, 'A'],
    ]);
  });

  it('know when the agent before was alive', () => {
    let now = 1;
    const store = newStore(() => now);
    write(store, { kind: 'events', events: [started(1)] });
    now = 60_000;
    write(store, { kind: 'alive' });
    now = 90_000;
    write(store, { kind: 'events', events: [started(90_000)] });
    expect(store.events()).toEqual([
      { ...started(90_000), lastAliveAt: 60_000, id: 2 },
      { ...started(1), id: 1 },
    ]);
  });

  it('say how each phone was left', () => {
    const store = newStore();
    const note: NewEvent = { kind: 'note', udid: 'A', at: 4, text: 'x', where: {} };
    write(store, { kind: 'events', events: [lost('A', 1), lost('B', 2), attached('A', 3), note] });
    expect(store.lastStates().map(({ id }) => id)).toEqual([2, 3]);
  });
});

describe('a batch', () => {
  it('is written as a whole, or not at all', () => {
    const store = newStore();
    const bad = { ...lost('B', 2), at: Number.NaN };
    expect(() => write(store, { kind: 'events', events: [lost('A', 1), bad] })).toThrow('NOT NULL');
    expect(store.events()).toEqual([]);
    write(store, { kind: 'events', events: [lost('C', 3)] });
    expect(store.events()).toEqual([{ ...lost('C', 3), id: 1 }]);
  });
});

describe('samples', () => {
  it('are, of five minutes, the worst that was read of each', () => {
    const store = newStore();
    const usual = { udid: 'A', levelPercent: 80, temperatureDecicelsius: 300, isFull: false };
    const read: object[] = [
      { at: 1, storageUsedBytes: 7 },
      { at: 2, levelPercent: 3, storageUsedBytes: 5 },
      { at: 3, temperatureDecicelsius: 610, levelPercent: undefined, storageUsedBytes: undefined },
      { at: 4, isFull: true },
    ];
    for (const each of read) write(store, { kind: 'samples', samples: [{ ...usual, at: 0, ...each }] });
    expect(store.samples('A', 0)).toEqual([
      { at: 0, levelPercent: 3, temperatureDecicelsius: 610, isFull: true, storageUsedBytes: 7 },
    ]);
  });
});

describe('a phone', () => {
  it('takes its past to another udid', () => {
    const store = newStore();
    write(store, { kind: 'events', events: [lost('A', 1), lost('B', 2)] });
    write(store, { kind: 'samples', samples: [{ udid: 'A', at: 0, levelPercent: 50 }] });
    write(store, { kind: 'renamed', from: 'A', to: 'C' });
    expect(store.events({ udids: ['C'] })).toEqual([{ ...lost('C', 1), id: 1 }]);
    expect(store.events({ udids: ['A'] })).toEqual([]);
    expect(store.samples('C', 0)).toEqual([{ at: 0, levelPercent: 50 }]);
  });

  it('takes more of it along than is read at once, in its order', () => {
    const store = newStore();
    const events = Array.from({ length: 1201 }, (_, at) => lost('A', at));
    write(store, { kind: 'events', events });
    write(store, { kind: 'renamed', from: 'A', to: 'C' });
    expect(store.events({ udids: ['C'] }).map(({ at }) => at)).toEqual(events.map(({ at }) => at).reverse());
  });

  it('that flaps for weeks has the uptime of the newest days: all of it does not fit into memory', () => {
    const store = newStore();
    const flaps = (count: number, at: number) => {
      const events = Array.from({ length: count / 2 }, () => [attached('A', at), lost('A', at)]).flat();
      write(store, { kind: 'events', events });
    };
    flaps(1000, 90 * DAY_MS);
    flaps(20_000, 99 * DAY_MS);
    const losses = store.uptime('A', 20).map((day) => day.losses);
    expect(losses.reduce((sum, count) => sum + count)).toBe(10_000);
  });

  it('is forgotten with all that is kept of it', () => {
    const store = newStore();
    write(store, { kind: 'events', events: [lost('A', 1), lost('B', 2)] });
    write(store, { kind: 'samples', samples: [{ udid: 'A', at: 0, levelPercent: 50 }] });
    write(store, { kind: 'forget', udids: ['A'] });
    expect(store.events().map(({ udid }) => udid)).toEqual(['B']);
    expect(store.samples('A', 0)).toEqual([]);
  });
});

describe('readings', () => {
  it('are given by time, and by what a judge looks for', () => {
    const store = newStore();
    const minute = 60_000;
    const reading = (at: number, temperatureDecicelsius?: number, isFull?: boolean) => ({
      udid: 'A',
      at: at * minute,
      ...(temperatureDecicelsius !== undefined && { temperatureDecicelsius }),
      ...(isFull !== undefined && { isFull }),
    });
    write(store, {
      kind: 'samples',
      samples: [
        reading(0, 410, true),
        reading(5, 399, true),
        reading(10, 420, false),
        reading(15),
        reading(20, 400, true),
      ],
    });
    const minutes = (...which: [since: number, only?: SampleFilter]) =>
      store.samples('A', ...which).map(({ at }) => at / minute);
    expect(minutes(0)).toEqual([0, 5, 10, 15, 20]);
    expect(minutes(5 * minute, { until: 15 * minute })).toEqual([5, 10, 15]);
    expect(minutes(0, { isFull: true })).toEqual([0, 5, 20]);
    expect(minutes(0, { leastDecicelsius: 400 })).toEqual([0, 10, 20]);
    expect(minutes(0, { isFull: true, leastDecicelsius: 400 })).toEqual([0, 20]);
  });
});

describe('what is no event', () => {
  const phone = { udid: 'A', at: 1, where: {} };
  it.each([
    ['a kind that we do not know', { ...phone, kind: 'exploded' }],
    ['a kind that every object has', { ...phone, kind: 'constructor' }],
    ['a time that is none', { ...phone, kind: 'detached', at: Number.NaN }],
    ['a time that no date has', { ...phone, kind: 'detached', at: 9e15 }],
    ['a phone without udid', { ...phone, kind: 'detached', udid: '' }],
    ['a phone without place', { kind: 'detached', udid: 'A', at: 1 }],
    ['a place that is a number', { ...phone, kind: 'detached', where: { slot: 4 } }],
    ['a state that is missing', { ...phone, kind: 'attached' }],
    ['a health that Android does not know', { ...phone, kind: 'batteryHealth', health: 'FINE' }],
    ['a host’s event with a phone', { ...phone, kind: 'adbBack' }],
    ['an uptime that is a text', { ...phone, kind: 'rebooted', uptimeSeconds: '31' }],
  ])('%s', (_, event) => {
    expect(admitted(event as unknown as NewEvent)).toBeUndefined();
  });

  it('and keys that no such event has are left out', () => {
    const detached = { ...phone, kind: 'detached', imei: '1', where: { slot: 'a', more: 1 } };
    expect(admitted(detached as unknown as NewEvent)).toEqual({
      ...{ kind: 'detached', udid: 'A', at: 1, where: { slot: 'a' } },
    });
  });
});

describe('what is admitted', () => {
  it('is cut to its limits', () => {
    const note = admitted({
      kind: 'note',
      udid: 'A',
      at: 1.4,
      text: `${'x'.repeat(999)}😀`,
      by: 'y'.repeat(9999),
      where: {},
    });
    expect(note).toEqual({
      kind: 'note',
      udid: 'A',
      at: 1,
      text: `${'x'.repeat(999)}\ufffd`,
      by: 'y'.repeat(300),
      where: {},
    });
  });

  it('has a time, and a phone where it is about one', () => {
    expect(admitted(lost('A', Number.NaN))).toBeUndefined();
    expect(admitted(lost('', 1))).toBeUndefined();
    expect(admitted({ kind: 'adbBack', at: 1 })).toEqual({ kind: 'adbBack', at: 1 });
  });
});
