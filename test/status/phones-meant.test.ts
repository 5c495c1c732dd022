import { describe, expect, it } from 'vitest';
import { phonesMeant } from '../../src/status/phones-meant.ts';
import type { LocatedPhone } from '../../src/status/placed-phones.ts';

const at = (udid: string, port: string, more: Partial<LocatedPhone> = {}): LocatedPhone => ({
  udid,
  serial: udid,
  attached: true,
  devpath: `1-${port}`,
  usbPath: `pci-0000:00:14.0-usb-0:${port}`,
  ...(port.includes('.') && { hub: `pci-0000:00:14.0-usb-0:${port.slice(0, port.lastIndexOf('.'))}` }),
  where: {},
  ...more,
});

const phones: LocatedPhone[] = [
  at('A', '4.1', { name: 'POCO F6', slot: 'rack 2, shelf 3, bay 1' }),
  at('B', '4.2', { name: 'POCO F6', slot: 'rack 2, shelf 3, bay 2' }),
  at('C', '4.3', { slot: 'rack 2, shelf 4, bay 1', attached: false }),
  at('D', '4.1', { slot: 'rack 2, shelf 3, bay 1', attached: false }),
  { udid: 'N', serial: '192.168.1.7:5555', attached: true, slot: 'desk', where: {} },
  at('star*', '9'),
];
const slots = ['rack 2, shelf 3, bay 1', 'rack 2, shelf 5, bay 1'];

const meant = (name: string) => {
  const found = phonesMeant(name, phones, slots);
  return 'problem' in found ? found.problem : found.phones.map(({ udid }) => udid).join(' ');
};

describe('phonesMeant', () => {
  it.each([
    ['a phone, attached or not', 'D', 'D'],
    ['a slot, without whoever was there before', 'rack 2, shelf 3, bay 1', 'A'],
    ['a shelf', 'rack 2, shelf 3', 'A B'],
    ['a shelf whose phones are lost', 'rack 2, shelf 4', 'C'],
    ['a port', '1-4.2', 'B'],
    ['a hub', 'hub 1-4', 'A B C'],
    ['the host', 'host', 'A B C N star*'],
    ['slots by a glob', 'RACK 2, *', 'A B C'],
    ['slots by a glob of single characters', 'rack 2, shelf ?, bay 1', 'A C'],
    ['a phone whose name looks like a glob', 'star*', 'star*'],
  ])('finds %s', (_, name, udids) => {
    expect(meant(name)).toBe(udids);
  });

  it.each([
    ['POCO F6', /^POCO F6 matches A .*, B .*: give the udid$/],
    ['rack 2, shelf 5, bay 1', 'no phone is known at rack 2, shelf 5, bay 1'],
    [
      'rack 3, *',
      /^no phone sits in a slot like rack 3, \*; hostnode status lists the phones and their slots$/,
    ],
    ['*'.repeat(201), /^nothing on this host has the name /],
    ['nobody', /^nothing on this host has the name nobody/],
  ])('says what is wrong with %j', (name, problem) => {
    expect(meant(name)).toEqual(expect.stringMatching(problem));
  });
});
