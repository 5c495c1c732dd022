import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { broken, cut, shortened } from '../../src/cli/shortened.ts';

const texts = fc.string({ unit: 'grapheme', maxLength: 60 });
const widths = fc.integer({ min: 8, max: 50 }); // no character is wider

describe('a name too wide for its column', () => {
  it('keeps its start and its end', () => {
    const name = 'emulator-5554@3f0c2a5e-7d61-4b7c-9c0e-5b8d1f64a927';
    expect(shortened(name, 20)).toBe('emulator-5554…64a927');
    expect(shortened(name, 50)).toBe(name);
    expect(shortened(name, 1)).toBe('…');
  });

  it('counts two columns for a Chinese character or an emoji, and cuts none in two', () => {
    expect(shortened('测试手机一号', 8)).toBe('测试…号');
    expect(shortened('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5)).toBe('👩‍👩‍👧‍👦…👩‍👩‍👧‍👦');
  });

  it('fits, whatever it holds', () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        for (const short of [shortened(text, width), cut(text, width)]) {
          expect(stringWidth(short)).toBeLessThanOrEqual(width);
          if (stringWidth(text) <= width) expect(short).toBe(text);
        }
      }),
    );
  });
});

it('a word is broken into pieces that fit, and loses nothing', () => {
  fc.assert(
    fc.property(texts, widths, (text, width) => {
      const pieces = broken(text, width);
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) expect(stringWidth(piece)).toBeLessThanOrEqual(width);
    }),
  );
});
