/** What a finding about one port tells to do, by what is seen there; when it begins and ends: `test/findings/endings.test.ts`. */
import { expect, it } from 'vitest';
import { linkUnstable, phoneUnstable, portUnstable } from '../../../src/diagnosis/rules/unstable.ts';
import type { KernelFault } from '../../../src/host/kernel-line.ts';
import type { UsbController } from '../../../src/host/usb-devices.ts';
import { at, contextOf, DAYS, HOURS, lost, phone } from '../../findings/told.ts';

type Events = Parameters<typeof contextOf>[1];

const controller = { name: 'pci-0000:00:14.0', driver: 'xhci_hcd', vendorId: '8086', deviceId: 'a36d' };
const seat = { ...at('1'), usbPath: 'pci-0000:00:14.0-usb-0:4.1' };

function remedyOf(awaySeconds: number, { of = controller, more = [] as Events } = {}) {
  const told = [1, 1.9, 3.2].flatMap((day) => lost(day * DAYS, 'A', seat, awaySeconds));
  const context = contextOf(3.5 * DAYS, [...told, ...more], [phone('A', seat)]);
  const usb = { controllers: [of as UsbController], devices: [] };
  const found = portUnstable.evaluate({ ...context, now: { ...context.now, usb } }) ?? [];
  return [found].flat().map((each) => each?.remedy);
}

it('leads from the cable to another port, and to the host', () => {
  const [remedy] = remedyOf(5);
  expect(remedy).toMatch(
    /^Replace the cable .* restart the phone; .* powered hub, .* USB power saving .*; then update the phone/,
  );
});

it.each([
  ['QEMU', { ...controller, vendorId: '1b36', deviceId: '000d' }],
  ['VMware', { ...controller, vendorId: '15ad', deviceId: '0779' }],
  ['USB/IP', { ...controller, driver: 'vhci_hcd' }],
])(
  'has %s attach a phone that stays away, and replaces the cable of one that is back in seconds',
  (_, of) => {
    expect(remedyOf(600, { of })).toEqual([expect.stringMatching(/^Have the virtual machine attach/)]);
    expect(remedyOf(5, { of })).toEqual([expect.stringMatching(/^Replace the cable/)]);
  },
);

it.each([
  ['overCurrent', /stronger one$/],
  ['emi', /motors, radios/],
  ['enumerate', /turn its plug over/],
] as [KernelFault, RegExp][])('leads straight to what the kernel says: %s', (fault, says) => {
  const more: Events = [1, 1.9, 3.2].map((day) => [
    day * DAYS + 1,
    { kind: 'kernel', fault, count: 1, where: seat },
  ]);
  expect(remedyOf(5, { more })).toEqual([expect.stringMatching(says)]);
});

it('leads from the cable to the USB debugging of a phone that adb went on listing, as offline', () => {
  const offline = { kind: 'state', udid: 'A', where: seat } as const;
  const told = [1, 1.9, 3.2].flatMap(
    (day): Events => [
      [day * DAYS, { ...offline, state: 'offline', before: 'device' }],
      [day * DAYS + 60, { ...offline, state: 'device', before: 'offline' }],
    ],
  );
  const found = (some: Events) => portUnstable.evaluate(contextOf(3.5 * DAYS, some, [phone('A', seat)]));
  expect(found(told)).toMatchObject([
    {
      title: expect.stringMatching(/ lost Pixel A 3 times in 2 days, which adb called offline$/),
      remedy: expect.stringMatching(/^Replace the cable .*`adb reconnect`.*authorizations.* another port/),
    },
  ]);
  const [, , ...others] = told;
  const once = lost(1 * DAYS, 'A', seat, 60);
  expect(found([...once, ...others])).toMatchObject([
    { title: expect.stringMatching(/2 days$/), remedy: expect.not.stringContaining('adb reconnect') },
  ]);
});

it('leads to the programs of the host, and to no cable, where the kernel had reset the phone each time', () => {
  const told = [1, 1.9, 3.2].flatMap((day): Events => {
    const reset = { kind: 'kernel', fault: 'reset', count: 2, where: seat } as const;
    return [[day * DAYS - 15, reset], ...lost(day * DAYS, 'A', seat, 2)];
  });
  const context = contextOf(3.5 * DAYS, told, [phone('A', seat)]);
  expect(portUnstable.evaluate(context)).toEqual([]);
  expect(phoneUnstable.evaluate(context)).toMatchObject([
    {
      certainty: 'possible',
      title: 'Pixel A was lost 3 times in 2 days, each time after the kernel had reset it',
      remedy: expect.stringMatching(/^Close, and update, what opens the phone on the host/),
    },
  ]);
});

it('tells a phone that sleeps on the network some times a day, though another does so too; not where most do, nor what is taken along', () => {
  const found = (times: number, udids = ['N1', 'N2'], awaySeconds = 40 * 60) => {
    const told = udids.flatMap((udid) =>
      Array.from({ length: times }, (_, time) =>
        lost(Math.floor(time / 2) * DAYS + (4 + 4 * (time % 2)) * HOURS, udid, {}, awaySeconds),
      ).flat(),
    );
    const phones = udids.map((udid) => phone(udid, {}));
    return linkUnstable.evaluate(contextOf(8.5 * DAYS, told, phones));
  };
  expect(found(13)).toEqual([]);
  expect(found(14)).toMatchObject(
    ['N1', 'N2'].map((key) => ({ subject: { key }, severity: 'minor', certainty: 'possible' })),
  );
  expect(found(14, ['N1', 'N2', 'N3'])).toEqual([]);
  expect(found(14, undefined, 10 * 60)).toEqual([]); // so briefly, and alike: tests switch their Wi-Fi off and on
});
