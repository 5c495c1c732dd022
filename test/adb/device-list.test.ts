import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { confirmList } from '../../src/adb/confirmed-list.ts';
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
