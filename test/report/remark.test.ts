import { describe, expect, it } from 'vitest';
import { localTime, wallTime } from '../../src/base/local-time.ts';
import { maintenanceRemark } from '../../src/report/remark.ts';

const noon = new Date(2026, 10, 22, 12).getTime();
const HOUR_MS = 3_600_000;

describe('maintenanceRemark', () => {
  it('says until when and why, with the day where that is not today', () => {
    const [today, later] = [noon + 6 * HOUR_MS, noon + 30 * HOUR_MS];
    const reason = 'swapping the hub';
    expect(maintenanceRemark({ until: today, reason }, false, noon)).toEqual({
      sentence: `In maintenance until ${wallTime(today)}: swapping the hub`,
    });
    expect(maintenanceRemark({ until: later, reason }, true, noon)).toEqual({
      sentence: `In maintenance until ${localTime(later)}: swapping the hub`,
      isHidden: true,
    });
  });

  it('says nothing of a phone that is not in maintenance', () => {
    expect(maintenanceRemark(undefined, true, noon)).toEqual({});
  });

  it('lets nothing through that a terminal obeys', () => {
    const { sentence } = maintenanceRemark({ until: noon, reason: 'new\x1b[31m\u202e\nhub' }, false, noon);
    expect(sentence).toMatch(/: new \[31m hub$/);
  });
});
