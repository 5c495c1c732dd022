import { describe, expect, it } from 'vitest';
import { anyHost } from '../../../src/base/environment.ts';
import { notInAdb, usbUnreadable } from '../../../src/diagnosis/rules/usb-unlisted.ts';
import type { HistoryEvent, Where } from '../../../src/history/events/event.ts';
import type { KernelFault } from '../../../src/host/kernel-line.ts';
import {
  controller,
  device,
  found,
  listed,
  longRunning,
  now,
  usbPhone,
} from '../../findings/usb-bench-host.ts';

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
      'Unplug it and plug it back in, or restart it; run hostnode doctor, and stop what holds it, as another adb server or a container; add its udev rule; update adb, the same for all programs and no snap; then restart the adb server, which interrupts all phones',
    ],
    [
      'major',
      'Pixel 8 at USB port 1-4.3 waits in its bootloader (fastboot)',
      'Run `fastboot reboot`, or hold power and volume down for 20 seconds; if it comes back here, free a stuck button, switch it to its other Android (`fastboot set_active other`), remove what was last installed, or flash its system again, which may erase it',
    ],
    [
      'major',
      'QUSB__BULK at USB port 1-4.5 does not boot: it is in Qualcomm emergency download mode',
      'Hold its power button, or power and volume down, for 30 seconds; if that does not help, flash it again, or have it repaired',
    ],
    [
      'minor',
      'Pixel 8 at USB port 1-4.4 has USB debugging off',
      'On the phone open Settings > Developer options and turn on USB debugging; if it is on, turn it off and on, choose file transfer or another USB mode (default USB configuration), or restart the phone; then undo its last build, app or module, or ask whoever manages it (MDM)',
    ],
  ]);
  expect(told[0]?.subject).toEqual({ kind: 'port', key: 'pci-0000:00:14.0-usb-0:4.2', slot: 'bay 2' });
});

it('asks for the adb server of the computer that a phone comes from by USB/IP, as in WSL', () => {
  const usb = { controllers: [{ ...controller, driver: 'vhci_hcd' }], devices: [usbPhone('1-1')] };
  expect(found([notInAdb], [], { usb })[0]?.remedy).toMatch(/^Stop the adb server .* \(ADB_SERVER_SOCKET\)/);
});

it('knows a phone that the kernel could not set up: the controller is full (sch3m4/pyadb#16)', () => {
  const [told] = found([notInAdb], [usbPhone('1-4.2', { interfaces: [] })], {});
  expect(told).toMatchObject({
    severity: 'major',
    title: 'Pixel 8 at USB port 1-4.2 was found by the kernel, and could not be set up',
  });
  expect(told?.remedy).toContain('controller');
  const keyboard = device('1-4.3', { vendorId: '046d', productId: 'c31c', interfaces: [] });
  expect(found([notInAdb], [keyboard], {})).toEqual([]);
});

it('knows a phone that the host does not let in (USBGuard/usbguard#638)', () => {
  const blocked = usbPhone('1-4.2', { interfaces: [], isBlocked: true });
  expect(found([notInAdb], [blocked], {})).toMatchObject([
    {
      title: 'Pixel 8 at USB port 1-4.2 is blocked on this host',
      remedy: expect.stringMatching(/^Let it in/),
    },
  ]);
});

