import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ClockStep } from '../../src/roster/clock-step.ts';
import { hostSleeps } from '../support/host-sleep.ts';
import { hold, Lab, poco, withoutFacts } from '../support/lab.ts';
import { keptLog } from '../support/log.ts';

const HOUR_MS = 3_600_000;

function clock() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, lines } = keptLog();
  const set: number[] = [];
  const clockStep = new ClockStep({ clockSet: (byMs) => set.push(Math.round(byMs / 1000)) }, log);
  return { clockStep, set, lines };
}

describe('the clock of the host', () => {
  it('is noticed when it is set, once each time', () => {
    const { clockStep, set, lines } = clock();
    clockStep.check();
    vi.setSystemTime(Date.now() + HOUR_MS);
    clockStep.check();
    clockStep.check();
    vi.setSystemTime(Date.now() - HOUR_MS);
    clockStep.check();
    expect(set).toEqual([3600, -3600]);
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'the clock of this host was set', bySeconds: 3600 },
      { level: 'warn', msg: 'the clock of this host was set', bySeconds: -3600 },
    ]);
  });

  it('may be slewed', () => {
    const { clockStep, set } = clock();
    vi.setSystemTime(Date.now() + 20_000);
    clockStep.check();
    expect(set).toEqual([]);
  });
});

it('a host that slept is noticed once each time: the clock of the process stood still', () => {
  const { clockStep, set } = clock();
  const slept: number[] = [];
  clockStep.onSleep((forMs) => slept.push(Math.round(forMs / 1000)));
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  const awake = performance.now();
  for (const sleptMs of [0, 3000, HOUR_MS, HOUR_MS]) {
    now.mockReturnValue(awake - sleptMs);
    clockStep.check();
  }
  expect(slept).toEqual([3597]);
  expect(set).toEqual([]);
});

it('a sleep that is too short for the clocks is noticed where the kernel counts it, and a longer one once', () => {
  const { log, lines } = keptLog();
  let counted = 7;
  const clockStep = new ClockStep({ clockSet() {} }, log, () => counted);
  const slept: number[] = [];
  clockStep.onSleep((forMs) => slept.push(forMs));
  counted = 8;
  clockStep.check();
  clockStep.check();
  expect(slept).toEqual([0]);
  hostSleeps(HOUR_MS);
  clockStep.check(); // the kernel has not counted it yet
  counted = 9;
  clockStep.check();
  expect(slept).toEqual([0, expect.closeTo(HOUR_MS, -4)]);
  counted = Number.NaN; // it could not be read
  clockStep.check();
  counted = 10;
  clockStep.check(); // it may be that the kernel counts the same sleep
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
  onTestFinished(() => void vi.restoreAllMocks());
  counted = 11;
  clockStep.check();
  expect(slept).toHaveLength(3);
  expect(lines.splice(2)).toHaveLength(1);
  expect(lines).toMatchObject([
    { level: 'info', msg: 'this host has slept', forSeconds: 0 },
    { level: 'info', msg: 'this host has slept', forSeconds: 3600 },
  ]);
});

it('a clock that was set while the host slept was set when it fell asleep', () => {
  const { clockStep, set } = clock();
  const told: [what: string, at: number][] = [];
  clockStep.onStep((_, at) => told.push(['set', at]));
  clockStep.onSleep(() => told.push(['slept', Date.now()]));
  hostSleeps(HOUR_MS);
  vi.setSystemTime(Date.now() - 3 * HOUR_MS);
  clockStep.check();
  expect(set).toEqual([expect.closeTo(-3 * 3600, -1)]);
  expect(told.map(([what]) => what)).toEqual(['set', 'slept']);
  expect(told[1]?.[1]).toBeCloseTo((told[0]?.[1] ?? 0) + HOUR_MS, -4);
});

it('a process that stood still is noticed once each time, while it watches', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, lines } = keptLog();
  const clockStep = new ClockStep({ clockSet() {} }, log);
  const paused: number[] = [];
  clockStep.onPause((forMs) => paused.push(forMs));
  const standStill = (forMs: number) => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + forMs);
    clockStep.check();
    now.mockRestore();
    vi.advanceTimersByTime(0);
  };
  const stop = new AbortController();
  vi.advanceTimersByTime(HOUR_MS);
  clockStep.check(); // nothing was promised yet
  clockStep.watch(stop.signal);
  vi.advanceTimersByTime(HOUR_MS);
  expect(paused).toEqual([]);
  standStill(540_000);
  expect(paused).toEqual([540_000]);
  expect(lines).toMatchObject([{ level: 'warn', forSeconds: 540 }]);
  stop.abort();
  standStill(1_080_000);
  expect(paused).toEqual([540_000]);
});

it('a phone that is being collected while the host sleeps has the right boot time', async () => {
  await using lab = await Lab.open();
  await lab.running({ timing: { relistMs: 60_000, ...withoutFacts } });
  const first = poco('FIRST', '1-1');
  const answer = hold(first, 'battery.dump'); // its uptime has arrived
  lab.adb.plug(first);
  await lab.untilState('FIRST', 'device');
  hostSleeps(HOUR_MS);
  answer();
  await lab.until(() => lab.stored('FIRST')?.battery !== undefined);
  lab.adb.plug(poco('SECOND', '1-2')); // of the same uptime, an hour later
  await lab.until(() => lab.stored('SECOND')?.battery !== undefined);
  const [atFirst = 0, atSecond = 0] = ['FIRST', 'SECOND'].map((udid) => lab.stored(udid)?.bootTime);
  expect(Math.abs(atSecond - atFirst - 3600)).toBeLessThan(60);
});

describe('a phone that is being collected while the clock of the host is set', () => {
  it.each([
    ['before its uptime arrives', 'boot.clock'],
    ['after its uptime has arrived', 'battery.dump'],
  ])('has the right boot time: %s', async (_, late) => {
    await using lab = await Lab.open();
    const agent = await lab.running({ timing: { relistMs: 60_000, ...withoutFacts } });
    const first = poco('FIRST', '1-1');
    const answer = hold(first, late);
    lab.adb.plug(first);
    await lab.untilState('FIRST', 'device'); // it is told without facts while it is still being asked
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR_MS });
    onTestFinished(() => void vi.useRealTimers());
    answer();
    await lab.until(() => lab.stored('FIRST')?.battery !== undefined);
    lab.adb.plug(poco('SECOND', '1-2')); // of the same uptime
    await lab.until(() => lab.stored('SECOND')?.battery !== undefined);
    await agent.round();
    const [atFirst = 0, atSecond = 0] = ['FIRST', 'SECOND'].map((udid) => lab.stored(udid)?.bootTime);
    expect(atFirst).toBeGreaterThan(0);
    expect(Math.abs(atFirst - atSecond)).toBeLessThan(60);
  });
});
