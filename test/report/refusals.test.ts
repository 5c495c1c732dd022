import { describe, expect, it } from 'vitest';
import { Refusals } from '../../src/report/refusals.ts';
import { keptLog } from '../support/log.ts';

const REFUSED = 'the cloud refused a device; it will be sent again';
const GIVEN_UP = 'the cloud keeps refusing a device; each report carries it';
const STORED = 'the cloud stored a device that it had refused';
const UNSENT = 'the cloud refused a device that was not sent';

const no = (udid: string, message = 'no room') => ({ udid, message });

/** Refusals of a host that knows all phones but these, and what it logs of them. */
function refusing({ mostRetries = 5, forgotten = [] as string[] } = {}) {
  const { log, lines } = keptLog();
  const refusals = new Refusals({ firstDelayMs: 2_000, mostRetries, log });
  const isKnown = (udid: string) => !forgotten.includes(udid);
  const answer = (sent: string[], failed: { udid: string; message: string }[], nowMs = 0) => [
    ...refusals.answered(sent, failed, isKnown, nowMs),
  ];
  const said = () => lines.map(({ msg, level: _, time: __, ...fields }) => ({ msg, ...fields }));
  return { refusals, answer, said };
}

describe('a device that the cloud refuses', () => {
  it('is sent again five times with growing delays, then given up once, then stored once', () => {
    const { refusals, answer, said } = refusing();
    let nowMs = 0;
    const delays: number[] = [];
    expect(answer(['A'], [no('A')])).toEqual(['A']);
    for (let due = refusals.nextAtMs; due !== undefined; due = refusals.nextAtMs) {
      delays.push(due - nowMs);
      expect(refusals.due(due - 1)).toEqual([]);
      expect(refusals.due(due)).toEqual(['A']);
      nowMs = due;
      answer(['A'], [no('A')], nowMs);
    }
    // ordinary reports carry it now
    answer(['A'], [no('A')], nowMs);
    answer(['A'], [no('A')], nowMs);
    expect(answer(['A'], [], nowMs)).toEqual([]);
    answer(['A'], [], nowMs);
    expect(delays).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(said()).toEqual([
      { msg: REFUSED, udid: 'A', message: 'no room' },
      { msg: GIVEN_UP, udid: 'A', message: 'no room', count: 6 },
      { msg: STORED, udid: 'A', count: 8, wasGivenUp: true },
    ]);
    expect(refusals.message('A')).toBeUndefined();
  });

  it('counts once although the answer names it twice', () => {
    const { refusals, answer, said } = refusing();
    expect(answer(['A'], [no('A', 'first'), no('A', 'second')])).toEqual(['A']);
    expect(refusals.message('A')).toBe('first');
    expect(said()).toHaveLength(1);
  });

  it('keeps its place while other devices are sent', () => {
    const { refusals, answer } = refusing();
    answer(['A', 'B'], [no('A')], 0);
    expect(answer(['B'], [no('B')], 500)).toEqual(['B']);
    expect(refusals.due(2_000)).toEqual(['A']);
    expect(refusals.due(2_500)).toEqual(['A', 'B']);
  });

  it('keeps its retries while ordinary reports carry it', () => {
    const { refusals, answer, said } = refusing();
    answer(['A'], [no('A')], 0);
    const sentAlone: number[] = [];
    for (let nowMs = 1_000; nowMs <= 70_000; nowMs += 1_000) {
      const isDue = refusals.due(nowMs).length > 0;
      if (isDue) sentAlone.push(nowMs);
      answer(['A'], [no('A', isDue ? 'no room' : 'no room yet')], nowMs);
    }
    expect(sentAlone).toEqual([2_000, 6_000, 14_000, 30_000, 62_000]);
    expect(said().slice(1)).toEqual([{ msg: GIVEN_UP, udid: 'A', message: 'no room', count: 63 }]);
    expect(refusals.message('A')).toBe('no room yet');
    expect(refusals.nextAtMs).toBeUndefined();
  });

  it('that is stored on a retry was not given up', () => {
    const { answer, said } = refusing();
    answer(['A'], [no('A')], 0);
    answer(['A'], [], 2_000);
    expect(said().at(-1)).toEqual({ msg: STORED, udid: 'A', count: 1, wasGivenUp: false });
  });

  it('is given up at once where no retries are wanted', () => {
    const { refusals, answer, said } = refusing({ mostRetries: 0 });
    expect(answer(['A'], [no('A')])).toEqual(['A']);
    expect(said()).toEqual([{ msg: GIVEN_UP, udid: 'A', message: 'no room', count: 1 }]);
    expect(refusals.nextAtMs).toBeUndefined();
  });

  it('is dropped when the host forgets it', () => {
    const forgotten: string[] = [];
    const { refusals, answer } = refusing({ forgotten });
    answer(['A', 'B'], [no('A'), no('B')]);
    forgotten.push('A');
    answer([], []);
    expect(['A', 'B'].map((udid) => refusals.message(udid))).toEqual([undefined, 'no room']);
  });
});

describe('a device that was not sent', () => {
  it('is a stranger in the answer, named once and otherwise ignored', () => {
    const { refusals, answer, said } = refusing();
    for (let times = 0; times < 2; times += 1)
      expect(answer(['A'], [no('X'), no('Y'), no('X', 'again')])).toEqual([]);
    expect(said()).toEqual([
      { msg: UNSENT, udid: 'X', message: 'no room' },
      { msg: UNSENT, udid: 'Y', message: 'no room' },
    ]);
    expect(refusals.message('X')).toBeUndefined();
  });
});
