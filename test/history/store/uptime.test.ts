import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryEvent, NewEvent } from '../../../src/history/events/event.ts';
import { uptimeOf } from '../../../src/history/store/uptime.ts';

const HOUR_MS = 3_600_000;
const timeZone = process.env.TZ;

beforeEach(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterEach(() => {
  if (timeZone === undefined) delete process.env.TZ;
  else process.env.TZ = timeZone;
});

const phone = { udid: 'A', where: {} };
const attached = (at: number): NewEvent => ({ kind: 'attached', ...phone, at, state: 'device' });
const lost = (at: number): NewEvent => ({ kind: 'detached', ...phone, at });
const state = (at: number, word: string): NewEvent => ({
  kind: 'state',
  ...phone,
  at,
  state: word,
  before: 'x',
});
const started = (at: number, lastAliveAt?: number): NewEvent => ({
  ...{ kind: 'agentStarted', version: '1', at },
  ...(lastAliveAt !== undefined && { lastAliveAt }),
});

const inOrder = (...events: NewEvent[]): HistoryEvent[] =>
  events.map((event, index) => ({ ...event, id: index + 1 }));
const local = (day: number, hour: number, month = 5) => new Date(2027, month, day, hour).getTime();
const uptime = (now: number, days: number, ...events: NewEvent[]) =>
  uptimeOf(inOrder(...events), { now, days });

describe('uptime', () => {
  it('is the online part of what is known of each day', () => {
    expect(
      uptime(local(3, 12), 3, attached(local(1, 12)), lost(local(2, 6)), attached(local(2, 18))),
    ).toEqual([
      { at: local(1, 0), onlineRatio: 1, knownRatio: 0.5, losses: 0 },
      { at: local(2, 0), onlineRatio: 0.5, knownRatio: 1, losses: 1 },
      { at: local(3, 0), onlineRatio: 1, knownRatio: 0.5, losses: 0 },
    ]);
  });

  it('is absent for days of which nothing is known', () => {
    expect(uptime(local(3, 12), 2)).toEqual([
      { at: local(2, 0), losses: 0 },
      { at: local(3, 0), losses: 0 },
    ]);
  });

  it('counts a phone that is attached and cannot be used as not online; each loss once', () => {
    const events = [
      attached(local(1, 0)),
      state(local(1, 6), 'offline'),
      lost(local(1, 12)),
      attached(local(1, 18)),
      state(local(1, 21), 'unauthorized'),
    ];
    expect(uptime(local(2, 0) - 1, 1, ...events)).toEqual([
      {
        at: local(1, 0),
        onlineRatio: expect.closeTo(9 / 24, 6),
        knownRatio: expect.closeTo(1, 6),
        losses: 1,
      },
    ]);
  });

  it('knows nothing while the agent was off: since it was stopped, or was last alive', () => {
    const stop: NewEvent = { kind: 'agentStopped', at: local(1, 6) };
    const half = { at: local(1, 0), onlineRatio: 1, knownRatio: 0.5, losses: 0 };
    expect(uptime(local(1, 24), 2, attached(local(1, 0)), stop, started(local(1, 18)))[0]).toEqual(half);
    expect(uptime(local(1, 24), 2, attached(local(1, 0)), started(local(1, 18), local(1, 6)))[0]).toEqual(
      half,
    );
  });

  it('knows nothing while adb does not answer', () => {
    const events: NewEvent[] = [
      attached(local(1, 0)),
      { kind: 'adbLost', at: local(1, 6) },
      { kind: 'adbBack', at: local(1, 18) },
    ];
    expect(uptime(local(1, 24), 2, ...events)[0]).toMatchObject({ onlineRatio: 1, knownRatio: 0.5 });
  });

  it('knows nothing until adb answers again, although host or agent started meanwhile', () => {
    const stop: NewEvent = { kind: 'agentStopped', at: local(1, 7) };
    const woken: NewEvent = { kind: 'hostSlept', at: local(1, 12), forMs: HOUR_MS };
    const [begun, lostAt]: NewEvent[] = [attached(local(1, 0)), { kind: 'adbLost', at: local(1, 6) }];
    const all = [begun, lostAt, stop, started(local(1, 8)), woken] as NewEvent[];
    const until = (...ends: NewEvent[]) => uptime(local(1, 24), 2, ...all, ...ends)[0]?.knownRatio;
    expect(until()).toBe(0.25);
    expect(until({ kind: 'adbBack', at: local(1, 18) })).toBe(0.5);
    expect(until(lost(local(1, 18)))).toBe(0.5);
  });

  it('follows days of 23 and of 25 hours', () => {
    const [spring, autumn] = [new Date(2027, 2, 28).getTime(), new Date(2027, 9, 31).getTime()];
    for (const [day, hours] of [
      [spring, 23],
      [autumn, 25],
    ] as const) {
      const [one, next] = uptime(day + hours * HOUR_MS, 2, attached(day), lost(day + (hours - 1) * HOUR_MS));
      expect(one).toEqual({
        at: day,
        onlineRatio: expect.closeTo((hours - 1) / hours, 9),
        knownRatio: 1,
        losses: 1,
      });
      expect(next?.at).toBe(day + hours * HOUR_MS);
    }
    const stop: NewEvent = { kind: 'agentStopped', at: autumn + 24 * HOUR_MS };
    const [unwatched] = uptime(autumn + 25 * HOUR_MS, 2, attached(autumn), stop);
    expect(unwatched?.knownRatio).toBeCloseTo(24 / 25, 9);
  });

  it('outlives a clock that is set', () => {
    const step = (at: number, byMs: number): NewEvent => ({ kind: 'clockStepped', at, byMs });
    const year = 365 * 24 * HOUR_MS;
    // a year back at noon, and to the right time an hour later
    const events = [
      attached(local(1, 0)),
      step(local(1, 12) - year, -year),
      step(local(1, 13), year),
      lost(local(1, 18)),
    ];
    expect(uptime(local(1, 24), 2, ...events)[0]).toEqual({
      ...{ at: local(1, 0), losses: 1 },
      onlineRatio: expect.closeTo(17 / 23, 9),
      knownRatio: expect.closeTo(23 / 24, 9),
    });
    // six hours back until the next day: no day is known for longer than it lasts
    const again = [attached(local(1, 0)), step(local(1, 6), -6 * HOUR_MS), step(local(2, 12), 6 * HOUR_MS)];
    expect(uptime(local(3, 0), 3, ...again)[0]?.knownRatio).toBe(1);
    // ahead: the time in between is not known
    expect(uptime(local(3, 0), 2, attached(local(1, 0)), step(local(2, 12), 24 * HOUR_MS))[0]).toMatchObject({
      knownRatio: 0.5,
    });
    // asleep, as a laptop that is shut
    const woken: NewEvent = { kind: 'hostSlept', at: local(2, 12), forMs: 6 * HOUR_MS };
    expect(uptime(local(3, 0), 2, attached(local(1, 0)), woken)[0]).toMatchObject({ knownRatio: 0.75 });
  });

  it('forgets what a clock that was ahead called later than now, once it is set back', () => {
    const ahead = attached(local(1, 12)); // by a clock that is six hours ahead
    const set: NewEvent = { kind: 'clockStepped', at: local(1, 12), byMs: -6 * HOUR_MS };
    const stopped: NewEvent = { kind: 'agentStopped', at: local(1, 13) };
    expect(uptime(local(2, 0), 2, ahead, set, stopped)[0]).toMatchObject({ knownRatio: 1 / 24 });
  });
});
