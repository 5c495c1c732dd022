import { describe, expect, it } from 'vitest';
import { MOST_OF_PLACE, RecentEvents } from '../../src/diagnosis/recent-events.ts';
import { LOOK_BACK_MS } from '../../src/diagnosis/rule.ts';
import type { NewEvent } from '../../src/history/events/event.ts';
import { MemoryHistory } from '../support/memory-history.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

const lost = (udid: string, at: number): NewEvent => ({
  kind: 'detached',
  udid,
  at,
  where: { slot: 'bay 4', usbPath: '1-4.2', hub: '1-4', devpath: '1-4.2' },
});

function opened(now = NOW) {
  const history = new MemoryHistory(() => now);
  return { history, recent: new RecentEvents(history.store) };
}

const told = (recent: RecentEvents, now = NOW) => recent.until(now).map(({ id, udid }) => [id, udid]);

describe('the events of an evaluation', () => {
  it('are those of the last 30 days, oldest first, also the host’s', async () => {
    const { history, recent } = opened();
    await history.record([lost('OLD', NOW - LOOK_BACK_MS - 1), lost('A', NOW - LOOK_BACK_MS)]);
    await history.record([{ kind: 'adbLost', at: NOW - 1 }]);
    expect(told(recent)).toEqual([
      [2, 'A'],
      [3, undefined],
    ]);
    expect(recent.until(NOW)[0]).toEqual({ id: 2, ...lost('A', NOW - LOOK_BACK_MS) });
  });

  it('are followed: new ones come, old ones go', async () => {
    const { history, recent } = opened();
    await history.record([lost('A', NOW - LOOK_BACK_MS), lost('B', NOW)]);
    expect(told(recent)).toHaveLength(2);
    await history.record([lost('C', NOW + 1)]);
    expect(told(recent, NOW + 1)).toEqual([
      [2, 'B'],
      [3, 'C'],
    ]);
  });

  it('are all read, however many there are', async () => {
    const { history, recent } = opened();
    for (let hundred = 0; hundred < 45; hundred += 1)
      await history.record(Array.from({ length: 100 }, () => lost('A', NOW)));
    const ids = recent.until(NOW).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 4500 }, (_, index) => index + 1));
  });

  it('are the newest of a port that has too many, whatever phones it names, and all of the others', async () => {
    const { history, recent } = opened();
    const other: NewEvent = { kind: 'detached', udid: 'B', at: NOW, where: { usbPath: '1-9' } };
    const flood = (count: number) =>
      history.record(Array.from({ length: count }, (_, index) => lost(`A${index % 7}`, NOW)));
    await history.record([other]);
    await flood(MOST_OF_PLACE + 2100);
    const first = told(recent);
    expect(first).toHaveLength(MOST_OF_PLACE + 1);
    expect(first[0]).toEqual([1, 'B']);
    await flood(3);
    const then = told(recent);
    expect(then).toHaveLength(MOST_OF_PLACE + 1);
    expect([then[0], then.at(-1)?.[0]]).toEqual([[1, 'B'], MOST_OF_PLACE + 2104]);
    // the thread starts again
    expect(new RecentEvents(history.store).until(NOW).map(({ id }) => id)).toContain(1);
  });

  it('follow a phone that is forgotten or has another udid', async () => {
    const { history, recent } = opened();
    await history.record([lost('A', NOW), lost('B', NOW)]);
    expect(told(recent)).toHaveLength(2);
    await history.forget(['A']);
    expect(told(recent)).toEqual([[2, 'B']]);
    history.renamed('B', 'C');
    expect(told(recent)).toEqual([[2, 'C']]);
  });

  it('hold an equal place once', async () => {
    const { history, recent } = opened();
    await history.record([lost('A', NOW), lost('A', NOW)]);
    const [one, other] = recent.until(NOW);
    expect(one?.where).toBe(other?.where);
  });
});
