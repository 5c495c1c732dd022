import { describe, expect, it } from 'vitest';
import { differencesOf, type Expected, expectedOf } from '../../../src/cli/cloud/devices-diff.ts';
import type { Device } from '../../../src/cloud/contract/devices.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { RosterDevice } from '../../../src/roster/device.ts';
import { Slots } from '../../../src/roster/slots.ts';

const here: Expected = {
  udid: 'A',
  status: 'PLUGGED',
  state: 'device',
  deviceName: 'Kiosk',
  platformVersion: '14',
};
const gone: Expected = { ...here, status: 'UNPLUGGED', state: 'disconnected' };
const device: Device = { id: 1, udid: 'A', isOnline: true, deviceName: 'Kiosk', platformVersion: '14' };
const offline: Device = { ...device, isOnline: false };

const kinds = (one: Expected | undefined, other: Device | undefined, isPlugged?: boolean) =>
  differencesOf('A', one, other && { device: other, ...(isPlugged !== undefined && { isPlugged }) }).map(
    ({ difference, here: hereIs, there }) => `${difference}: ${hereIs} / ${there}`,
  );

describe('differencesOf', () => {
  it('finds none where both agree', () => {
    expect(kinds(here, device)).toEqual([]);
    expect(kinds(gone, offline, false)).toEqual([]);
    expect(kinds({ ...here, state: 'unauthorized' }, offline, true)).toEqual([]);
  });

  it.each([
    ['missing there', here, undefined, undefined, ['missing there: online / undefined']],
    ['unknown here', undefined, device, undefined, ['unknown here: undefined / online']],
    ['known to nobody', undefined, undefined, undefined, []],
    ['online there only', gone, device, undefined, ['online: offline / online']],
    ['online here only', here, offline, undefined, ['online: online / offline']],
    ['plugged in there only', gone, offline, true, ['plugged: unplugged / plugged in']],
    [
      'plugged in here only',
      { ...here, state: 'unauthorized' },
      offline,
      false,
      ['plugged: plugged in / unplugged'],
    ],
    ['another name', here, { ...device, deviceName: 'Old' }, undefined, ['name: Kiosk / Old']],
    ['another version', here, { ...device, platformVersion: '13' }, undefined, ['version: 14 / 13']],
  ] as const)('finds a phone that is %s', (_, one, other, isPlugged, found) => {
    expect(kinds(one, other, isPlugged)).toEqual(found);
  });

  it('takes what one of them does not say for no difference', () => {
    const { deviceName: _, platformVersion: __, ...nameless } = here;
    expect(kinds(nameless, device)).toEqual([]);
    expect(kinds(here, { id: 1, deviceName: null, platformVersion: null, isOnline: null })).toEqual([]);
  });

  it('lets the cloud keep a replaced udid, but not as online', () => {
    expect(kinds({ ...gone, replacedBy: 'B' }, offline)).toEqual([]);
    expect(kinds({ ...gone, replacedBy: 'B' }, undefined)).toEqual([]);
    expect(kinds({ ...gone, replacedBy: 'B' }, device)).toEqual(['unknown here: replaced by B / online']);
  });
});

describe('expectedOf', () => {
  const phone = (udid: string, more: Partial<RosterDevice> = {}): RosterDevice => ({
    ...{ udid, serial: udid, connection: 'usb', attached: true, state: 'device', lastSeenAt: 1 },
    identity: { model: 'Pixel 7', androidRelease: '14', isEmulator: false },
    ...more,
  });

  it('is what this host would report, after its rules', async () => {
    const rules = '[{"match":{"udid":"A"},"deviceName":"Kiosk"},{"match":{"udid":"B"},"ignore":true}]';
    const { config } = await loadConfig({ env: { HOSTNODE_DEVICES: rules }, defaultFile: '/nowhere.yaml' });
    const devices = [phone('A'), phone('B'), phone('C', { supersededBy: 'A' })];
    expect(expectedOf(devices, config, new Slots([]))).toMatchObject([
      { udid: 'A', status: 'PLUGGED', deviceName: 'Kiosk', platformVersion: '14' },
      { udid: 'C', deviceName: 'Pixel 7', replacedBy: 'A' },
    ]);
  });
});
