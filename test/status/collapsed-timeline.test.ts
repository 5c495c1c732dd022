import { describe, expect, it } from 'vitest';
import type { HistoryEvent, NewEvent } from '../../src/history/events/event.ts';
import { collapsedTimeline } from '../../src/status/collapsed-timeline.ts';

const morning = new Date(2026, 10, 22, 9).getTime();
const minutes = (count: number) => morning + count * 60_000;
const where = { slot: 'bay 4' };

type Happening = NewEvent extends infer E
  ? E extends unknown
    ? Omit<E, 'at' | 'where' | 'udid'>
    : never
  : never;

/** Events from what happened in which minute, oldest first; returned newest first. */
function story(...happenings: [minute: number, happening: object, udid?: string | null][]): HistoryEvent[] {
  return happenings
    .map(([minute, happening, udid = 'A'], index) => ({
      id: index + 1,
      at: minutes(minute),
      ...(udid !== null && { udid, where }),
      ...happening,
    }))
    .toReversed() as HistoryEvent[];
}

const lost = { kind: 'detached' } satisfies Happening;
const back = { kind: 'attached', state: 'device' } satisfies Happening;
const texts = (events: HistoryEvent[]) => collapsedTimeline(events).map(({ text }) => text);
const flaps = (count: number, from = 0, udid?: string): [number, object, string?][] =>
  Array.from({ length: count }, (_, each) => [
    [from + each * 10, lost, udid] as [number, object, string?],
    [from + each * 10 + 3, back, udid] as [number, object, string?],
  ]).flat();

describe('collapsedTimeline', () => {
  it('tells what happens again and again in one line', () => {
    expect(collapsedTimeline(story(...flaps(7)))).toEqual([
      {
        id: 14,
        at: minutes(63),
        kind: 'detached',
        text: 'lost and back 7 times between 09:00 and 10:03, longest 3 min',
        count: 7,
        from: minutes(0),
        udid: 'A',
        slot: 'bay 4',
      },
    ]);
  });

  it('tells one by one what happens twice, and a loss that lasts', () => {
    expect(collapsedTimeline(story(...flaps(2)))).toHaveLength(4);
    expect(texts(story(...flaps(3), [40, lost]))).toEqual([
      'lost: adb no longer lists it',
      'lost and back 3 times between 09:00 and 09:23, longest 3 min',
    ]);
  });

  it('counts being offline as a loss, and leaves out what adb says between', () => {
    const offline = { kind: 'state', state: 'offline', before: 'device' };
    const again = { kind: 'state', state: 'device', before: 'offline' };
    const waits = { kind: 'attached', state: 'authorizing' };
    expect(
      texts(story([0, offline], [1, again], [2, lost], [3, waits], [4, again], [5, lost], [6, back])),
    ).toEqual(['lost and back 3 times between 09:00 and 09:06, longest 2 min']);
  });

  it('keeps what it says after it came back, and counts restarts', () => {
    const restarted = { kind: 'rebooted', reason: 'kernel_panic' };
    const unauthorized = { kind: 'state', state: 'unauthorized', before: 'device' };
    const loop = [0, 10, 20].flatMap((from): [number, object][] => [
      [from, lost],
      [from + 3, back],
      [from + 4, restarted],
    ]);
    expect(texts(story(...loop, [40, unauthorized]))).toEqual([
      'adb says unauthorized, before: device',
      'lost and back 3 times between 09:00 and 09:23, longest 3 min, restarted 3 times',
    ]);
  });

  it('does not reach over a note, a maintenance or midnight', () => {
    const note = { kind: 'note', text: 'swapped the cable', by: 'anna' };
    expect(texts(story(...flaps(3), [35, note], ...flaps(3, 40)))).toEqual([
      'lost and back 3 times between 09:40 and 10:03, longest 3 min',
      'note by anna: swapped the cable',
      'lost and back 3 times between 09:00 and 09:23, longest 3 min',
    ]);
    expect(texts(story(...flaps(3, 15 * 60 - 12)))).toHaveLength(6);
  });

  it('tells of phones that went together as one, and names some', () => {
    const udids = ['A', 'B', 'C', 'D', 'E', 'F'];
    const all = (minute: number, what: object) =>
      udids.map((udid): [number, object, string] => [minute, what, udid]);
    const called = (events: HistoryEvent[]) =>
      collapsedTimeline(events, (udid) => `Phone ${udid}`).map(({ text, udid }) => [text, udid]);
    expect(called(story(...all(0, lost)))).toEqual([
      ['6 phones lost within 1 s: Phone A, Phone B, Phone C, Phone D and 2 more', undefined],
    ]);
    const thrice = [0, 10, 20].flatMap((minute) => [...all(minute, lost), ...all(minute + 2, back)]);
    expect(texts(story(...thrice))).toEqual([
      'up to 6 phones lost and back 3 times between 09:00 and 09:22, longest 2 min',
    ]);
  });

  it('tells apart what belongs to different phones, to adb and to the cloud', () => {
    const host = (minute: number, kind: string): [number, object, null] => [minute, { kind }, null];
    const refusals = [0, 10, 20].flatMap((minute): [number, object][] => [
      [minute, { kind: 'refused', said: 'no licence' }],
      [minute + 1, { kind: 'stored' }],
    ]);
    const servers = [0, 10, 20].flatMap((minute) => [host(minute, 'adbLost'), host(minute + 1, 'adbBack')]);
    const clouds = [0, 10, 20].flatMap((minute) => [
      host(minute, 'cloudLost'),
      host(minute + 1, 'cloudBack'),
    ]);
    const mixed = [...flaps(3, 0, 'A'), ...flaps(3, 5, 'B'), ...refusals, ...servers, ...clouds];
    expect(texts(story(...mixed)).toSorted()).toEqual([
      'lost and back 3 times between 09:00 and 09:23, longest 3 min',
      'lost and back 3 times between 09:05 and 09:28, longest 3 min',
      'rejected by the cloud and stored again 3 times between 09:00 and 09:21, longest 1 min',
      'the adb server stopped answering and came back 3 times between 09:00 and 09:21, longest 1 min',
      'the cloud stopped storing reports and began again 3 times between 09:00 and 09:21, longest 1 min',
    ]);
  });

  it('says no time below zero where the clock was set back', () => {
    expect(texts(story([50, lost], [3, back], [4, lost], [2, back], [6, lost], [7, back]))).toEqual([
      'lost and back 3 times between 09:02 and 09:50, longest 1 min',
    ]);
  });

  it('keeps the order of what happened, and never makes it longer', () => {
    const kinds = [lost, back, { kind: 'state', state: 'offline', before: 'device' }, { kind: 'stored' }];
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 200; round += 1) {
      const events = story(
        ...Array.from({ length: random(30) }, (): [number, object, string] => [
          random(2000),
          kinds[random(kinds.length)] ?? lost,
          'ABCD'[random(4)] ?? 'A',
        ]),
      );
      const entries = collapsedTimeline(events);
      expect(entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toSorted((a, b) => b - a));
      const collapsed = entries.filter(({ count }) => count !== undefined);
      expect(collapsed.every(({ count = 0 }) => count >= 3)).toBe(true);
      expect(entries.length).toBeLessThanOrEqual(events.length);
      if (events.length > 0) expect(entries.length).toBeGreaterThan(0);
    }
  });
});
