import { describe, expect, it } from 'vitest';
import { DeviceInfo } from '../../src/cloud/contract/report.ts';
import type { Facts } from '../../src/facts/index.ts';
import { buildDeviceInfo } from '../../src/report/device-info.ts';
import { GONE, NO_ANSWER, PROMPT } from '../../src/report/message.ts';
import { type Policy, standardPolicy } from '../../src/report/policy.ts';
import type { RosterDevice } from '../../src/roster/device.ts';

const identity = {
  serialNumber: '3A021FDJH0027R',
  androidRelease: '15',
  sdk: 35,
  model: 'Pixel 8',
  brand: 'google',
  manufacturer: 'Google',
  cpuAbi: 'arm64-v8a',
  isEmulator: false,
};

const pixel: RosterDevice = {
  udid: '3A021FDJH0027R',
  serial: '3A021FDJH0027R',
  connection: 'usb',
  devpath: '1-4.2',
  attached: true,
  state: 'device',
  lastSeenAt: 1_735_732_800_000,
  identity,
  boot: { id: 'c0ffee', bootTimeSeconds: 1_735_700_000 },
};

const facts: Facts = {
  boot: { bootId: 'c0ffee', uptimeSeconds: 32_800.87, bootCompleted: true, dataLocked: false },
  identity,
  name: { givenName: 'Rack 2 Pixel' },
  root: { isRooted: false },
  battery: {
    isPresent: true,
    levelPercent: 86.5,
    temperatureDecicelsius: 284,
    voltageMillivolts: 4_203,
    status: 'CHARGING',
    health: 'GOOD',
    technology: 'Li-ion',
  },
  storage: { totalBytes: 113_000_000_000, usedBytes: 12_000_000_000 },
  memory: { totalBytes: 7_700_000_000, usedBytes: 3_100_000_000 },
  screen: { physical: { width: 1080, height: 2400 } },
  display: {
    rotationDegrees: 90,
    physical: { width: 1080, height: 2400 },
    logical: { width: 1080, height: 2400 },
  },
  mobile: { dataState: 'CONNECTED' },
  identifiers: { carriers: [{ slot: 0, imei: '490154203237518', iccid: '8944110068256270054' }] },
  browsers: { names: ['chrome', 'firefox'] },
  network: { host: 'probe.example', code: 204, status: 'REACHABLE', ipAddress: '10.0.0.7', proxy: false },
};

/** What every device of a lab without rules has. */
const common = {
  platformName: 'ANDROID',
  isAndroid: true,
  isIos: false,
  addedToCloud: true,
  isHidden: false,
  support: standardPolicy.support,
} as const;

const who = {
  serialNumber: '3A021FDJH0027R',
  platformVersion: '15',
  modelName: 'Pixel 8',
  brandName: 'google',
  cpuArchitecture: 'arm64-v8a',
  isEmulator: false,
} as const;

const tunnel = {
  serial: '3A021FDJH0027R',
  connection: 'usb',
  devpath: '1-4.2',
  adbHost: 'adb.lab',
  adbPort: 5037,
};

/** The report of a device, checked against the contract. */
function report(device: RosterDevice, known: Facts = {}, policy: Policy = standardPolicy): DeviceInfo {
  const info = buildDeviceInfo({ device, facts: known, policy, adbHost: 'adb.lab', adbPort: 5037 });
  expect(DeviceInfo.parse(info)).toEqual(info);
  return info;
}

