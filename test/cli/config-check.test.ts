import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/base/styled-text.ts';
import { fitted } from '../../src/cli/columns.ts';
import { matchLines, matchPhones } from '../../src/cli/config-check.ts';
import { settings } from '../../src/config/schema.ts';
import { unknownTopology } from '../../src/host/usb-devices.ts';
import type { RosterDevice } from '../../src/roster/device.ts';

const lastSeenAt = new Date(2026, 10, 20, 14, 2).getTime();
const phone = (udid: string, device: Partial<RosterDevice> = {}): RosterDevice => ({
  udid,
  serial: udid,
  connection: 'usb',
  attached: true,
  state: 'device',
  lastSeenAt,
  ...device,
});
const pixel = { model: 'Pixel 5', brand: 'google', isEmulator: false };

const known = [
  phone('PIXEL', { devpath: '1-4.2', identity: pixel }),
  phone('OLD', { devpath: '1-4.2', givenName: 'Loan\x1b[2J phone', attached: false }),
  phone('LOOSE', { devpath: '1-9', identity: pixel }),
  phone('FORMER', { devpath: '1-4.3', supersededBy: 'PIXEL' }),
];
const config = settings.parse({
  slots: [
    { name: 'rack 2, bay 1', paths: ['1-4.2', '2-4.2'] },
    { name: 'rack 2, bay 2', paths: ['1-4.3'] },
  ],
  devices: [
    { match: { model: 'pixel *' }, isHidden: true, support: { appiumDisabled: false } },
    { match: { slot: 'rack 2*', udid: 'P*' }, deviceName: 'Front desk' },
    { match: { slot: 'rack 9*' }, ignore: true },
  ],
});

describe('the configuration against the phones that are known', () => {
  const found = matchPhones(config, known, unknownTopology);

  it('says which rule matches which phone, and which phone sits where', () => {
    expect(found.rules.map(({ phones }) => phones.map(({ udid }) => udid))).toEqual([
      ['PIXEL', 'LOOSE'],
      ['PIXEL'],
      [],
    ]);
    expect(found.rules[1]).toEqual({
      match: { slot: 'rack 2*', udid: 'P*' },
      sets: { deviceName: 'Front desk' },
      phones: [{ udid: 'PIXEL', name: 'Pixel 5', slot: 'rack 2, bay 1', attached: true, lastSeenAt }],
    });
    expect(found.slots.map(({ phones }) => phones.map(({ udid }) => udid))).toEqual([['PIXEL', 'OLD'], []]);
    expect(found.withoutSlot.map(({ udid }) => udid)).toEqual(['LOOSE']);
  });

  it('is shown as two tables', async () => {
    expect(fitted(matchLines(found)).map(textOf)).toEqual([
      '',
      'RULE  MATCHES                    SETS                                    UDID            NAME     SLOT',
      '1     model "pixel *"            isHidden, support.appiumDisabled false  PIXEL           Pixel 5  rack 2, bay 1',
      '                                                                         LOOSE           Pixel 5',
      '2     udid "P*", slot "rack 2*"  deviceName "Front desk"                 PIXEL           Pixel 5  rack 2, bay 1',
      '3     slot "rack 9*"             ignore                                  no known phone',
      '',
      'SLOT           PATHS        UDID   NAME            SEEN',
      'rack 2, bay 1  1-4.2 2-4.2  PIXEL  Pixel 5         plugged in',
      '                            OLD    Loan [2J phone  until 2026-11-20 14:02',
      'rack 2, bay 2  1-4.3',
      '(no slot)                   LOOSE  Pixel 5         plugged in',
    ]);
  });

  it('shows no table of what is not configured', async () => {
    const nothing = matchPhones(settings.parse({}), known, unknownTopology);
    expect(matchLines(nothing)).toEqual([]);
    const withoutSlots = matchLines(matchPhones({ ...config, slots: [] }, known, unknownTopology));
    expect(fitted(withoutSlots).map(textOf)[1]).toMatch(/^RULE /);
  });
});
