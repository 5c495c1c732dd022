import { describe, expect, it } from 'vitest';
import type { PhoneView } from '../../src/agent/view.ts';
import type { Facts } from '../../src/facts/index.ts';
import { problemsOf } from '../../src/status/phone-problems.ts';
import { phoneStatusOf } from '../../src/status/phone-status.ts';

/** A phone that answers these facts. */
const phoneWith = (facts: Facts, remedy = ''): PhoneView => ({
  device: {
    ...{ udid: 'A', serial: 'A', connection: 'usb', attached: true, state: 'device', lastSeenAt: 1 },
  },
  info: { udid: 'A', state: 'device' } as PhoneView['info'],
  remedy,
  snapshot: { facts, takenAt: 1, sectionsTakenAt: {}, failures: [], conversations: 1 },
  isSilent: false,
});

describe('the problems of a phone', () => {
  it.each<[string, Facts]>([
    ['hot', { battery: { temperatureDecicelsius: 450 } }],
    ['battery', { battery: { health: 'DEAD', temperatureDecicelsius: 450 } }],
    ['storage', { storage: { totalBytes: 100, usedBytes: 95 } }],
    ['locked', { boot: { dataLocked: true } }],
  ])('%s: by its facts', (kind, facts) => {
    expect(problemsOf(phoneWith(facts), 0).map((problem) => problem.kind)).toEqual([kind]);
  });

  it('names a battery that may swell before a phone that the cloud rejects', () => {
    const facts: Facts = { battery: { temperatureDecicelsius: 450 }, boot: { dataLocked: true } };
    const problems = problemsOf({ ...phoneWith(facts), refused: 'no licence' }, 0);
    expect(problems.map(({ kind }) => kind)).toEqual(['hot', 'locked', 'refused']);
  });

  it('knows which remedy the report says too', () => {
    const network = { status: 'UNREACHABLE' } as const;
    expect(problemsOf(phoneWith({ network }, 'Connect it to the Wi-Fi'), 0)).toEqual([
      { kind: 'network', sign: 'no internet', remedy: 'Connect it to the Wi-Fi', isReported: true },
    ]);
    const [hot] = problemsOf(phoneWith({ network, battery: { temperatureDecicelsius: 500 } }), 0);
    expect(hot?.isReported).toBeUndefined();
  });
});

it('a phone that the cloud rejects has a remedy of its own, beside the cloud’s words', () => {
  expect(problemsOf({ ...phoneWith({}), refused: 'no licence' }, 0)).toEqual([
    {
      kind: 'refused',
      sign: 'rejected',
      said: 'no licence',
      remedy: 'Fix what the cloud names; each report sends the phone again',
    },
  ]);
});

describe('the status of a phone', () => {
  const statusOf = (facts: Facts) => phoneStatusOf(phoneWith(facts), { since: 1, isKnown: true });

  it('has its battery as the cloud has it: a whole percentage, and none where there is no battery', () => {
    const battery = { levelPercent: 66.7, temperatureDecicelsius: 312, voltageMillivolts: 4100 };
    expect(statusOf({ battery }).battery).toEqual({
      levelRatio: 0.67,
      temperatureCelsius: 31.2,
      voltageVolts: 4.1,
    });
    expect(statusOf({ battery: { isPresent: false } }).battery).toBeUndefined();
  });
});
