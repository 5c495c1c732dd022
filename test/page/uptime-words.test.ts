import { describe, expect, it } from 'vitest';
import { dayInWords, kindOf, lossesInWords, uptimeInWords } from '../../src/status/page/uptime-words.ts';

const now = new Date(2026, 10, 21, 14, 5).getTime();
const at = new Date(2026, 10, 3).getTime();
const day = (onlineRatio?: number, losses = 0, knownRatio?: number) => ({
  at,
  ...(onlineRatio !== undefined && { onlineRatio }),
  ...(knownRatio !== undefined && { knownRatio }),
  losses,
});

describe('a day of a phone', () => {
  it('is fine, in part or bad by its time online and its losses; unknown is never fine', () => {
    expect(
      [day(1), day(0.99), day(1, 3), day(0.9), day(0.89), day(0), day(), day(undefined, 2)].map(kindOf),
    ).toEqual(['fine', 'fine', 'some', 'some', 'bad', 'bad', 'unknown', 'unknown']);
  });

  it('is told in words', () => {
    expect(dayInWords(day(0.9812, 2), now)).toBe(
      'Tue\u00a03\u00a0Nov: 98.1\u00a0% online, lost 2\u00a0times',
    );
    expect(dayInWords(day(undefined), now)).toBe('Tue\u00a03\u00a0Nov: not known');
    expect(dayInWords({ ...day(1, 1), at: now }, now)).toBe('Today: 100\u00a0% online, lost once');
  });
});

describe('many days', () => {
  it('count by their known time only', () => {
    expect(uptimeInWords([day(1), day(0.5), day()])).toBe('75.0\u00a0% in 2 known days');
    expect(uptimeInWords([day(1), day(0, 0, 1 / 24)])).toBe('96.0\u00a0% in 2 days');
    expect(uptimeInWords([day(1)])).toBe('100\u00a0% in 1 day');
    expect(uptimeInWords([day(), day()])).toBe('not known yet');
  });

  it('are 100 % only where all of it was online', () => {
    expect(uptimeInWords([day(0.99999)])).toBe('99.9\u00a0% in 1 day');
  });

  it('sum their losses', () => {
    expect([[], [day(1, 1)], [day(1, 1), day(undefined, 2)]].map(lossesInWords)).toEqual([
      '',
      ', lost once',
      ', lost 3\u00a0times',
    ]);
  });
});