it('is about the phone that was last at the port, where a chip that does not boot has no serial', () => {
  const chip = device('1-4.5', { vendorId: '05c6', productId: '9008', product: 'QUSB__BULK' });
  const where = { devpath: '1-4.5', usbPath: 'pci-0000:00:14.0-usb-0:4.5' };
  const missed = listed('1-4.5', { where, attached: false, state: 'disconnected' });
  const earlier = { ...missed, udid: 'P9', serial: 'P9' };
  const went = (id: number, udid: string, from: Where) =>
    ({ id, kind: 'detached', udid, where: from, at: now - 900_000 + id }) as const;
  const both = { phones: [missed, earlier], adbPorts: [] };
  const last = [longRunning, went(2, 'P9', where), went(3, 'P8', where)];
  expect(found([notInAdb], [chip], both, last)).toMatchObject([
    {
      certainty: 'likely',
      subject: { kind: 'phone', key: 'P8' },
      title: 'Pixel 8 (P8) does not boot: it is in Qualcomm emergency download mode',
      udids: ['P8'],
    },
  ]);
  const elsewhere = { devpath: '1-4.5', usbPath: 'pci-0000:03:00.0-usb-0:4.5' };
  expect(found([notInAdb], [chip], both, [longRunning, went(2, 'P8', elsewhere)])).toMatchObject([
    { subject: { kind: 'port' }, udids: [] },
  ]);
  const named = { ...chip, serial: 'P9' };
  expect(found([notInAdb], [named], both, last)).toMatchObject([{ certainty: 'certain', udids: ['P9'] }]);
});

