import { describe, expect, it } from 'vitest';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { printable } from '../../src/base/printable.ts';
import { hubOf } from '../../src/history/events/where.ts';
import {
  type NamedPhone,
  NameError,
  type PlacedPhone,
  resolveName,
  resolvePhone,
  resolvePhones,
} from '../../src/status/names.ts';

/** What the resolver gives, or why it refuses. */
function answerOf<T>(resolve: () => T): T | { problem: string; isKnown: boolean } {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    return { problem: error.message, isKnown: error.isKnown };
  }
}

/** A phone with its place beside its names. */
type Flat = Omit<NamedPhone, 'where'> & { slot?: string; devpath?: string };
const seated = ({ slot, devpath, ...phone }: Flat): NamedPhone => ({
  ...phone,
  where: omitUndefined({ slot, devpath }),
});

describe('resolvePhone', () => {
  const phones: Flat[] = [
    { udid: 'R58M1', serial: '192.168.1.7:5555', slot: 'rack 2, bay 4' },
    { udid: '0123@1-4', serial: '0123' },
    { udid: '0123@1-5', serial: '0123' },
    { udid: '192.168.1.7:5555', serial: 'other' },
  ];
  const called = (name: string, some: readonly Flat[] = phones) =>
    answerOf(() => resolvePhone(name, some.map(seated)));

  it('finds a phone by its udid before anything else, by its slot, and by its serial', () => {
    expect(called('192.168.1.7:5555')).toBe('192.168.1.7:5555');
    expect(called('Rack 2, bay 4')).toBe('R58M1');
    expect(called('other')).toBe('192.168.1.7:5555');
  });

  it('finds it by what the page shows, in any case, where that is unique', () => {
    const shown = [
      { udid: 'A', serial: 'A', name: 'Lab 1 – payments', model: 'POCO F6', slot: 'bay 1', devpath: '1-2.1' },
      { udid: 'B', serial: 'B', name: 'Pixel 5', model: 'Pixel 5', devpath: '1-2.10' },
    ];
    for (const name of ['lab 1 – payments', 'poco f6', 'Bay 1', '1-2.1'])
      expect([name, called(name, shown)]).toEqual([name, 'A']);
    expect(called('pixel 5', shown)).toBe('B');
    expect(called('a', shown)).toMatchObject({ isKnown: false }); // not in another case by its udid
  });

  it('lists those that have the name, each with what tells it apart, and counts the rest of many', () => {
    const two = [
      { udid: 'A', serial: 'A', name: 'Kiosk', model: 'POCO F6', slot: 'rack 2, bay 4' },
      { udid: 'B', serial: 'B', name: 'POCO F6', model: 'POCO F6', devpath: '1-2.1' },
      { udid: 'C', serial: 'C', name: 'C', model: 'POCO F6' },
    ];
    expect(called('POCO F6', two)).toEqual({
      problem: 'POCO F6 matches A (Kiosk at rack 2, bay 4), B (at 1-2.1), C: give the udid',
      isKnown: true,
    });
    const many = Array.from({ length: 60 }, (_, index) => ({
      udid: `P${index}`,
      serial: '',
      model: 'Pixel',
    }));
    expect(called('Pixel', many)).toMatchObject({
      problem: 'Pixel matches P0, P1, P2, P3, P4, P5, P6, P7 and 52 more: give the udid',
    });
  });

  it('lets no phone take the udid of another one by its name', () => {
    const impostor = { udid: 'X', serial: 'X', name: 'R58M1' };
    expect(called('R58M1', [...phones, impostor])).toBe('R58M1');
  });

  it('lets no phone take the slot or port of another one by its name', () => {
    const slot = 'rack 2, bay 4';
    const meant = { udid: 'A', serial: 'A', slot, devpath: '1-4' };
    const others = [slot, '1-4'].map((name) => ({ udid: `B ${name}`, serial: 'B', name, model: name }));
    for (const name of [slot, '1-4']) expect(called(name, [...others, meant])).toBe('A');
  });

  it('does not guess', () => {
    expect(called('0123')).toEqual({
      problem: '0123 matches 0123@1-4, 0123@1-5: give the udid',
      isKnown: true,
    });
    expect(called('R58M2')).toEqual({
      problem: 'no phone on this host has the name R58M2; did you mean R58M1?',
      isKnown: false,
    });
    expect(called('R58N40', [{ udid: 'R58N40ABCBC', serial: 'R58N40ABCBC' }])).toEqual({
      problem: 'no phone on this host has the name R58N40; did you mean R58N40ABCBC?',
      isKnown: false,
    });
    expect(called('..', [{ udid: '1-10.3', serial: '' }])).toEqual({
      problem: 'no phone on this host has the name ..; hostnode status --all lists the phones',
      isKnown: false,
    });
    expect(called('Pixel', [])).toEqual({
      problem: 'no phone on this host has the name Pixel; hostnode status --all lists the phones',
      isKnown: false,
    });
  });
});

