import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Evaluation } from '../../src/diagnosis/evaluate.ts';
import { EvaluationSchedule } from '../../src/diagnosis/evaluation-schedule.ts';
import type { PhoneInput, RuleInput } from '../../src/diagnosis/rule-input.ts';
import { keptLog } from '../support/log.ts';
import { finding } from '../support/sample-finding.ts';

const good: Evaluation = { findings: [finding('FLAPPING')], broken: [] };

const phone: PhoneInput = {
  ...{ udid: 'A', serial: 'A', name: 'A', connection: 'usb', where: {}, attached: true, state: 'device' },
  isInMaintenance: false,
};

beforeEach(() => {
  vi.useFakeTimers();
  return () => void vi.useRealTimers();
});

/** A thread that answers when the test says so, or at once, and what it was asked. The host is as the test says. */
function lab({ isKnown = (): boolean => true, answersAtOnce = false } = {}) {
  const { log, lines } = keptLog();
  const asked: {
    at: number;
    answer: (evaluation: Evaluation | undefined) => void;
    fail(error: Error): void;
  }[] = [];
  const taken: Evaluation['findings'][] = [];
  const host = { at: 1, phones: [phone], usb: '1-4' };
  const schedule = new EvaluationSchedule({
    input: () => (isKnown() ? { at: host.at, isAdbListed: true, phones: host.phones } : undefined),
    fingerprint: () => host.usb,
    evaluate: ({ at }: RuleInput) => {
      const { promise, resolve, reject } = Promise.withResolvers<Evaluation | undefined>();
      asked.push({ at, answer: resolve, fail: reject });
      if (answersAtOnce) resolve(good);
      return promise;
    },
    take: (findings) => void taken.push([...findings]),
    log,
  });
  const settled = () => vi.advanceTimersByTimeAsync(0);
  /** A round a minute, for so many minutes. */
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      host.at = Date.now();
      schedule.round();
    }
    await settled();
  };
  return { schedule, asked, taken, lines, settled, host, minutes };
}

