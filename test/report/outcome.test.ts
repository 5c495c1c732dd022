import { describe, expect, it } from 'vitest';
import {
  dueRefusals,
  nextRefusalDueMs,
  outcomeOf,
  type RefusalEvent,
  type Refusals,
} from '../../src/report/outcome.ts';

const none: Refusals = new Map();
const usual = { firstDelayMs: 2_000, mostRetries: 5 };

const settle = (
  refusals: Refusals,
  sent: string[],
  failed: { udid: string; message: string }[],
  nowMs: number,
  policy = usual,
) => outcomeOf(refusals, { sent, failedDevices: failed }, nowMs, policy);

const no = (udid: string, message = 'no room') => ({ udid, message });

describe('a device that the cloud refuses', () => {
  it('is sent again five times with growing delays, then given up once, then stored once', () => {
    let refusals = none;
    let nowMs = 0;
    const delays: number[] = [];
    const events: RefusalEvent[] = [];
    const answer = (failed: ReturnType<typeof no>[]) => {
      const settled = settle(refusals, ['A'], failed, nowMs);
      refusals = settled.refusals;
      events.push(...settled.events);
    };
    answer([no('A')]);
    for (let due = nextRefusalDueMs(refusals); due !== undefined; due = nextRefusalDueMs(refusals)) {
      delays.push(due - nowMs);
      expect(dueRefusals(refusals, due - 1)).toEqual([]);
      expect(dueRefusals(refusals, due)).toEqual(['A']);
      nowMs = due;
      answer([no('A')]);
    }
    // ordinary reports carry it now
    answer([no('A')]);
    answer([no('A')]);
    answer([]);
    answer([]);
    expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(events).toEqual([
      { kind: 'refused', udid: 'A', message: 'no room' },
      { kind: 'given up', udid: 'A', message: 'no room', count: 6 },
      { kind: 'stored', udid: 'A', count: 8, wasGivenUp: true },
    ]);
    expect(refusals).toEqual(none);
  });

  it('counts once although the answer names it twice', () => {
    const { refusals } = settle(none, ['A'], [no('A', 'first'), no('A', 'second')], 0);
    expect(refusals).toEqual(new Map([['A', { message: 'first', count: 1, retries: 0, retryAtMs: 2_000 }]]));
  });

  it('keeps its place while other devices are sent', () => {
    const first = settle(none, ['A', 'B'], [no('A')], 0);
    const second = settle(first.refusals, ['B'], [no('B')], 500);
    expect(second.refusals).toEqual(
      new Map([
        ['A', { message: 'no room', count: 1, retries: 0, retryAtMs: 2_000 }],
        ['B', { message: 'no room', count: 1, retries: 0, retryAtMs: 2_500 }],
      ]),
    );
    expect(dueRefusals(second.refusals, 2_000)).toEqual(['A']);
  });

  it('keeps its retries while ordinary reports carry it', () => {
    let { refusals } = settle(none, ['A'], [no('A')], 0);
    const events: RefusalEvent[] = [];
    const sentAlone: number[] = [];
    for (let nowMs = 1_000; nowMs <= 70_000; nowMs += 1_000) {
      const isDue = dueRefusals(refusals, nowMs).length > 0;
      if (isDue) sentAlone.push(nowMs);
      const settled = settle(refusals, ['A'], [no('A', isDue ? 'no room' : 'no room yet')], nowMs);
      refusals = settled.refusals;
      events.push(...settled.events);
    }
    expect(sentAlone).toEqual([2_000, 6_000, 14_000, 30_000, 62_000]);
    expect(events).toEqual([{ kind: 'given up', udid: 'A', message: 'no room', count: 63 }]);
    expect(refusals.get('A')).toEqual({ message: 'no room yet', count: 71, retries: 5 });
  });

  it('that is stored on a retry was not given up', () => {
    const { refusals } = settle(none, ['A'], [no('A')], 0);
    expect(settle(refusals, ['A'], [], 2_000).events).toEqual([
      { kind: 'stored', udid: 'A', count: 1, wasGivenUp: false },
    ]);
  });

  it('is given up at once where no retries are wanted', () => {
    const policy = { firstDelayMs: 2_000, mostRetries: 0 };
    expect(settle(none, ['A'], [no('A')], 0, policy)).toEqual({
      refusals: new Map([['A', { message: 'no room', count: 1, retries: 0 }]]),
      refused: new Set(['A']),
      events: [{ kind: 'given up', udid: 'A', message: 'no room', count: 1 }],
      unsentDevices: [],
    });
  });

  it('is dropped when the host forgets it', () => {
    const { refusals } = settle(none, ['A', 'B'], [no('A'), no('B')], 0);
    const answered = { sent: [], failedDevices: [], known: new Set(['B']) };
    expect([...outcomeOf(refusals, answered, 0, usual).refusals.keys()]).toEqual(['B']);
  });
});

describe('a device that was not sent', () => {
  it('is a stranger in the answer, named once and otherwise ignored', () => {
    expect(settle(none, ['A'], [no('X'), no('Y'), no('X', 'again')], 0)).toEqual({
      refusals: none,
      refused: new Set(),
      events: [],
      unsentDevices: [no('X'), no('Y')],
    });
  });
});
