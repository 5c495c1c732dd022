import { describe, expect, it } from 'vitest';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { textOf } from '../../src/base/styled-text.ts';
import { fitted } from '../../src/cli/columns.ts';
import { deviceCsv, deviceTable as styledTable } from '../../src/cli/table.ts';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { standardPolicy } from '../../src/report/policy.ts';

const phone: DeviceInfo = {
  udid: 'f12a8ec9',
  status: 'PLUGGED',
  state: 'device',
  message: 'Locked since it started: unlock it once on the phone',
  platformName: 'ANDROID',
  platformVersion: '15',
  deviceName: 'POCO F6',
  addedToCloud: true,
  isHidden: false,
  isAndroid: true,
  isIos: false,
  isRooted: false,
  support: standardPolicy.support,
  battery: { percentage: '81', temperature: 312 },
  memory: { total: 8 * 1024 ** 3, used: 5 * 1024 ** 3 },
};

const tableOf = (
  devices: DeviceInfo[],
  { width }: { width?: number } = {},
  slots: Record<string, string> = {},
) => {
  const phones = devices.map((info) => ({ info, ...omitUndefined({ slot: slots[info.udid] }) }));
  return fitted([styledTable(phones)], width).map(textOf);
};

describe('tableOf', () => {
  it('shows all that is known of a phone where there is room', () => {
    expect(tableOf([phone])).toEqual([
      'UDID      NAME     ANDROID  STATE   BATTERY     TEMP         MEMORY  ROOT  WHAT TO DO',
      'f12a8ec9  POCO F6  15       device     81 %  31.2 °C  5.0 / 8.0 GiB  no    Locked since it started: unlock it once on the phone',
    ]);
  });

  it('says what to do whole: in several lines beside the row, else below it', () => {
    expect(tableOf([phone], { width: 119 })).toEqual([
      'UDID      NAME     ANDROID  STATE   BATTERY     TEMP         MEMORY  ROOT  WHAT TO DO',
      'f12a8ec9  POCO F6  15       device     81 %  31.2 °C  5.0 / 8.0 GiB  no    Locked since it started: unlock it once on',
      '                                                                           the phone',
    ]);
    expect(tableOf([phone, { ...phone, udid: 'fine', message: '' }], { width: 80 })).toEqual([
      'UDID      NAME     ANDROID  STATE   BATTERY     TEMP         MEMORY  ROOT',
      'f12a8ec9  POCO F6  15       device     81 %  31.2 °C  5.0 / 8.0 GiB  no',
      '    Locked since it started: unlock it once on the phone',
      'fine      POCO F6  15       device     81 %  31.2 °C  5.0 / 8.0 GiB  no',
    ]);
  });

  it('leaves readings out on a narrow terminal, the least important first', () => {
    const titlesAt = (width: number) => tableOf([phone], { width })[0];
    expect(titlesAt(57)).toMatch(/^UDID +NAME +ANDROID +STATE +BATTERY +TEMP$/);
    expect(titlesAt(45)).toMatch(/^UDID +NAME +ANDROID +STATE +BATTERY$/);
    expect(titlesAt(30)).toMatch(/^UDID +NAME +STATE$/);
  });

  it('sorts phones by slot and udid as a person counts, and shows slots as soon as a phone has one', () => {
    const slots: Record<string, string> = { B: 'bay 10', C: 'bay 9' };
    const phones = ['A10', 'A9', 'B', 'C'].map((udid) => ({ ...phone, udid }));
    expect(tableOf(phones, {}, slots).map((line) => line.split(' ', 1)[0])).toEqual([
      ...['UDID', 'C', 'B', 'A9', 'A10'],
    ]);
    expect(tableOf(phones, { width: 30 }, slots)[0]).toMatch(/^UDID +SLOT +NAME +STATE$/);
    expect(tableOf(phones)[0]).not.toContain('SLOT');
  });

  it('never writes beyond the terminal', () => {
    for (const line of tableOf([phone], { width: 30 })) expect(line.length).toBeLessThanOrEqual(30);
  });
});

it('is a line of CSV for each phone: quoted, and no formula of a phone is run', () => {
  const info = { udid: 'A', state: 'device', deviceName: '=cmd|"x"', message: 'Plug it in, then wait' };
  const [titles = '', line = ''] = deviceCsv([{ info: info as DeviceInfo, slot: 'rack 1, bay 2' }]);
  expect(titles).toMatch(/^udid,serialNumber,slot,deviceName,.*,message$/);
  expect(line).toBe(`A,,"rack 1, bay 2","'=cmd|""x""",,,,device,,,,,,"Plug it in, then wait"`);
  expect(titles.split(',').length).toBe(14);
});
