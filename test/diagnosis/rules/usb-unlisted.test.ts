import { expect, it } from 'vitest';
import { notInAdb } from '../../../src/diagnosis/rules/usb-unlisted.ts';
import { device, found, listed, now, usbPhone } from '../../findings/usb-bench-host.ts';

const slots = [{ name: 'bay 2', paths: ['pci-0000:00:14.0-usb-0:4.2'] }];

it('names the phone, its slot and what to do, by what the phone waits for', () => {
  const devices = [
    usbPhone('1-4.2'),
    usbPhone('1-4.3', { interfaces: [{ kind: 'ff/42/03', endpoints: 2 }] }),
    usbPhone('1-4.4', { interfaces: [{ kind: 'ff/ff/00', endpoints: 3, name: 'MTP' }] }),
    device('1-4.5', { vendorId: '05c6', productId: '9008', product: 'QUSB__BULK' }),
  ];
  const told = found([notInAdb], devices, { setting: { expected: [], slots } });
  expect(told.map(({ severity, title, remedy }) => [severity, title, remedy])).toEqual([
    [
      'major',
      'Pixel 8 in bay 2 has USB debugging on, and adb does not list it',
      'Unplug it and plug it back in; if that does not help, run hostnode doctor',
    ],
    [
      'major',
      'Pixel 8 at USB port 1-4.3 waits in its bootloader (fastboot)',
      'Run fastboot reboot, or hold its power button for 10 seconds',
    ],
    [
      'major',
      'QUSB__BULK at USB port 1-4.5 does not boot: it is in Qualcomm emergency download mode',
      'Hold its power button for 20 seconds; if that does not help, flash it again',
    ],
    [
      'minor',
      'Pixel 8 at USB port 1-4.4 has USB debugging off',
      'On the phone open Settings > Developer options and turn on USB debugging',
    ],
  ]);
  expect(told[0]?.subject).toEqual({ kind: 'port', key: 'pci-0000:00:14.0-usb-0:4.2', slot: 'bay 2' });
});

it('knows the phone that is missed by its serial, so that it explains its absence', () => {
  const missed = listed('1-9', { attached: false, state: 'disconnected' });
  const files = usbPhone('1-4.4', { interfaces: [{ kind: '06/01/01', endpoints: 3 }] });
  expect(found([notInAdb], [files], { phones: [missed], adbPorts: [] })).toMatchObject([
    { severity: 'major', udids: ['P8'] },
  ]);
  const repaired = { ...missed, isInMaintenance: true };
  expect(found([notInAdb], [files], { phones: [repaired], adbPorts: [] })).toEqual([]);
});

it('waits a minute for a phone that was plugged in, and for an adb server that has just begun', () => {
  const after = (seconds: number) =>
    found([notInAdb], [usbPhone('1-4.2', { connectedAt: now - seconds * 1000 })]);
  expect([after(59), after(60)].map((told) => told.length)).toEqual([0, 1]);
  const back = (seconds: number) =>
    found([notInAdb], [usbPhone('1-4.2')], {}, [{ id: 1, kind: 'adbBack', at: now - seconds * 1000 }]);
  expect([back(59), back(60), back(-3600)].map((told) => told.length)).toEqual([0, 1, 1]);
});

it('blames the server, where adb lists no phone at all', () => {
  const two = [usbPhone('1-4.2'), usbPhone('1-4.3')];
  expect(found([notInAdb], two, { adbPorts: [] }).map(({ remedy }) => remedy)).toEqual(
    Array(2).fill(expect.stringMatching(/^adb lists no phone at all/)),
  );
  expect(found([notInAdb], two, { adbPorts: ['1-4.2'] })).toMatchObject([
    { remedy: expect.stringMatching(/^Unplug it/) },
  ]);
});

it('says nothing where adb’s list is not known', () => {
  const { adbPorts: _, ...unknown } = { adbPorts: [], isAdbListed: false };
  expect(found([notInAdb], [usbPhone('1-4.2')], unknown)).toEqual([]);
});
