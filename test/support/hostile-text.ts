import fc from 'fast-check';
import { expect } from 'vitest';
import { ParseError } from '../../src/base/errors.ts';
import { MAX_ANSWER_BYTES } from '../../src/probe/transcript.ts';
import { anyText } from './any-text.ts';
import { endsWithin } from './ends-within.ts';

/** Twice what is kept of a command's output: more does not come to a parser. */
const HUGE_BYTES = 2 * MAX_ANSWER_BYTES;
/**
 * V8 ends a parser that hangs after this time, ms. On huge text linear work takes some ms and quadratic work minutes, so
 * also a loaded machine stays below it.
 */
const HANG_MS = 15_000;
const banner = 'WARNING: linker: libdvm.so has text relocations. This is wasting memory.\n';

/** What befalls text on its way from a phone: cut short, reordered, CRLF, NULs, a BOM, a banner, repetition, rubbish. */
export function hostileText(samples: string[]): fc.Arbitrary<string> {
  const sample = fc.constantFrom(...samples);
  return fc.oneof(
    fc.tuple(sample, fc.double({ min: 0, max: 1, noNaN: true })).map(([text, part]) => cut(text, part)),
    sample.chain((text) => {
      const lines = text.split('\n');
      return fc
        .shuffledSubarray(lines, { minLength: Math.floor(lines.length / 2) })
        .map((some) => some.join('\n'));
    }),
    sample.map((text) => text.replaceAll('\r', '').replaceAll('\n', '\r\n')),
    fc.tuple(sample, fc.integer({ min: 1, max: 40 })).map(([text, step]) => riddle(text, step)),
    sample.map((text) => `\uFEFF${text}`),
    sample.map((text) => banner + text),
    sample.map((text) => text + text),
    sample.map((text) => text.replaceAll('\n', ' ')),
    sample.map((text) => text.replace(/\d/g, '9')),
    fc.tuple(sample, sample).map(([one, other]) => cut(one, 0.5) + other),
    anyText({ maxLength: 400 }),
    fc.string({ unit: fc.constantFrom(...' \t\n\r\0:=[]{},%-.0127afx/'), maxLength: 400 }),
  );
}

/** The sample, repeated until it is 1 MB or more of text. */
export function huge(sample: string): string {
  return sample.repeat(Math.ceil(HUGE_BYTES / Math.max(1, sample.length)));
}

/** Whatever a phone prints, a parser ends, with facts or a ParseError. */
export function expectOnlyParseErrors(parse: (text: string) => unknown, text: string): void {
  const hasEnded = endsWithin(HANG_MS, () => {
    try {
      parse(text);
    } catch (error) {
      expect(error).toBeInstanceOf(ParseError);
    }
  });
  expect(hasEnded).toBe(true);
}

const cut = (text: string, part: number): string => text.slice(0, Math.floor(text.length * part));

/** A NUL after every `step` characters. */
const riddle = (text: string, step: number): string =>
  text.replace(new RegExp(`[^]{${step}}`, 'g'), (piece) => `${piece}\0`);
