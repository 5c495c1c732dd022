import { describe, expect, it } from 'vitest';
import { localTime, wallTime, zoneName } from '../../src/base/calendar.ts';
import { maintenanceRemark, messageWith } from '../../src/report/remark.ts';

const noon = new Date(2026, 10, 22, 12).getTime();
const HOUR_MS = 3_600_000;

describe('maintenanceRemark', () => {
  it('says until when and why, with the day where that is not today', () => {
    const [today, later] = [noon + 6 * HOUR_MS, noon + 30 * HOUR_MS];
    const reason = 'swapping the hub';
    expect(maintenanceRemark({ until: today, reason }, false, noon)).toEqual({
      message: `In maintenance until ${wallTime(today)} ${zoneName(today)}: swapping the hub`,
    });
    expect(maintenanceRemark({ until: later, reason }, true, noon)).toEqual({
      message: `In maintenance until ${localTime(later)} ${zoneName(later)}: swapping the hub`,
      isHidden: true,
    });
  });

  it('says nothing of a phone that is not in maintenance', () => {
    expect(maintenanceRemark(undefined, true, noon)).toEqual({});
  });

  it('lets nothing through that a terminal obeys', () => {
    const { message } = maintenanceRemark({ until: noon, reason: 'new\x1b[31m\u202e\nhub' }, false, noon);
    expect(message).toMatch(/: new \[31m hub$/);
  });
});

describe('messageWith', () => {
  const remark = { code: 'PORT_UNSTABLE', remedy: 'Replace the cable', explains: ['unplugged', 'state'] };

  it('is the phone’s own without a finding, or in maintenance', () => {
    expect(messageWith('Unlock it', {}, '')).toBe('Unlock it');
    expect(messageWith('Unlock it', { ...remark, message: 'In maintenance' }, '')).toBe('In maintenance');
  });

  it('is the remedy of the finding where the phone needs nothing else', () => {
    expect(messageWith('', remark, '')).toBe('Replace the cable (PORT_UNSTABLE)');
  });

  it('is the phone’s own with the code where it needs something else', () => {
    expect(messageWith('Unlock it', remark, '')).toBe('Unlock it (PORT_UNSTABLE)');
  });

  it('is the remedy of the finding for what it tells of the phone', () => {
    const own = 'Not plugged in: plug the phone in again';
    expect(messageWith(own, remark, 'unplugged')).toBe('Replace the cable (PORT_UNSTABLE)');
    const other = { code: 'BATTERY_WORN', remedy: 'Replace the battery' };
    expect(messageWith(own, other, 'unplugged')).toBe(`${own} (BATTERY_WORN)`);
  });
});
