import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { type Attachment, isPlaceholderSerial, nameDevices } from '../../src/roster/udid.ts';

const NODE = 'node-1';
const usb = (serial: string, devpath: string, state = 'device'): ListedDevice => ({ serial, devpath, state });
const net = (serial: string, state = 'device'): ListedDevice => ({ serial, state });

const udids = (attachments: (ListedDevice | Attachment)[], shared: string[] = []) =>
  nameDevices(
    attachments.map((one) => ('listed' in one ? one : { listed: one })),
    NODE,
    new Set(shared),
  ).named.map(({ udid, listed }) => [udid, listed.serial]);

describe('nameDevices', () => {
  it('calls a phone on USB by its serial', () => {
    expect(udids([usb('R58M123', '1-4')])).toEqual([['R58M123', 'R58M123']]);
  });

  it('calls a phone on the network by its own serial, so that a new address is no new phone', () => {
    expect(udids([{ listed: net('192.168.1.7:5555'), known: { serialNumber: 'R58M123' } }])).toEqual([
      ['R58M123', '192.168.1.7:5555'],
    ]);
  });

  it("calls a phone on the network by adb's serial while its own is not known", () => {
    expect(udids([net('192.168.1.7:5555')])).toEqual([['192.168.1.7:5555', '192.168.1.7:5555']]);
  });

  it.each([
    ['adb-R58M-123-AbCdEf._adb-tls-connect._tcp', 'R58M-123'],
    ['adb-R58M123-AbCdEf (2)._adb-tls-connect._tcp.', 'R58M123'],
    ['adb-1A2B3C4D._adb._tcp', '1A2B3C4D'],
    ['adb-LAB-01._adb._tcp', 'LAB-01'],
    ['adb-1A2B3C4D (2)._adb._tcp', '1A2B3C4D'],
    ['adb-unidentified._adb._tcp', 'adb-unidentified._adb._tcp'],
  ])('takes the serial out of the mDNS name %s', (name, udid) => {
    expect(udids([net(name)])).toEqual([[udid, name]]);
  });

  it('adds the node to the name of an emulator, however it is attached', () => {
    expect(
      udids([
        net('emulator-5554'),
        { listed: net('127.0.0.1:5557'), known: { isEmulator: true, serialNumber: 'EMULATOR35X1X2X0' } },
        { listed: net('192.168.56.101:5555'), known: { isEmulator: true, serialNumber: 'unknown' } },
      ]),
    ).toEqual([
      ['emulator-5554@node-1', 'emulator-5554'],
      ['emulator-5556@node-1', '127.0.0.1:5557'],
      ['192.168.56.101:5555@node-1', '192.168.56.101:5555'],
    ]);
  });

  it('sees one emulator behind its console name and its address', () => {
    expect(
      udids([net('emulator-5554'), { listed: net('127.0.0.1:5555'), known: { isEmulator: true } }]),
    ).toEqual([['emulator-5554@node-1', 'emulator-5554']]);
  });

  it('separates two phones of one serial by their ports', () => {
    expect(udids([usb('CHEAP', '1-1'), usb('CHEAP', '1-2')])).toEqual([
      ['CHEAP@1-1', 'CHEAP'],
      ['CHEAP@1-2', 'CHEAP'],
    ]);
  });

  it('keeps the suffix of a twin whose other is unplugged', () => {
    expect(udids([usb('CHEAP', '1-1')], ['CHEAP'])).toEqual([['CHEAP@1-1', 'CHEAP']]);
  });

  it.each([
    '0123456789ABCDEF',
    '1234567890ABCDEF',
    '0123456789',
    '1234567',
    '00000000',
    'unknown',
    'EMULATOR35X1X2X0',
  ])('takes %s for no name of one phone', (serial) => {
    expect(isPlaceholderSerial(serial)).toBe(true);
    expect(udids([usb(serial, '2-1.3')])).toEqual([[`${serial}@2-1.3`, serial]]);
  });

  it.each(['R58M123', '12345', '0a388e93', 'emu', '98897a474748594558'])('trusts %s', (serial) => {
    expect(isPlaceholderSerial(serial)).toBe(false);
  });

  it('calls a phone without serial by its USB path, and leaves one without either to the log', () => {
    const { named, nameless } = nameDevices([{ listed: usb('', '1-4') }, { listed: net('') }], NODE);
    expect(named.map(({ udid }) => udid)).toEqual(['1-4']);
    expect(nameless).toEqual([net('')]);
  });

  it('sees one phone on USB and network, and collects it over USB', () => {
    expect(
      udids([{ listed: net('192.168.1.7:5555'), known: { serialNumber: 'R58' } }, usb('R58', '1-4')]),
    ).toEqual([['R58', 'R58']]);
  });

  const claimed = { serialNumber: 'R58', bootId: 'a' };
  const wifi: Attachment = { listed: net('192.168.1.7:5555'), known: claimed };

  it.each([
    ['lets nobody in', 'unauthorized', {}],
    ['is offline', 'offline', {}],
    ['has not told who it is when it was asked', 'device', { isSilent: true }],
    ['is in another boot', 'device', { ...claimed, bootId: 'b' }],
  ])(
    'keeps a phone on the network apart that claims the serial of one on USB: that %s',
    (_, state, known) => {
      const both = [
        ['R58', 'R58'],
        ['R58@192.168.1.7:5555', '192.168.1.7:5555'],
      ];
      const cable: Attachment = { listed: usb('R58', '1-4', state), known };
      expect(udids([cable, wifi])).toEqual(both);
      expect(udids([wifi, cable])).toEqual(both);
      expect(udids([cable, { ...wifi, udid: 'R58' }])).toEqual(both);
    },
  );

  it.each(['unauthorized', 'offline', 'no permissions'])(
    'goes on telling one phone where both ways were of one boot, and how its cable is: %s',
    (state) => {
      const cable: Attachment = { listed: usb('R58', '1-4', state), known: { ...claimed, isStale: true } };
      expect(udids([cable, wifi])).toEqual([['R58', 'R58']]);
    },
  );

  it('sees one phone although it rebooted and was not collected since', () => {
    const cable: Attachment = { listed: usb('R58', '1-4'), known: { ...claimed, bootId: 'b' } };
    const before: Attachment = { ...wifi, known: { ...claimed, isStale: true } };
    expect(udids([cable, before])).toEqual([['R58', 'R58']]);
  });

  it('sees two phones where one serial answers from two boots', () => {
    expect(
      udids([
        { listed: usb('R58', '1-4'), known: { serialNumber: 'R58', bootId: 'a' } },
        { listed: net('192.168.1.7:5555'), known: { serialNumber: 'R58', bootId: 'b' } },
      ]),
    ).toEqual([
      ['R58', 'R58'],
      ['R58@192.168.1.7:5555', '192.168.1.7:5555'],
    ]);
  });

  const SHA = /^serial-sha256-[0-9a-f]{32}$/;

  it.each([
    ['a phone on USB', usb('SER7@1-4', '1-9')],
    ['a phone on the network', net('SER7@1-4:5555')],
    ['a phone that claims it', { listed: net('10.0.0.8:5555'), known: { serialNumber: 'SER7@1-4' } }],
    ['a phone on the network with a port', net('S-A@10.0.0.8:5555')],
  ])('gives no phone the name that two of one serial get from their ports: %s', (_, literal) => {
    const twins = [usb('SER7', '1-4'), usb('SER7', '1-6')];
    const orders = [
      [...twins, literal],
      [literal, ...twins],
    ].map((order) => new Map(udids(order).map(([udid, serial]) => [udid, serial])));
    for (const order of orders) {
      expect(order.size).toBe(3);
      expect(order.get('SER7@1-4')).toBe('SER7');
      expect(order.get('SER7@1-6')).toBe('SER7');
    }
    expect([...(orders[0]?.keys() ?? [])].sort()).toEqual([...(orders[1]?.keys() ?? [])].sort());
    expect(udids([literal])[0]?.[0]).toMatch(SHA); // the same name without the twins
    expect(orders[0]?.has(udids([literal])[0]?.[0] ?? '')).toBe(true);
  });

  it('hashes a serial that looks like the hash of another', () => {
    const [[first = ''] = []] = udids([usb('a\nb', '1-1')]);
    expect(first).toMatch(/^sha256-/);
    const both = udids([usb('a\nb', '1-1'), usb(first, '1-2')]);
    expect(both).toEqual([
      [first, 'a\nb'],
      [expect.stringMatching(SHA), first],
    ]);
    const second = both[1]?.[0] ?? '';
    expect(udids([usb(first, '1-2'), usb(second, '1-3')])[1]?.[0]).not.toBe(second);
  });

  it('takes no phone on USB for an emulator', () => {
    expect(udids([net('emulator-5554'), usb('emulator-5554', '7-1')])).toEqual([
      ['emulator-5554@node-1', 'emulator-5554'],
      ['emulator-5554@7-1', 'emulator-5554'],
    ]);
  });

  it('names each phone once, whatever their serials are', () => {
    const part = fc.constantFrom('A', '@', '1-4', '1-6', ':5555', 'emulator-5554', 'node-1', 'unknown', '\n');
    const serial = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
    const devpath = fc.constantFrom('1-4', '1-6', '1-9', undefined);
    const listed = fc.record({ serial, devpath, state: fc.constant('device') }).map(omitUndefined);
    fc.assert(
      fc.property(fc.array(listed, { maxLength: 6 }), (list) => {
        const names = udids(list as ListedDevice[]).map(([udid]) => udid);
        expect(new Set(names).size).toBe(names.length);
      }),
      { numRuns: 2000 },
    );
  });
});
