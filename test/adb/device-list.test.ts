import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { confirmList, shortList } from '../../src/adb/device-list.ts';
import { ParseError } from '../../src/base/errors.ts';
import { expectFacts, expectUnreadable, samples } from '../support/corpus.ts';
import { notOurs } from '../support/corpus-not-ours.ts';

type Named = Pick<ListedDevice, 'serial' | 'state'>;

/** What a long list adds to these phones of the short one. */
const listed = (long: string, ...phones: readonly Named[]): ListedDevice[] =>
  confirmList(long, phones.map(({ serial, state }) => `${serial}\t${state}\n`).join('')).devices;

describe('a list of devices', () => {
  it.each(samples('adb_devices').filter(({ file }) => !Object.values(notOurs).flat().includes(file)))(
    'reads $file',
    ({ file, text, expected }) => {
      if (expected === null) {
        expectUnreadable(file, () => confirmList(text, text));
        return;
      }
      const wanted: Named[] = expected.devices ?? [{ serial: 'K5SAMAK490000763AJ', state: 'device' }];
      const devices = text.includes('\t') ? confirmList(text, text).devices : listed(text, ...wanted);
      expectFacts(
        file,
        devices.map(({ serial, state, model }, i) => ({
          serial,
          state,
          ...('model' in (wanted[i] ?? {}) && { model: model ?? null }),
        })),
        wanted,
      );
    },
  );

  it('has every column of a phone on a USB port', () => {
    const serial = '98897a474748594558';
    const details = 'usb:1-4.2 product:dreamqltesq model:SM_G950U device:dreamqltesq transport_id:7';
    expect(listed(`${serial}     device ${details}\n`, { serial, state: 'device' })).toEqual([
      {
        serial,
        state: 'device',
        devpath: '1-4.2',
        product: 'dreamqltesq',
        model: 'SM_G950U',
        device: 'dreamqltesq',
        transportId: 7,
      },
    ]);
  });

  it('keeps the reason for missing permissions and the path behind it', () => {
    const state =
      'no permissions (user root is not in the plugdev group); see [http://developer.android.com/tools/device.html]';
    expect(
      listed(`FAKE0003               ${state} usb:1-4.2 transport_id:2\n`, { serial: 'FAKE0003', state }),
    ).toEqual([
      {
        serial: 'FAKE0003',
        state: 'no permissions',
        reason: 'user root is not in the plugdev group',
        devpath: '1-4.2',
        transportId: 2,
      },
    ]);
  });

  it('has the transport id of an unauthorized phone, whose other columns are missing', () => {
    const phone = { serial: 'R32D102SZAE', state: 'unauthorized' };
    expect(listed('R32D102SZAE            unauthorized transport_id:3\n', phone)).toEqual([
      { ...phone, transportId: 3 },
    ]);
  });

  it('keeps the blanks of an mDNS name', () => {
    const phone = { serial: 'adb-R58M123 (2)._adb-tls-connect._tcp', state: 'device' };
    expect(listed(`${phone.serial} device product:x model:M device:d transport_id:9`, phone)).toEqual([
      { ...phone, product: 'x', model: 'M', device: 'd', transportId: 9 },
    ]);
  });

  it.each(['(no serial number)', '????????????'])('takes %s for no serial', (printed) => {
    const line = `${printed.padEnd(22)} device usb:3-1 transport_id:4`;
    expect(listed(line, { serial: printed, state: 'device' })).toEqual([
      { serial: '', state: 'device', devpath: '3-1', transportId: 4 },
    ]);
  });

  it("keeps a word of a newer adb's as it stands, also of a server with short lists only", () => {
    const phone = { serial: 'abc', state: 'hibernating' };
    expect(listed('abc                    hibernating', phone)).toEqual([phone]);
    expect(confirmList('abc\thibernating', 'abc\thibernating')).toEqual({ devices: [phone], doubts: [] });
  });

  it('takes no USB path from what a phone says of itself, and none without its mark', () => {
    const phone = { serial: '10.0.0.7:5555', state: 'device' };
    for (const details of ['product:x usb:1-1.2 model:M', '1-7 product:x'])
      expect(listed(`10.0.0.7:5555          device ${details} transport_id:3`, phone)).toEqual([
        expect.not.objectContaining({ devpath: expect.anything() }),
      ]);
  });

  it('finds no phone in an empty list, and is unreadable where it is none', () => {
    expect(listed('')).toEqual([]);
    expect(() => confirmList('no', 'no')).toThrow(ParseError);
  });
});

