import { describe, expect, it } from 'vitest';
import { OutageLog } from '../../src/base/outage-log.ts';

describe('a trouble', () => {
  it('is news once for each kind, until it ends', () => {
    const trouble = new OutageLog();
    expect(['a', 'b', 'a', 'b'].map((kind) => trouble.begin(kind))).toEqual([true, true, false, false]);
    expect([trouble.end(), trouble.end(), trouble.begin('a')]).toEqual([true, false, true]);
  });

  it('is no news any more from somebody who makes up ever new kinds', () => {
    const trouble = new OutageLog();
    const news = Array.from({ length: 1000 }, (_, index) => trouble.begin(`kind ${index}`)).filter(Boolean);
    expect(news).toHaveLength(20);
  });
});
