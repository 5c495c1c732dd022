import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TimelineQuery, timelineOf } from '../../../src/diagnosis/explain/timeline-query.ts';
import type { RuleInput } from '../../../src/diagnosis/rule-input.ts';
import type { NewEvent } from '../../../src/history/events/event.ts';
import { MemoryHistory } from '../../support/memory-history.ts';

let history: MemoryHistory;
beforeEach(() => {
  history = new MemoryHistory();
});
afterEach(() => history.close());

const port = (number: number, slot?: string) => ({
  ...(slot !== undefined && { slot }),
  devpath: `1-4.${number}`,
  usbPath: `pci-0000:00:14.0-usb-0:4.${number}`,
  hub: 'pci-0000:00:14.0-usb-0:4',
});
const lost = (udid: string, at: number, number: number, slot?: string): NewEvent => ({
  ...{ kind: 'detached', udid, at, where: port(number, slot) },
});
const nowhere: TimelineQuery['places'] = { slots: [], usbPaths: [], hubs: [] };

const told = (query: Partial<TimelineQuery>) =>
  timelineOf(history.store, { of: {}, places: nowhere, since: 0, most: 100, ...query }).events.map(
    ({ kind, udid = '', at }) => `${at} ${kind} ${udid}`.trim(),
  );

describe('the timeline', () => {
  beforeEach(async () => {
    await history.record([
      lost('A', 1, 1, 'bay 1'),
      lost('B', 2, 2, 'bay 2'),
      { kind: 'adbLost', at: 3 },
      { kind: 'agentReloaded', at: 4 },
      { kind: 'note', at: 5, where: { slot: 'bay 1' }, text: 'new cable', by: 'anna' },
      { kind: 'note', at: 6, where: { hub: port(1).hub }, text: 'new hub' },
      { kind: 'note', at: 7, where: { slot: 'bay 9' }, text: 'elsewhere' },
      { kind: 'note', at: 8, udid: 'B', where: {}, text: 'of B' },
      lost('C', 9, 1, 'bay 1'),
    ]);
  });

  it('of a phone is its own, the host’s, and the notes on its places', () => {
    const { slot = '', usbPath, hub } = port(1, 'bay 1');
    expect(told({ of: { udids: ['A'] } })).toEqual(['3 adbLost', '1 detached A']);
    expect(
      told({ of: { udids: ['A'] }, places: { slots: [slot], usbPaths: [usbPath], hubs: [hub] } }),
    ).toEqual(['6 note', '5 note', '3 adbLost', '1 detached A']);
  });

  it('of the host is its own, and all notes on places', () => {
    expect(told({ of: { isOfNone: true } })).toEqual(['7 note', '6 note', '5 note', '3 adbLost']);
  });

  it('of a slot, a port or a hub has all phones that were there', () => {
    expect(told({ of: { slots: ['bay 1', 'bay 2'] } })).toEqual([
      ...['9 detached C', '5 note', '3 adbLost', '2 detached B', '1 detached A'],
    ]);
    expect(told({ of: { usbPath: port(1).usbPath } })).toEqual(['9 detached C', '3 adbLost', '1 detached A']);
    expect(told({ of: { hub: port(1).hub } })).toEqual([
      ...['9 detached C', '6 note', '3 adbLost', '2 detached B', '1 detached A'],
    ]);
  });

  it('begins where it is to, and says that there is more', () => {
    expect(told({ of: { udids: ['A'] }, since: 2 })).toEqual(['3 adbLost']);
    const query = { of: { udids: ['A'] }, places: nowhere, since: 0 };
    expect(timelineOf(history.store, { ...query, most: 1 })).toMatchObject({
      hasMore: true,
      events: [{ at: 3 }],
    });
    expect(timelineOf(history.store, { ...query, most: 2 }).hasMore).toBe(false);
  });

  it('has no note any more of a phone that is forgotten, and keeps those on places', async () => {
    await history.forget(['A', 'B', 'C']);
    expect(told({ of: { hub: port(1).hub } })).toEqual(['6 note', '3 adbLost']);
    expect(told({ of: { udids: ['B'] } })).toEqual(['3 adbLost']);
  });
});

describe('the blame for the last loss', () => {
  const now = Date.UTC(2026, 10, 22, 12);
  const udids = ['A', 'B', 'C', 'D', 'E'];
  const input: RuleInput = {
    at: now,
    isAdbListed: true,
    phones: udids.map((udid, index) => ({
      ...{ udid, serial: udid, name: `Phone ${udid}`, connection: 'usb', where: port(index + 1) },
      ...{ attached: false, state: 'disconnected', isInMaintenance: false },
    })),
  };
  const attached = (udid: string, at: number, number: number): NewEvent => ({
    ...{ kind: 'attached', state: 'device', udid, at, where: port(number) },
  });
  const queried = (of: TimelineQuery['of'], withInput = true) =>
    timelineOf(history.store, { of, places: nowhere, since: 0, most: 100, ...(withInput && { now: input }) });

  beforeEach(async () => {
    const lostAt = now - 60 * 60_000;
    await history.record([
      ...udids.map((udid, index) => attached(udid, lostAt - 86_400_000, index + 1)),
      ...udids.map((udid, index) => lost(udid, lostAt + index * 100, index + 1)),
    ]);
  });

  it('is that of the newest one, for a phone and for the hub', () => {
    const blame = { party: 'hub', key: port(1).hub, evidence: expect.arrayContaining([6, 10]) };
    const at = now - 60 * 60_000;
    expect(queried({ udids: ['A'] }).lost).toMatchObject({ at, udid: 'A', blame });
    expect(queried({ hub: port(1).hub }).lost).toMatchObject({ at: at + 400, udid: 'E', blame });
  });

  it('is nobody’s where nothing was lost, or the present is not known', () => {
    expect(queried({ udids: ['Z'] })).not.toHaveProperty('lost');
    expect(queried({ udids: ['A'] }, false)).not.toHaveProperty('lost');
  });
});

it('a note on a place is not the host’s own', async () => {
  await history.record([
    { kind: 'note', at: 5, where: { slot: 'bay 1' }, text: 'new cable' },
    { kind: 'adbLost', at: 6 },
  ]);
  const events = await history.events({ udids: ['A'], withHost: true });
  expect(events.map(({ kind }) => kind)).toEqual(['adbLost']);
});
