import { describe, expect, it } from 'vitest';
import { tableOf } from '../../src/cli/table.ts';
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

describe('tableOf', () => {
  it('shows all that is known of a phone where there is room', () => {
    expect(tableOf([phone])).toEqual([
      'UDID      NAME     ANDROID  STATE   BATTERY     TEMP         MEMORY  ROOT  WHAT TO DO',
      'f12a8ec9  POCO F6  15       device     81 %  31.2 °C  5.0 / 8.0 GiB  no    Locked since it started: unlock it once on the phone',
    ]);
  });

  it('leaves readings out on a narrow terminal, so that one can read what to do', () => {
    expect(tableOf([phone], 90)).toEqual([
      'UDID      NAME     ANDROID  STATE   BATTERY  WHAT TO DO',
      'f12a8ec9  POCO F6  15       device     81 %  Locked since it started: unlock it once on t…',
    ]);
  });

  it('shows where phones sit, as soon as one sits somewhere, and keeps that longest', () => {
    const slotOf = (udid: string) => (udid === phone.udid ? 'rack 2, bay 4' : undefined);
    expect(tableOf([phone], 90, slotOf)[1]).toMatch(/^f12a8ec9 {2}rack 2, bay 4 {2}POCO F6 .*Locked since/);
    expect(tableOf([phone], 42, slotOf)[0]).toMatch(/^UDID +SLOT +NAME +STATE$/);
    expect(tableOf([phone], 38, slotOf)[0]).toMatch(/^UDID +NAME +STATE$/);
    expect(tableOf([{ ...phone, udid: 'other' }], 90, slotOf)[0]).not.toContain('SLOT');
  });

  it('says what to do below the row where there is no room beside it', () => {
    expect(tableOf([phone, { ...phone, udid: 'fine', message: '' }], 52)).toEqual([
      'UDID      NAME     ANDROID  STATE   BATTERY     TEMP',
      'f12a8ec9  POCO F6  15       device     81 %  31.2 °C',
      '    Locked since it started: unlock it once on the',
      '    phone',
      'fine      POCO F6  15       device     81 %  31.2 °C',
    ]);
  });

  it('never writes beyond the terminal', () => {
    for (const line of tableOf([phone], 30)) expect(line.length).toBeLessThanOrEqual(30);
  });
});
