import { describe, expect, it } from 'vitest';
import { parseDeviceList } from '../../src/adb/device-list.ts';
import { expectFacts, expectUnreadable, samples } from '../support/corpus.ts';

// The `adb` command's own manners, not the server's payload: a header demanded, and states that a lint of its output rejects.
const NOT_OURS = new Set([
  'agi-invalidstatus',
  'scrcpy-without-header',
  'scrcpy-corrupted',
  'udev-missing-rules-huawei-watch',
]);

describe('parseDeviceList', () => {
  it.each(samples('adb_devices').filter(({ file }) => !NOT_OURS.has(file.replace(/.*\/|\.txt/g, ''))))(
    'reads $file',
    ({ file, text, expected }) => {
      if (expected === null) {
        expectUnreadable(file, () => parseDeviceList(text));
        return;
      }
      const devices = parseDeviceList(text);
      const wanted = expected.devices ?? [{ serial: 'K5SAMAK490000763AJ', state: 'device' }];
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

  it('reads every column of a phone on a USB port', () => {
    expect(
      parseDeviceList(
        '98897a474748594558     device usb:1-4.2 product:dreamqltesq model:SM_G950U device:dreamqltesq transport_id:7\n',
      ),
    ).toEqual([
      {
        serial: '98897a474748594558',
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
    expect(
      parseDeviceList(
        'FAKE0003               no permissions (user root is not in the plugdev group); see [http://developer.android.com/tools/device.html] usb:1-4.2 transport_id:2\n',
      ),
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

  it('reads the transport id of an unauthorized phone, whose other columns are missing', () => {
    expect(parseDeviceList('R32D102SZAE            unauthorized transport_id:3\n')).toEqual([
      { serial: 'R32D102SZAE', state: 'unauthorized', transportId: 3 },
    ]);
  });

  it('keeps the blanks of an mDNS name', () => {
    expect(
      parseDeviceList(
        'adb-R58M123 (2)._adb-tls-connect._tcp device product:x model:M device:d transport_id:9',
      ),
    ).toEqual([
      {
        serial: 'adb-R58M123 (2)._adb-tls-connect._tcp',
        state: 'device',
        product: 'x',
        model: 'M',
        device: 'd',
        transportId: 9,
      },
    ]);
  });

  it.each(['(no serial number)', '????????????'])('takes %s for no serial', (printed) => {
    expect(parseDeviceList(`${printed.padEnd(22)} device usb:3-1 transport_id:4`)).toEqual([
      { serial: '', state: 'device', devpath: '3-1', transportId: 4 },
    ]);
  });

  it("keeps a word of a newer adb's as it stands", () => {
    expect(parseDeviceList('abc\thibernating')).toEqual([{ serial: 'abc', state: 'hibernating' }]);
  });

  it('takes no USB path from what a phone says of itself', () => {
    expect(parseDeviceList('10.0.0.7:5555 device product:x usb:1-1.2 model:M transport_id:3')).toEqual([
      expect.not.objectContaining({ devpath: expect.anything() }),
    ]);
  });

  it('keeps the other phones when a property holds a line feed', () => {
    expect(parseDeviceList('a device product:br\noken\nb offline transport_id:2')).toEqual([
      { serial: 'a', state: 'device', product: 'br' },
      { serial: 'b', state: 'offline', transportId: 2 },
    ]);
  });

  it.each([
    ['a device product:foo\rGHOST device 1-7\rb device usb:1-9 transport_id:9 model:M transport_id:3\r\n'],
    [
      'a device product:foo\rGHOST\tdevice\rList of devices attached\r transport_id:9 device:d transport_id:3',
    ],
  ])('ends a line at a line feed alone: %j', (text) => {
    expect(parseDeviceList(text)).toEqual([
      expect.objectContaining({ serial: 'a', state: 'device', transportId: 3 }),
    ]);
    expect(parseDeviceList(text)).not.toEqual([expect.objectContaining({ devpath: expect.anything() })]);
  });

  it('takes no USB path without its mark', () => {
    expect(parseDeviceList('a device 1-7 product:x transport_id:3')).toEqual([
      { serial: 'a', state: 'device', product: 'x', transportId: 3 },
    ]);
  });

  it('finds no phone in an empty list', () => {
    expect(parseDeviceList('')).toEqual([]);
  });
});
