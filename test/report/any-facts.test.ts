import fc from 'fast-check';
import { it } from 'vitest';
import { DeviceInfo } from '../../src/cloud/contract/report.ts';
import type { Facts } from '../../src/facts/index.ts';
import { buildDeviceInfo } from '../../src/report/device-info.ts';
import { standardPolicy } from '../../src/report/policy.ts';
import type { RosterDevice } from '../../src/roster/device.ts';
import { anyText } from '../support/any-text.ts';

const noKeys = { requiredKeys: [] };
const text = fc.oneof(anyText(), fc.constantFrom('', 'null', '\u0000', '\ud800'));
const number = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger());
const size = fc.record({ width: number, height: number });
const usage = fc.record({ totalBytes: number, usedBytes: number });
const flag = fc.boolean();

const identity = fc
  .record(
    { serialNumber: text, androidRelease: text, model: text, brand: text, marketingName: text, cpuAbi: text },
    noKeys,
  )
  .map((properties) => ({ ...properties, isEmulator: false }));

const facts: fc.Arbitrary<Facts> = fc.record(
  {
    boot: fc.record({ bootId: text, uptimeSeconds: number, bootCompleted: flag, dataLocked: flag }, noKeys),
    identity,
    name: fc.record({ givenName: text }, noKeys),
    root: fc.record({ isRooted: flag }, noKeys),
    battery: fc.record(
      {
        isPresent: flag,
        levelPercent: number,
        temperatureDecicelsius: number,
        voltageMillivolts: number,
        status: fc.constantFrom('CHARGING', 'UNKNOWN'),
        technology: text,
      },
      noKeys,
    ),
    storage: usage,
    memory: fc.record({ totalBytes: number, usedBytes: number }, { requiredKeys: ['totalBytes'] }),
    screen: fc.record({ physical: size, override: size }, noKeys),
    display: fc.record(
      { rotationDegrees: fc.constantFrom(0, 90, 180, 270), physical: size, logical: size },
      noKeys,
    ),
    mobile: fc.record({ dataState: fc.constantFrom('CONNECTED', 'UNKNOWN') }, noKeys),
    identifiers: fc.record({
      carriers: fc.array(
        fc.record({ slot: fc.nat(3), imei: text, meid: text, iccid: text }, { requiredKeys: ['slot'] }),
      ),
    }),
    browsers: fc.record({ names: fc.array(text) }),
    network: fc.record(
      {
        host: text,
        code: number,
        status: fc.constantFrom('REACHABLE', 'UNKNOWN'),
        ipAddress: text,
        proxy: flag,
      },
      { requiredKeys: ['status'] },
    ),
  },
  noKeys,
);

const device: fc.Arbitrary<RosterDevice> = fc.record(
  {
    udid: fc.string({ minLength: 1 }),
    serial: text,
    connection: fc.constantFrom('usb', 'tcp', 'emulator'),
    devpath: text,
    attached: flag,
    state: fc.oneof(text, fc.constant('device')),
    reason: text,
    lastSeenAt: number,
    identity,
    givenName: text,
    boot: fc.record({ id: text, bootTimeSeconds: number }),
  },
  { requiredKeys: ['udid', 'serial', 'connection', 'attached', 'state', 'lastSeenAt'] },
);

it('whatever a phone says, its report follows the contract', () => {
  fc.assert(
    fc.property(device, facts, (anyDevice, anyFacts) => {
      const report = {
        device: anyDevice,
        facts: anyFacts,
        policy: standardPolicy,
        adbHost: 'h',
        adbPort: 5037,
      };
      DeviceInfo.parse(buildDeviceInfo(report));
    }),
    { numRuns: 500 },
  );
});
