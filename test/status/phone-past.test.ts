import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PhonePast, phonePast } from '../../src/status/phone-past.ts';
import { MemoryHistory } from '../support/memory-history.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 21, 12, 30);

describe('the kept past of a phone', () => {
  let history: MemoryHistory;
  let past: PhonePast;
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    history = new MemoryHistory();
    past = phonePast(history, (udid) => udid === 'P1');
  });
  afterEach(() => {
    history.close();
    vi.useRealTimers();
  });

  it('is nothing for a phone that this host does not know', async () => {
    await history.record([{ kind: 'detached', udid: 'P2', where: {}, at: NOW }]);
    expect([await past.uptime('P2'), await past.samples('P2', 1), await past.events('P2', {})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has a day for each of ninety, and says which are not known', async () => {
    const started = { kind: 'agentStarted', version: '1.0.0', at: NOW - DAY } as const;
    await history.record([
      started,
      { kind: 'attached', state: 'device', udid: 'P1', where: {}, at: NOW - DAY },
    ]);
    const days = (await past.uptime('P1')) ?? [];
    expect(days).toHaveLength(90);
    expect(days.map(({ onlineRatio }) => onlineRatio).filter((ratio) => ratio !== undefined)).toEqual([1, 1]);
    expect(days[87]?.knownRatio).toBeUndefined();
    const { knownRatio: yesterday = 0 } = days[88] ?? {};
    const { knownRatio: today = 0 } = days[89] ?? {};
    expect(yesterday + today).toBeCloseTo(1, 5);
  });

  it('has readings of a day as they are, of more days one for each hour', async () => {
    for (let at = NOW - 2 * DAY; at <= NOW; at += HOUR / 12)
      history.sample([{ udid: 'P1', at, levelPercent: 55, temperatureDecicelsius: 315 }]);
    const day = (await past.samples('P1', 1)) ?? [];
    const long = (await past.samples('P1', 90)) ?? [];
    expect(day.length).toBeGreaterThan(280);
    expect(long.length).toBeGreaterThanOrEqual(48);
    expect(long.length).toBeLessThanOrEqual(50);
    expect(long.at(-1)).toMatchObject({ levelRatio: 0.55, temperatureCelsius: 31.5 });
  });

  it('has its events and those of the host, page by page, of some kinds', async () => {
    const where = { slot: 'rack 1, shelf 1, bay 1' };
    const events = Array.from({ length: 120 }, (_, index) => ({
      ...(index % 2 ? { kind: 'attached' as const, state: 'device' } : { kind: 'detached' as const }),
      ...{ udid: 'P1', where, at: NOW - DAY + index * 1000 },
    }));
    await history.record([...events, { kind: 'adbLost', at: NOW }]);
    await history.record([{ kind: 'note', text: 'not mine', udid: 'P2', where, at: NOW }]);
    const ids: number[] = [];
    let page = await past.events('P1', {});
    expect(page?.events[0]).toMatchObject({ kind: 'adbLost', text: 'the adb server stopped answering' });
    expect(page?.events[1]).toMatchObject({ kind: 'attached', ...where });
    while (page !== undefined) {
      expect(page.events.length).toBeLessThanOrEqual(50);
      ids.push(...page.events.map(({ id }) => id));
      page = page.next === undefined ? undefined : await past.events('P1', { before: page.next });
    }
    expect(ids).toHaveLength(121);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    const lost = await past.events('P1', { kinds: ['detached'] });
    expect(new Set(lost?.events.map(({ kind }) => kind))).toEqual(new Set(['detached']));
  });
});
