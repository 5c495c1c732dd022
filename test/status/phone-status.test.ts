import { expect, it } from 'vitest';
import type { PhoneState } from '../../src/agent/state.ts';
import type { Facts } from '../../src/facts/index.ts';
import { phoneStatusOf } from '../../src/status/phone-status.ts';

/** A phone that answers these facts. */
const phoneWith = (facts: Facts): PhoneState => ({
  device: {
    ...{ udid: 'A', serial: 'A', connection: 'usb', attached: true, state: 'device', lastSeenAt: 1 },
  },
  info: { udid: 'A', state: 'device' } as PhoneState['info'],
  remedy: '',
  snapshot: { facts, takenAt: 1, sectionsTakenAt: {}, failures: [], conversations: 1 },
  isSilent: false,
});

const statusOf = (facts: Facts) => phoneStatusOf(phoneWith(facts), { since: 1, isKnown: true });

it('a phone has its battery as the cloud has it: a whole percentage, and none where there is no battery', () => {
  const battery = { levelPercent: 66.7, temperatureDecicelsius: 312, voltageMillivolts: 4100 };
  expect(statusOf({ battery }).battery).toEqual({
    levelRatio: 0.67,
    temperatureCelsius: 31.2,
    voltageVolts: 4.1,
  });
  expect(statusOf({ battery: { isPresent: false } }).battery).toBeUndefined();
});