describe('the report of a phone that answers', () => {
  it('holds all that the phone said', () => {
    expect(report(pixel, facts)).toStrictEqual({
      ...common,
      ...who,
      udid: '3A021FDJH0027R',
      status: 'PLUGGED',
      state: 'device',
      message: '',
      deviceName: 'Rack 2 Pixel',
      adbTunnelInfo: tunnel,
      isRooted: false,
      installedBrowsers: [{ name: 'chrome' }, { name: 'firefox' }],
      orientation: 90,
      resolution: { width: 1080, height: 2400, projection: 2400, logical: { width: 1080, height: 2400 } },
      networkReachability: {
        code: 204,
        host: 'probe.example',
        status: 'REACHABLE',
        ipAddress: '10.0.0.7',
        proxy: false,
      },
      uptime: 32_800,
      bootTime: 1_735_700_000,
      storage: { total: 113_000_000_000, used: 12_000_000_000 },
      memory: { total: 7_700_000_000, used: 3_100_000_000 },
      battery: {
        status: 'CHARGING',
        temperature: 284,
        voltage: 4_203,
        health: 'GOOD',
        technology: 'Li-ion',
        percentage: '87',
      },
      telephony: {
        mobileDataState: 'CONNECTED',
        carriersInfo: [{ slot: 0, imei: '490154203237518', iccid: '8944110068256270054' }],
      },
    });
  });

  it('holds no more than its state and who it is when it said nothing', () => {
    expect(report(pixel)).toStrictEqual({
      ...common,
      ...who,
      udid: '3A021FDJH0027R',
      status: 'PLUGGED',
      state: 'device',
      message: '',
      deviceName: 'Pixel 8',
      adbTunnelInfo: tunnel,
    });
  });

  it('has no battery when the phone says that there is none', () => {
    expect(report(pixel, { ...facts, battery: { isPresent: false } })).not.toHaveProperty('battery');
  });

  it('keeps a flat battery, an empty disk and a proxy that is off: zero and false are readings', () => {
    const { battery, storage, networkReachability } = report(pixel, {
      battery: { levelPercent: 0, temperatureDecicelsius: 0, voltageMillivolts: 0 },
      storage: { totalBytes: 0, usedBytes: 0 },
      network: { status: 'UNKNOWN', proxy: false },
    });
    expect({ battery, storage, networkReachability }).toStrictEqual({
      battery: { percentage: '0', temperature: 0, voltage: 0 },
      storage: { total: 0, used: 0 },
      networkReachability: { status: 'UNKNOWN', proxy: false },
    });
  });

  it('has an entry for each of two SIMs', () => {
    const carriers = [
      { slot: 0, imei: '490154203237518', iccid: '8944110068256270054' },
      { slot: 1, meid: 'A10000009296F2' },
    ];
    expect(report(pixel, { identifiers: { carriers } }).telephony).toStrictEqual({ carriersInfo: carriers });
  });

  it('has no telephony if no SIM slot answered: an empty list would be a claim', () => {
    expect(report(pixel, { identifiers: { carriers: [] } })).not.toHaveProperty('telephony');
  });

  it('has an overridden size as the logical one', () => {
    const screen = { physical: { width: 1440, height: 3040 }, override: { width: 1080, height: 2280 } };
    expect(report(pixel, { screen }).resolution).toStrictEqual({
      width: 1440,
      height: 3040,
      logical: { width: 1080, height: 2280 },
      projection: 2280,
    });
  });

  it('says what to do about a phone that was not unlocked since it started', () => {
    const { message } = report(pixel, { ...facts, boot: { ...facts.boot, dataLocked: true } });
    expect(message).toBe(
      'Locked since it started: unlock it once on the phone, and set its screen lock to none',
    );
  });

  it('has no boot time while the known one is of an earlier boot', () => {
    const { uptime, bootTime } = report(pixel, { boot: { bootId: 'decade', uptimeSeconds: 12 } });
    expect({ uptime, bootTime }).toEqual({ uptime: 12, bootTime: undefined });
  });

  it.each([
    ['long before there were phones', -998_204_614_113],
    ['before the first phone with Android', Date.UTC(2007, 11, 31) / 1000],
    ['in the future', Date.UTC(2199) / 1000],
  ])('has no boot time that is %s', (_, bootTimeSeconds) => {
    const device = { ...pixel, boot: { id: 'c0ffee', bootTimeSeconds } };
    expect(report(device, facts)).not.toHaveProperty('bootTime');
  });

  it.each(['127.0.0.1', 'localhost', '::1'])('does not name the adb server at %s', (adbHost) => {
    const info = buildDeviceInfo({
      device: pixel,
      facts: {},
      policy: standardPolicy,
      adbHost,
      adbPort: 5037,
    });
    expect(info.adbTunnelInfo).toEqual({ ...tunnel, adbHost: undefined });
  });

  it('has text from the phone without control characters, terminal escapes and turned directions', () => {
    const given = report(pixel, { name: { givenName: '\u001b[2JRack\r\n\u202e2\u0000\ud83d\ude00\ud83d' } });
    expect(given.deviceName).toBe('[2JRack 2 \u{1f600}\ufffd');
  });
});