const at = (udid: string, port: string, { slot, ...more }: Partial<Flat & PlacedPhone> = {}): PlacedPhone => {
  const usbPath = `pci-0000:00:14.0-usb-0:${port}`;
  const where = omitUndefined({ slot, devpath: `1-${port}`, usbPath, hub: hubOf(usbPath) });
  return { udid, serial: udid, attached: true, where, ...more };
};

const slots = ['rack 2, shelf 3, bay 1', 'rack 2, shelf 3, bay 2', 'rack 2, shelf 4, bay 1', 'desk'];
const phones: PlacedPhone[] = [
  at('A', '4.1', { name: 'Kiosk', model: 'POCO F6', slot: slots[0] ?? '' }),
  at('B', '4.2', { name: 'POCO F6', model: 'POCO F6', slot: slots[1] ?? '' }),
  at('C', '3', { name: 'rack 2, shelf 3', model: 'Pixel 5' }),
  {
    udid: 'N',
    serial: '192.168.1.7:5555',
    name: 'Net',
    attached: true,
    where: { slot: 'desk' },
  },
];

/** With the udids of the phones. */
const called = (name: string, some: readonly PlacedPhone[] = phones) =>
  answerOf(() => {
    const named = resolveName(name, some, slots);
    return { ...named, udids: named.phones.map(({ udid }) => udid) };
  });

