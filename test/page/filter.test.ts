import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterProblems, parseFilter } from '../../src/status/page/filter.ts';
import { anyText } from '../support/any-text.ts';
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

  it('finds phones by the code of a finding', () => {
    expect(places('finding:hub_lost')).toEqual([20, 21, 22, 23, 24, 25, 26]);
    expect(places('USB_SLOW')).toEqual([14]);
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

  it('finds names that hold quotes, with and without them', () => {
    const [phone] = phones;
    if (phone === undefined) throw new Error('the sample has no phone');
    const quoted = { ...phone, slot: 'the "big" rack, bay 1', name: '27" panel' };
    for (const filter of ['slot:"the big rack"', 'slot:"big', '"27 panel"', '27"'])
      expect([filter, parseFilter(filter)(quoted)]).toEqual([filter, true]);
  });

  it('compares numbers, and leaves out the phones that have none', () => {
    expect(places('android<8')).toEqual([7, 15, 23, 31, 39, 47, 55]);
    expect(places('android=8.1')).toEqual([5, 13, 21, 29, 37, 45, 53]);
    expect(places('temp>=40')).toEqual([4]);
    expect(places('battery>=0')).not.toContain(1);
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

  it.each([
    [
      'andoid<12',
      'Cannot read andoid<12: did you mean android? Known numbers are android, battery, temp, storage; ',
    ],
    ['modl:pixel', 'Cannot read modl:pixel: did you mean model? Known numbers are '],
    ['frobnicate>1', 'Cannot read frobnicate>1: Known numbers are '],
    ['battery<x', 'Cannot read battery<x: battery needs a number, as in battery<20'],
    ['temp>', 'Cannot read temp>: temp needs a number, as in temp>20'],
    ['android:new', 'Cannot read android:new: android needs a number, as in android=20'],
    ['storage>90%', 'Cannot read storage>90%: storage needs a number, as in storage>20'],
    ['model<pixel', 'Cannot read model<pixel: model is text: write model:pixel'],
    ['<', 'Cannot read <: write it without blanks, as in battery<20'],
    ['constructor<1', 'Cannot read constructor<1: '],
  ])('says of %s why it cannot be read, and leaves it out', (filter, says) => {
    expect(filterProblems(filter).map((problem) => problem.slice(0, says.length))).toEqual([says]);
    expect(places(`${filter} hot`)).toEqual(places('hot'));
  });

  it('says each once, a long one by its start, and nothing of what it can read', () => {
    expect(filterProblems('x<1 x<1 hot')).toHaveLength(1);
    expect(filterProblems(`battery<${'9x'.repeat(500)}`)[0]).toMatch(/^Cannot read .{40}…: /);
    const readable = 'hot slot:"shelf 3" slot: android<12 lab:5555 192.168.1.5:5555 "andoid<12" ( 100%';
    expect(filterProblems(readable)).toEqual([]);
    expect(filterProblems('')).toEqual([]);
  });

  it('stands whatever is typed', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (filter) => {
        expect(places(filter).length).toBeLessThanOrEqual(60);
        expect(filterProblems(filter).length).toBeLessThanOrEqual(filter.length);
      }),
    );
  });
});