it('is about the phone that is missed, known by its serial, so that it explains its absence', () => {
  const missed = listed('1-9', { attached: false, state: 'disconnected' });
  const files = usbPhone('1-4.4', { interfaces: [{ kind: '06/01/01', endpoints: 3 }] });
  expect(found([notInAdb], [files], { phones: [missed], adbPorts: [] })).toMatchObject([
    { severity: 'major', subject: { kind: 'phone', key: 'P8' }, udids: ['P8'] },
  ]);
  const modem = usbPhone('1-4.4', { interfaces: [{ kind: '02/02/01', endpoints: 1 }] });
  expect(found([notInAdb], [modem], { phones: [missed], adbPorts: [] })).toMatchObject([
    { severity: 'major', title: expect.stringContaining('has USB debugging off') },
  ]);
  expect(found([notInAdb], [modem], { adbPorts: [] })).toEqual([]);
  const lost = { id: 1, kind: 'detached', udid: 'P8', where: missed.where, at: now - 600_000 } as const;
  expect(found([notInAdb], [files], { phones: [missed], adbPorts: [] }, [lost])[0]?.since).toBe(lost.at);
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

it('is minor for ten minutes of a phone in another mode: somebody may flash it, or set it up', () => {
  const fastboot = { interfaces: [{ kind: 'ff/42/03', endpoints: 2 }] };
  const after = (minutes: number) =>
    found([notInAdb], [usbPhone('1-4.2', { ...fastboot, connectedAt: now - minutes * 60_000 })])[0]?.severity;
  expect([after(9), after(10)]).toEqual(['minor', 'major']);
  const held = usbPhone('1-4.2', { connectedAt: now - 60_000 });
  const full = usbPhone('1-4.3', { interfaces: [], connectedAt: now - 60_000 });
  expect(found([notInAdb], [held, full]).map(({ severity }) => severity)).toEqual(['major', 'major']);
});

it('blames the server of the host, and no port, where adb lists none of several phones', () => {
  const two = [usbPhone('1-4.2'), usbPhone('1-4.3', { serial: 'P9' })];
  const missed = listed('1-4.2', { attached: false, state: 'disconnected' });
  expect(found([notInAdb], two, { phones: [missed], adbPorts: [] })).toMatchObject([
    {
      severity: 'major',
      subject: { kind: 'host' },
      title: 'USB shows 2 phones that have USB debugging on, and adb lists none of them',
      remedy: expect.stringMatching(/^Restart the adb server; run hostnode doctor/),
      udids: ['P8'],
    },
  ]);
  expect(found([notInAdb], two, { adbPorts: ['1-4.2'] })).toMatchObject([
    { remedy: expect.stringMatching(/^Unplug it/) },
  ]);
});

it('names each phone of the host once, though two have one serial', () => {
  const clones = [usbPhone('1-4.2'), usbPhone('1-4.3')];
  const missed = listed('1-4.2', { attached: false, state: 'disconnected' });
  expect(found([notInAdb], clones, { phones: [missed], adbPorts: [] })).toMatchObject([{ udids: ['P8'] }]);
  const twins = [missed, { ...missed, udid: 'P8-2' }];
  expect(found([notInAdb], [usbPhone('1-4.2')], { phones: twins, adbPorts: [] })).toMatchObject([
    { subject: { kind: 'port' }, udids: ['P8', 'P8-2'] },
  ]);
});

it('has a container given all of USB', () => {
  const hostKind = { ...anyHost, inContainer: true };
  const adbAt = { host: '127.0.0.1', port: 5037, hostKind };
  const adb = { address: '127.0.0.1:5037', state: 'ok', since: 0 };
  const remedies = (...devices: ReturnType<typeof usbPhone>[]) =>
    found([notInAdb], devices, { host: { adb, adbAt, reports: {} }, adbPorts: [] }).map(
      ({ remedy }) => remedy,
    );
  const ofUsb = expect.stringContaining('whole folder /dev/bus/usb');
  expect([remedies(usbPhone('1-4.2')), remedies(usbPhone('1-4.2'), usbPhone('1-4.3'))]).toEqual([
    [ofUsb],
    [ofUsb],
  ]);
});

describe('what the kernel cannot read', () => {
  const gaveUp = (seconds: number, fault: KernelFault = 'enumerate'): HistoryEvent => ({
    ...{ id: 7, kind: 'kernel', fault, count: 2, at: now - seconds * 1000 },
    where: { devpath: '1-4.3', usbPath: '1-4.3', hub: '1-4' },
  });

  it('is found by its log, until something is there', () => {
    expect(found([usbUnreadable], [], {}, [gaveUp(61)])).toMatchObject([
      {
        code: 'USB_UNREADABLE',
        certainty: 'certain',
        subject: { kind: 'port', key: 'pci-0000:00:14.0-usb-0:4.3' },
        title:
          'The kernel cannot read what is plugged in at USB port 1-4.3: gave up on what is plugged in, 2 times',
        evidence: [7],
      },
    ]);
    expect(found([usbUnreadable], [], {}, [gaveUp(61, 'resources')])[0]?.remedy).toMatch(
      /another controller/,
    );
    const missed = listed('1-4.3', { attached: false, state: 'disconnected' });
    const went = (id: number, udid: string) =>
      ({ id, kind: 'detached', udid, where: missed.where, at: now - 300_000 + id }) as const;
    const phones = [missed, { ...missed, udid: 'P9', serial: 'P9' }];
    const last = [went(1, 'P9'), went(2, 'P8'), gaveUp(61)];
    expect(found([usbUnreadable], [], { phones }, last)[0]?.udids).toEqual(['P8']);
    const attached = {
      id: 8,
      kind: 'attached',
      state: 'device',
      udid: 'A',
      at: now - 60_500,
      where: { devpath: '1-4.3' },
    } as const;
    const others = [gaveUp(30), gaveUp(7 * 3600), gaveUp(61, 'reset'), gaveUp(61, 'config')]; // NOT_IN_ADB has the last
    for (const events of [...others.map((other) => [other]), [gaveUp(61), attached]])
      expect(found([usbUnreadable], [], {}, events)).toEqual([]);
    expect(found([usbUnreadable], [usbPhone('1-4.3')], {}, [gaveUp(61)])).toEqual([]);
  });

  it('is found by the state of its port, but not while something happens there', () => {
    const usb = { controllers: [], devices: [], unreadPorts: ['1-4.3'] };
    expect(found([usbUnreadable], [], { usb })).toMatchObject([{ certainty: 'likely' }]);
    expect(found([usbUnreadable], [], { usb }, [gaveUp(10, 'reset')])).toEqual([]);
  });
});

it('says nothing where adb’s list is not known', () => {
  const { adbPorts: _, ...unknown } = { adbPorts: [], isAdbListed: false };
  expect(found([notInAdb], [usbPhone('1-4.2')], unknown)).toEqual([]);
});