describe('the report of a device that cannot be collected', () => {
  it('unauthorized: says what to do, and nothing of the phone', () => {
    const { identity: _, boot: __, ...unknown } = pixel;
    expect(report({ ...unknown, state: 'unauthorized' })).toStrictEqual({
      ...common,
      udid: '3A021FDJH0027R',
      status: 'PLUGGED',
      state: 'unauthorized',
      message: PROMPT.usb,
      adbTunnelInfo: tunnel,
    });
  });

  it('no permissions: says what to do, with what adb says', () => {
    const reason = 'user in plugdev group; are your udev rules wrong?';
    expect(report({ ...pixel, state: 'no permissions', reason }, facts)).toStrictEqual({
      ...common,
      ...who,
      udid: '3A021FDJH0027R',
      status: 'PLUGGED',
      state: 'no permissions',
      message: `No permission on the USB device: on the host add the udev rule for it, and the adb server’s user to its group (plugdev); reload udev, plug the phone in again, restart the adb server; or log in anew, or restart the host (adb says: ${reason})`,
      deviceName: 'Rack 2 Pixel',
      adbTunnelInfo: tunnel,
    });
  });

  it('unplugged: who it is, and none of its last readings', () => {
    const gone = { ...pixel, attached: false, state: 'disconnected', givenName: 'Rack 2 Pixel' };
    expect(report(gone, facts)).toStrictEqual({
      ...common,
      ...who,
      udid: '3A021FDJH0027R',
      status: 'UNPLUGGED',
      state: 'disconnected',
      message: GONE.usb,
      deviceName: 'Rack 2 Pixel',
    });
  });
});

describe('the report of an emulator', () => {
  const emulator: RosterDevice = {
    udid: 'emulator-5554@node-1',
    serial: 'emulator-5554',
    connection: 'emulator',
    attached: true,
    state: 'offline',
    lastSeenAt: 0,
  };

  it('says so by its serial alone', () => {
    expect(report(emulator)).toStrictEqual({
      ...common,
      udid: 'emulator-5554@node-1',
      status: 'PLUGGED',
      state: 'offline',
      message: NO_ANSWER.emulator,
      isEmulator: true,
      adbTunnelInfo: {
        serial: 'emulator-5554',
        connection: 'emulator',
        adbHost: 'adb.lab',
        adbPort: 5037,
      },
    });
  });

  it('says so by its properties when it is attached by an address', () => {
    const device = { ...emulator, serial: '127.0.0.1:5555', connection: 'tcp' } as const;
    expect(report(device, { identity: { isEmulator: true } }).isEmulator).toBe(true);
  });
});

describe('the name of a device', () => {
  const marketed = { ...identity, marketingName: 'Pixel 8 (Hazel)' };
  it.each<[string, Partial<RosterDevice>, Facts, Policy, string]>([
    ['the lab', {}, facts, { ...standardPolicy, deviceName: 'Bay 7' }, 'Bay 7'],
    [
      'its owner',
      { givenName: 'old name' },
      { ...facts, identity: marketed },
      standardPolicy,
      'Rack 2 Pixel',
    ],
    ['its owner, when it is silent now', { givenName: 'old name' }, {}, standardPolicy, 'old name'],
    [
      'its maker',
      { givenName: 'old name' },
      { name: {}, identity: marketed },
      standardPolicy,
      'Pixel 8 (Hazel)',
    ],
    ['its model', {}, { identity }, standardPolicy, 'Pixel 8'],
  ])('is given by %s', (_, more, known, policy, name) => {
    expect(report({ ...pixel, ...more }, known, policy).deviceName).toBe(name);
  });
});