interface Phone {
  serial: string;
  state?: string;
  details?: string;
}

/** Both lists as adb writes them; without numbers as a server before platform-tools 28 does. */
function listsOf(phones: readonly Phone[], { isNumbered = true } = {}) {
  const long = phones.map(
    ({ serial, state = 'device', details = '' }, index) =>
      `${serial.padEnd(22)} ${state}${details}${isNumbered ? ` transport_id:${index + 1}` : ''}\n`,
  );
  const short = phones.map(({ serial, state = 'device' }) => `${serial}\t${state}\n`);
  return { long: long.join(''), short: short.join('') };
}

const confirmed = (phones: readonly Phone[], options?: { isNumbered: boolean }) => {
  const { long, short } = listsOf(phones, options);
  return confirmList(long, short);
};

const rig = { serial: 'RIG00001', details: ' usb:1-7 product:p model:M device:d' };
const taken = { serial: 'RIG00001', state: 'device', devpath: '1-7', product: 'p', model: 'M', device: 'd' };

describe('confirmList', () => {
  it('takes nothing from what a phone says of itself', () => {
    const details =
      ' product:foo\rEVILGHOST device 1-7\rRIG00001 device usb:1-9 transport_id:9 model:m device:d';
    const { devices, doubts } = confirmed([{ serial: '10.0.0.7:5555', details }, rig]);
    expect(devices.map(({ serial, devpath, transportId }) => ({ serial, devpath, transportId }))).toEqual([
      { serial: '10.0.0.7:5555', devpath: undefined, transportId: 1 },
      { serial: 'RIG00001', devpath: '1-7', transportId: 2 },
    ]);
    expect(doubts).toEqual([]);
  });

  it.each([
    ['a CR', 'a\rRIG00001 device usb:1-9'],
    ['blanks', 'a device usb:1-9 product:p'],
    ['TABs', 'a\tdevice usb:1-9\tdevice'],
    ['all of a line', 'GHOST                  device usb:1-9 product:p transport_id:9'],
    ['what adb itself prints', '* daemon started'],
    ['a state alone', 'device'],
    ['no permissions', 'x no permissions (who)'],
  ])('takes a serial with %s for a serial', (_, serial) => {
    expect(confirmed([{ serial, details: ' usb:1-4' }, rig])).toEqual({
      devices: [
        { serial, state: 'device', devpath: '1-4', transportId: 1 },
        { ...taken, transportId: 2 },
      ],
      doubts: [],
    });
  });

  it.each([
    ['a ghost', 'a\nGHOST\tdevice\nGHOST                  device usb:1-9 transport_id:9\nb'],
    ['another phone', 'a\nRIG00001\tdevice\nRIG00001               device usb:1-9 transport_id:2\nb'],
    ['itself', 'a\nGHOST1\tdevice\nGHOST1\tdevice transport_id:4'],
  ])('makes of a serial with line feeds no phone: %s', (_, serial) => {
    const { devices, doubts } = confirmed([{ serial, details: ' usb:1-4' }, rig]);
    expect(devices).toEqual([{ ...taken, transportId: 2 }]);
    expect(doubts).toHaveLength(serial.split('\n').length);
    // also where a phone came or went between the two lists
    const { long, short } = listsOf([{ serial, details: ' usb:1-4' }, rig]);
    const late = confirmList(long, `${short}LATE\tdevice\n`).devices;
    expect(late.filter(({ devpath }) => devpath !== '1-4')).toEqual([{ ...taken, transportId: 2 }]);
  });

  it('keeps the others where a server lets line feeds through in a property', () => {
    const hostile = {
      serial: 'a',
      details: ' usb:1-4 product:x\nGHOST device usb:1-9\nRIG00001 device usb:1-8',
    };
    const { devices, doubts } = confirmed([hostile, rig, { serial: 'b' }], { isNumbered: false });
    expect(devices).toEqual([
      { serial: 'a', state: 'device', devpath: '1-4', product: 'x' },
      { serial: 'RIG00001', state: 'device' }, // two lines claim its port
      { serial: 'b', state: 'device' },
    ]);
    expect(doubts).toHaveLength(3);
  });

  it('takes of two phones of one serial each', () => {
    const twin = { ...rig, details: ' usb:1-8' };
    expect(confirmed([rig, twin]).devices).toEqual([
      { ...taken, transportId: 1 },
      { serial: 'RIG00001', state: 'device', devpath: '1-8', transportId: 2 },
    ]);
  });

  it('leaves out who came or went between the two lists, and nobody else', () => {
    const { long } = listsOf([{ serial: 'a' }, rig, { serial: 'z' }]);
    const { short } = listsOf([rig, { serial: 's' }, { serial: 'z' }]);
    expect(confirmList(long, short).devices.map(({ serial }) => serial)).toEqual(['RIG00001', 'z']);
  });

  it('believes no number and no USB port that two phones have', () => {
    const long = [
      'a                      device usb:1-1 transport_id:1',
      'b                      device usb:1-1 transport_id:1',
      'c                      device usb:1-2 transport_id:2',
      'c                      offline usb:1-2 transport_id:3',
    ].join('\n');
    const short = 'a\tdevice\nb\tdevice\nc\tdevice\nc\toffline\n';
    expect(confirmList(long, short).devices).toEqual([
      { serial: 'a', state: 'device' },
      { serial: 'b', state: 'device' },
      { serial: 'c', state: 'device', devpath: '1-2', transportId: 2 },
      { serial: 'c', state: 'offline', devpath: '1-2', transportId: 3 },
    ]);
  });

  it('believes no number of a phone where the server gives none', () => {
    const phones = [{ serial: 'a', details: ' device:x transport_id:2' }, { serial: 'b' }];
    expect(confirmed(phones, { isNumbered: false }).devices).toEqual([
      { serial: 'a', state: 'device', device: 'x' },
      { serial: 'b', state: 'device' },
    ]);
  });

  it('keeps the reason for missing permissions, and no serial for none', () => {
    const state = 'no permissions (user in plugdev group; are your udev rules wrong?); see [http://x]';
    const { devices } = confirmed([{ serial: '(no serial number)', state, details: ' usb:1-4' }]);
    expect(devices).toEqual([
      {
        serial: '',
        state: 'no permissions',
        reason: 'user in plugdev group; are your udev rules wrong?',
        devpath: '1-4',
        transportId: 1,
      },
    ]);
  });

  it('keeps few words of a phone, however many it says', () => {
    const details = ` product:${'foo\rGHOST device 1-7\r'.repeat(5_000)} model:m`;
    const { devices, doubts } = confirmed([{ serial: 'a', details }, rig]);
    expect(devices).toHaveLength(2);
    expect(JSON.stringify({ devices, doubts }).length).toBeLessThan(1_000);
    const ghosts = `product:x${'\nGHOST                  device usb:1-9 transport_id:9'.repeat(5_000)}`;
    const forged = confirmed([{ serial: 'a', details: ghosts }, rig]);
    expect(forged.devices.map(({ serial }) => serial)).toEqual(['RIG00001']);
    expect(forged.doubts.length).toBeLessThanOrEqual(20);
    expect(JSON.stringify(forged.doubts).length).toBeLessThan(5_000);
  });

  it('bounds how many phones a server lists', () => {
    const { devices, doubts } = confirmed(
      Array.from({ length: 4_003 }, (_, index) => ({ serial: `S${index}` })),
    );
    expect(devices).toHaveLength(4_000);
    expect(doubts).toEqual(['lines behind the 4000th']);
  });

  it('bounds how many lines of a list are read at all', () => {
    const { devices, doubts } = confirmed(
      Array.from({ length: 100_000 }, (_, index) => ({ serial: `S${index}` })),
    );
    expect(devices).toHaveLength(4_000);
    expect(devices[0]).toEqual({ serial: 'S0', state: 'device' }); // no number of the long list
    expect(doubts).toEqual(['the long list: too long', 'lines behind the 4000th']);
  });

  it('finds, whatever a phone is called, the others as they are and none that is not there', () => {
    const sign = fc.constantFrom(
      ...['\n', '\r', '\t', ' ', 'device', 'usb:1-9', 'RIG00001', 'GHOST', 'transport_id:9', 'product:', 'x'],
    );
    const text = fc.array(sign, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (serial, product) => {
        const hostile = { serial, details: ` usb:1-4 product:${product.replaceAll('\n', '_')}` };
        const { devices } = confirmed([hostile, rig]);
        expect(devices.filter(({ transportId }) => transportId === 2)).toEqual([
          { ...taken, transportId: 2 },
        ]);
        expect(devices.length).toBeLessThanOrEqual(2);
        for (const { devpath } of devices) expect(['1-4', '1-7']).toContain(devpath);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('confirmList, with a phone whose text has line feeds', () => {
  const honest: Phone[] = [
    { serial: 'H1', details: ' usb:1-1 product:p' },
    { serial: '192.168.0.4:5555', details: ' product:p' },
    { serial: 'H3', state: 'offline', details: ' usb:1-3 product:p' },
  ];
  const serials = honest.map(({ serial }) => serial);
  const evil = (product: string, device = 'd'): Phone => ({
    serial: 'EVIL',
    details: ` usb:5-1 product:${product} model:m device:${device}`,
  });
  const ofHonest = (devices: readonly ListedDevice[]) =>
    devices.filter(({ serial }) => serials.includes(serial));
  /** The same numbers with and without the hostile phone. */
  const withEvil = (hostile: Phone, before?: ListedDevice[]) => {
    const { long, short } = listsOf([...honest, hostile]);
    return confirmList(long, short, before);
  };
  const alone = confirmed(honest).devices;

  it.each([
    ['short lines of others', 'p\nH1\tdevice\nH3\toffline\nx', 'd'],
    ['a line feed alone', 'p', '\n'],
    ['a number of another', 'p transport_id:1\nx', 'd'],
    ['what is nobody', 'p\nGHOST device usb:1-9 transport_id:9\nGHOST\tdevice', 'd'],
    ['itself', 'p\nEVIL device usb:1-1 transport_id:1', 'd'],
  ])('keeps the others as they are: %s', (_, product, device) => {
    const { devices } = withEvil(evil(product, device));
    expect(ofHonest(devices).map(({ serial, devpath }) => [serial, devpath])).toEqual(
      alone.map(({ serial, devpath }) => [serial, devpath]),
    );
    expect(devices.map(({ serial }) => serial)).not.toContain('GHOST');
    expect(devices).toHaveLength(4);
    expect(ofHonest(withEvil(evil(product, device), alone).devices)).toEqual(alone);
  });

  it('takes only from the hostile phone its number', () => {
    const { devices } = withEvil(evil('p', '\n'));
    expect(devices.map(({ transportId }) => transportId)).toEqual([1, 2, 3, undefined]);
    const forged = evil('p transport_id:2\nx');
    const numbers = (before?: ListedDevice[]) =>
      withEvil(forged, before).devices.map(({ transportId }) => transportId);
    expect(numbers(alone)).toEqual([1, 2, 3, undefined]);
    expect(numbers()).toEqual([1, undefined, 3, undefined]); // two lines end with it: each is asked by its serial
  });

  it('keeps a phone that a line claims for another port as it was', () => {
    const product = 'p\nH1 device usb:9-9 transport_id:7\nH1 device usb:1-1 transport_id:8\nx';
    expect(ofHonest(withEvil(evil(product), alone).devices)).toEqual(alone);
    expect(ofHonest(withEvil(evil(product)).devices)[0]).toEqual({ serial: 'H1', state: 'device' });
  });

  it('keeps two phones of one serial that a third claims to be', () => {
    const twins = [
      { serial: 'T', details: ' usb:2-1' },
      { serial: 'T', details: ' usb:2-2' },
    ];
    const before = confirmed(twins).devices;
    const { long, short } = listsOf([...twins, evil('p\nT device usb:2-9\nT device\nx')]);
    const { devices } = confirmList(long, short, before);
    expect(devices.filter(({ serial }) => serial === 'T')).toEqual(before);
    expect(confirmList(long, short).devices).toHaveLength(3);
  });

  it('keeps a phone apart from one with a blank behind the same serial', () => {
    const { long, short } = listsOf([...honest, { serial: 'H1 ', details: ' usb:4-1' }, evil('\n')]);
    const { devices } = confirmList(long, short);
    expect(ofHonest(devices)).toEqual(alone);
    expect(devices.map(({ devpath }) => devpath)).toContain('4-1');
  });

  it('never removes, renames or renumbers another, whatever the text is', () => {
    const atom = fc.constantFrom(
      ...['\n', '\r', '\t', ' ', 'device', 'offline', 'usb:1-1', 'transport_id:3', 'transport_id:1'],
      ...['H1', 'H3', 'GHOST', '192.168.0.4:5555', 'EVIL', ' product:', 'x'],
    );
    const text = fc.array(atom, { maxLength: 14 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, fc.boolean(), (product, device, isFirst) => {
        const hostile = evil(product, device);
        const phones = isFirst ? [hostile, ...honest] : [...honest, hostile];
        const { long, short } = listsOf(phones);
        const before = confirmed(isFirst ? [evil('p'), ...honest] : honest).devices;
        const { devices } = confirmList(long, short, before);
        expect(ofHonest(devices)).toEqual(ofHonest(before));
        expect(devices).toHaveLength(4);
        const fresh = confirmList(long, short).devices;
        expect(fresh.filter(({ serial }) => serial !== 'EVIL').map(({ serial }) => serial)).toEqual(serials);
        for (const one of ofHonest(fresh)) {
          const { devpath, transportId } = before.find(({ serial }) => serial === one.serial) ?? {};
          expect([devpath, undefined]).toContain(one.devpath);
          expect([transportId, undefined]).toContain(one.transportId);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('costs no neighbour its USB port by a serial with line feeds, also where a phone came between the lists', () => {
    const atom = fc.constantFrom(
      ...['\n', '\n', '\t', ' ', 'device', 'offline', 'usb:1-1', 'transport_id:1'],
      ...['H1', 'H3', 'x', ' \tdevice\n', '\toffline\n'],
    );
    const text = fc.array(atom, { maxLength: 10 }).map((parts) => parts.join(''));
    const ports = (devices: readonly ListedDevice[]) =>
      serials.map((serial) => devices.filter((one) => one.serial === serial).map(({ devpath }) => devpath));
    fc.assert(
      fc.property(text, fc.constantFrom(0, 1, 3), fc.boolean(), (serial, index, hasCome) => {
        const phones = honest.toSpliced(index, 0, { ...evil('p'), serial: `EVIL\n${serial}` });
        const { short } = listsOf(phones);
        const { long } = listsOf(hasCome ? [...phones, rig] : phones);
        for (const [at, devpaths] of ports(confirmList(long, short).devices).entries())
          expect(devpaths).toContain(honest[at]?.details?.match(/usb:(\S+)/)?.[1]);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([0, 3])('does not lose a neighbour to a serial that holds its name and a blank: at %i', (index) => {
    const hostile = { ...evil('p\nx'), serial: 'x\nH1 \tdevice\ny' };
    const { long, short } = listsOf(honest.toSpliced(index, 0, hostile));
    expect(ofHonest(confirmList(long, short).devices).map(({ devpath }) => devpath)).toEqual([
      '1-1',
      undefined,
      '1-3',
    ]);
  });

  it.each(['\na', '\nH1', '\nH1 device', '\nSERIAL7 device', '\n '])(
    'reads a list of 1 MB once, however many lines a phone writes: %j',
    (line) => {
      const many = Array.from({ length: 60 }, (_, index) => ({
        serial: `SERIAL${index}`,
        details: ` usb:1-${index}`,
      }));
      const before = confirmed(many).devices;
      const { long, short } = listsOf([...many, evil(`p${line.repeat(960_000 / line.length)}`)]);
      const { devices, doubts } = confirmList(long, short, before);
      expect(devices.slice(0, 60)).toEqual(before);
      expect(doubts.length).toBeLessThanOrEqual(20);
    },
  );
});

describe('shortList', () => {
  it('has each phone by its serial and state, and where it was', () => {
    const before = [
      { serial: 'a', state: 'device', devpath: '1-1', transportId: 1 },
      { serial: 'twin', state: 'device', devpath: '1-2', transportId: 2 },
      { serial: 'twin', state: 'device', devpath: '1-3', transportId: 3 },
    ];
    const { devices, doubts } = shortList('a\toffline\nnew\tdevice\ntwin\tdevice\n', before);
    expect(devices).toEqual([
      { serial: 'a', state: 'offline', devpath: '1-1' },
      { serial: 'new', state: 'device' },
      { serial: 'twin', state: 'device' },
    ]);
    expect(doubts).toHaveLength(1);
    expect(shortList('', before)).toEqual({ devices: [], doubts: [] });
  });
});
