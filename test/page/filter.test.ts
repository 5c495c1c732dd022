import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/status/page/filter.ts';
import { sampleHost } from './sample-host.ts';

const { phones } = sampleHost({ phones: 60, now: Date.UTC(2026, 10, 21, 14) });
const places = (filter: string) => {
  const meets = parseFilter(filter);
  return phones.flatMap((phone, place) => (meets(phone) ? place : []));
};

describe('parseFilter', () => {
  it('takes every phone without a term', () => {
    expect(places('  ')).toHaveLength(60);
  });

  it('finds phones by what is the matter with them', () => {
    expect(places('hot')).toEqual([4]);
    expect(places('unauthorized')).toEqual([1]);
    expect(places('maintenance')).toEqual([6, 8]);
    expect(places('unplugged')).toEqual([20, 21, 22, 23, 24, 25, 26]);
  });

  it('finds a slot by its words, and 1 is not 10', () => {
    expect(places('slot:"shelf 3"')).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
    expect(places('slot:"shelf 2, bay 1"')).toEqual([10]);
  });

  it('finds slots with short names', () => {
    const meets = parseFilter('slot:S3');
    const [phone] = phones;
    if (phone === undefined) throw new Error('the sample has no phone');
    expect(['S3-01', 's3', 'R2-S3', 'S30', 'XS3'].filter((slot) => meets({ ...phone, slot }))).toEqual([
      'S3-01',
      's3',
      'R2-S3',
    ]);
  });

  it('compares numbers, and leaves out the phones that have none', () => {
    expect(places('android<8')).toEqual([7, 15, 23, 31, 39, 47, 55]);
    expect(places('android=8.1')).toEqual([5, 13, 21, 29, 37, 45, 53]);
    expect(places('temp>=40')).toEqual([4]);
    expect(places('battery>=0')).not.toContain(1);
    expect(places('battery>many')).toEqual([]);
  });

  it('wants all terms met', () => {
    expect(places('unplugged brand:google')).toEqual([23, 24]);
    expect(places('hot unauthorized')).toEqual([]);
  });

  it('finds free text at the start of a word in names, and anywhere in a serial', () => {
    expect(places('pixel')).toEqual(places('name:"Pixel 8"'));
    expect(places('ixel')).toEqual([]);
    const serial = phones[3]?.serial ?? '';
    expect(places(serial.slice(-4).toLowerCase())).toEqual([3]);
  });

  it('takes a serial with a colon, and signs of expressions, as text', () => {
    expect(places('192.168.1.5:5555')).toEqual([]);
    expect(places('(')).toEqual(places('"("'));
    expect(places('model:"Moto G (5)"')).toHaveLength(7);
    expect(places('"')).toHaveLength(60);
  });

  it('stands whatever is typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (filter) => {
        expect(places(filter).length).toBeLessThanOrEqual(60);
      }),
    );
  });
});