describe('resolveName', () => {
  it.each([
    ['A', 'A', 'Kiosk'],
    ['192.168.1.7:5555', 'N', 'Net'],
    ['kiosk', 'A', 'Kiosk'],
    [' Pixel 5 ', 'C', 'rack 2, shelf 3'],
  ])('finds a phone by %s', (name, udid, shown) => {
    expect(called(name)).toMatchObject({ kind: 'phone', name: shown, udids: [udid] });
  });

  it('finds a slot with the phones in it, also an empty one', () => {
    expect(called('Rack 2, shelf 3, bay 2')).toMatchObject({
      kind: 'slot',
      name: slots[1],
      of: { slots: [slots[1]] },
      udids: ['B'],
    });
    expect(called('rack 2, shelf 4, bay 1')).toMatchObject({ kind: 'slot', udids: [] });
  });

  it('finds the slots of a shelf, whatever a phone calls itself', () => {
    expect(called('rack 2, shelf 3')).toMatchObject({
      kind: 'shelf',
      name: 'rack 2, shelf 3',
      of: { slots: slots.slice(0, 2) },
      udids: ['A', 'B'],
    });
  });

  it('finds a port and a hub by both of their paths', () => {
    const [port, hub] = [
      { kind: 'port', name: '1-4.2', where: { usbPath: 'pci-0000:00:14.0-usb-0:4.2' }, udids: ['B'] },
      { kind: 'hub', name: '1-4', where: { hub: 'pci-0000:00:14.0-usb-0:4' }, udids: ['A', 'B'] },
    ];
    for (const name of ['1-4.2', 'pci-0000:00:14.0-usb-0:4.2', 'USB port 1-4.2', 'port 1-4.2'])
      expect(called(name)).toMatchObject(port);
    for (const name of ['1-4', 'pci-0000:00:14.0-usb-0:4', 'hub 1-4', 'Hub 1-4'])
      expect(called(name)).toMatchObject(hub);
    const chips = [at('D', '5.1.1'), at('E', '5.2.1'), at('F', '6')];
    for (const name of ['1-5', 'hub 1-5', 'pci-0000:00:14.0-usb-0:5'])
      expect(called(name, chips)).toMatchObject({
        kind: 'hub',
        name: '1-5',
        where: { hub: 'pci-0000:00:14.0-usb-0:5' },
        udids: ['D', 'E'],
      });
    expect(called('1-5.1', chips)).toMatchObject({ kind: 'hub', udids: ['D'] });
  });

  it('finds a phone by its udid though that is also the name of a place', () => {
    expect(called('1-4', [...phones, at('1-4', '9')])).toMatchObject({ kind: 'phone', udids: ['1-4'] });
  });

  it('finds this host, whatever a phone calls itself', () => {
    const host = { udid: 'host', serial: 'host', name: 'Host', model: 'this host' };
    for (const name of ['host', 'this host', 'Host'])
      expect(called(name, [...phones, at('X', '9', host)])).toMatchObject({ kind: 'host' });
  });

  it('does not guess among phones of one name', () => {
    expect(called('POCO F6')).toEqual({
      problem:
        'POCO F6 matches A (Kiosk at rack 2, shelf 3, bay 1), B (at rack 2, shelf 3, bay 2): give the udid',
      isKnown: true,
    });
  });

  it.each([
    ['Kiosc', 'did you mean Kiosk?'],
    ['rack 2, shelf 33', 'did you mean rack 2, shelf 3?'],
    ['', 'hostnode status --all lists the phones and their slots'],
    ['\u001b[31m'.repeat(40), 'hostnode status --all lists the phones and their slots'],
  ])('names the nearest of %j, where one is near', (name, remedy) => {
    expect(called(name)).toEqual({
      problem: printable(`nothing on this host has the name ${name.trim()}; ${remedy}`),
      isKnown: false,
    });
  });

  it('finds nothing on a host without phones and slots', () => {
    expect(answerOf(() => resolveName('A', [], []))).toMatchObject({ isKnown: false });
    expect(answerOf(() => resolveName('', [], []))).toMatchObject({ isKnown: false });
  });
});

describe('resolvePhones', () => {
  const phones: PlacedPhone[] = [
    at('A', '4.1', { name: 'POCO F6', slot: 'rack 2, shelf 3, bay 1' }),
    at('B', '4.2', { name: 'POCO F6', slot: 'rack 2, shelf 3, bay 2' }),
    at('C', '4.3', { slot: 'rack 2, shelf 4, bay 1', attached: false }),
    at('D', '4.1', { slot: 'rack 2, shelf 3, bay 1', attached: false }),
    { udid: 'N', serial: '192.168.1.7:5555', attached: true, where: { slot: 'desk' } },
    at('star*', '9'),
  ];
  const slots = ['rack 2, shelf 3, bay 1', 'rack 2, shelf 5, bay 1'];
  const meant = (name: string) => {
    const found = answerOf(() => resolvePhones(name, phones, slots));
    return 'problem' in found ? found.problem : found.map(({ udid }) => udid).join(' ');
  };

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
      /^no phone sits in a slot like rack 3, \*; hostnode status --all lists the phones and their slots$/,
    ],
    ['*'.repeat(201), /^nothing on this host has the name /],
    ['nobody', /^nothing on this host has the name nobody/],
  ])('says what is wrong with %j', (name, problem) => {
    expect(meant(name)).toEqual(expect.stringMatching(problem));
  });
});