describe('the rules are evaluated', () => {
  it('after a round that found something new, and not after others', async () => {
    const { schedule, asked, host, minutes } = lab({ answersAtOnce: true });
    await minutes(1);
    expect(asked).toHaveLength(1);
    await minutes(3);
    expect(asked).toHaveLength(1);
    schedule.sampled();
    await minutes(2);
    expect(asked).toHaveLength(2);
    host.phones = [{ ...phone, battery: { levelPercent: 50, temperatureDecicelsius: 300 } }];
    await minutes(1);
    expect(asked).toHaveLength(2);
    host.phones = [{ ...phone, readiness: { isLocked: true } }];
    await minutes(1);
    expect(asked).toHaveLength(3);
  });

  it('with the round after something was plugged in that adb does not list, and once more when it had a minute', async () => {
    const { asked, host, minutes } = lab({ answersAtOnce: true });
    await minutes(1);
    host.usb = '1-4 1-5';
    await minutes(1);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(74_000);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toHaveLength(3);
  });

  it('with each round while a battery is hot', async () => {
    const { asked, host, minutes } = lab({ answersAtOnce: true });
    await minutes(1);
    host.phones = [{ ...phone, battery: { temperatureDecicelsius: 440 } }];
    await minutes(4);
    expect(asked).toHaveLength(1 + 4);
    host.phones = [{ ...phone, battery: { temperatureDecicelsius: 439 } }];
    await minutes(3);
    expect(asked).toHaveLength(1 + 4 + 2); // it has cooled down, and once more after that
  });

  it('once for all phones that are lost within seconds', () => {
    const { schedule, asked } = lab();
    for (let index = 0; index < 8; index += 1) {
      schedule.changed();
      vi.advanceTimersByTime(200);
    }
    expect(asked).toHaveLength(0);
    vi.advanceTimersByTime(4_000);
    expect(asked).toHaveLength(1);
  });

  it('once more when lost phones had the time to come back', async () => {
    const { schedule, asked, settled } = lab();
    for (let index = 0; index < 3; index += 1) {
      schedule.changed();
      vi.advanceTimersByTime(4_000);
      asked[index]?.answer(good);
      await settled();
    }
    expect(asked).toHaveLength(3);
    vi.advanceTimersByTime(7_900);
    expect(asked).toHaveLength(3);
    vi.advanceTimersByTime(200);
    expect(asked).toHaveLength(4);
    asked[3]?.answer(good);
    await vi.advanceTimersByTimeAsync(62_000);
    expect(asked).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toHaveLength(5);
  });

  it('every five minutes, though nothing happens; every minute while there is no evaluation', async () => {
    const { asked } = lab();
    await vi.advanceTimersByTimeAsync(60_000);
    asked[0]?.answer(undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    asked[1]?.answer(good);
    await vi.advanceTimersByTimeAsync(299_000);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toHaveLength(3);
  });

  it('one evaluation after the other, the next one by the newest input', async () => {
    const { schedule, asked, taken, settled, host } = lab();
    schedule.round();
    for (let index = 0; index < 5; index += 1) schedule.round();
    expect(asked).toHaveLength(1);
    host.at = 2;
    asked[0]?.answer(good);
    await settled();
    expect(asked.map(({ at }) => at)).toEqual([1, 2]);
    asked[1]?.answer({ findings: [], broken: [] });
    await settled();
    expect(taken).toEqual([good.findings, []]);
    expect(asked).toHaveLength(2);
  });
});

it('rests after a evaluation that took long, also after one that never came', async () => {
  const { schedule, asked, settled } = lab();
  schedule.round();
  schedule.round();
  await vi.advanceTimersByTimeAsync(3_000);
  asked[0]?.answer(good);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10_000);
  asked[1]?.fail(new Error('no answer within 10 s'));
  schedule.round();
  await vi.advanceTimersByTimeAsync(49_000);
  expect(asked).toHaveLength(2);
  await schedule.stop();
  await settled();
  expect(asked).toHaveLength(2);
});

describe('the findings stay as they are', () => {
  it('while the present is not known', () => {
    const { schedule, asked, taken } = lab({ isKnown: () => false });
    schedule.round();
    expect([asked, taken]).toEqual([[], []]);
  });

  it('while the history gives no answer; that is said once', async () => {
    const { schedule, asked, taken, lines, settled } = lab();
    for (const index of [0, 1]) {
      schedule.round();
      asked[index]?.fail(new Error('the thread ended'));
      await settled();
    }
    schedule.round();
    asked[2]?.answer(undefined);
    await settled();
    expect(taken).toEqual([]);
    expect(lines).toMatchObject([
      { level: 'error', msg: 'cannot judge this host: its findings stay as they are' },
    ]);
  });

  it('after the stop', async () => {
    const { schedule, asked, taken } = lab();
    schedule.changed();
    schedule.round();
    const stopped = schedule.stop();
    asked[0]?.answer(good);
    await stopped;
    schedule.round();
    schedule.changed();
    vi.advanceTimersByTime(120_000);
    expect(asked).toHaveLength(1);
    expect(taken).toEqual([]);
  });
});

it('says once that a judge broke, and again after it worked', async () => {
  const { schedule, asked, lines, settled } = lab();
  const broken = [{ code: 'FLAPPING', error: new TypeError('no port') }];
  for (const [index, evaluation] of [
    { ...good, broken },
    { ...good, broken },
    good,
    { ...good, broken },
  ].entries()) {
    schedule.sampled();
    schedule.round();
    asked[index]?.answer(evaluation);
    await settled();
  }
  expect(lines.map(({ msg, judge }) => [msg, judge])).toEqual([
    ['a judge broke: its findings are missing', 'FLAPPING'],
    ['a judge broke: its findings are missing', 'FLAPPING'],
  ]);
});
