import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatches } from '../../src/base/glob.ts';
import { matches } from '../../src/report/policy.ts';

/** What the glob means, as a regular expression: fine for the short texts of a test. */
const meant = (glob: string) =>
  new RegExp(
    `^${glob
      .replace(/[\\^$.+()[\]{}|/]/g, '\\$&')
      .replace(/\*+/g, '.*')
      .replaceAll('?', '.')}$`,
    'isu',
  );

describe('a glob', () => {
  it.each([
    ['', '', true],
    ['*', '', true],
    ['?', '', false],
    ['**', 'x', true],
    ['Pixel *', 'pixel 7', true],
    ['Pixel *', 'Pixel', false],
    ['*pro', 'PROPRO', true],
    ['a*b?c*', 'aXbbYcZ', true],
    ['a*b?c', 'abYcZ', false],
    ['?', '😀', true],
    ['straße', 'STRAẞE', true],
    ['ДОМ*', 'дом 5', true],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['a\nb*', 'A\nB\nC', true],
  ])('%j fits %j: %s', (glob, text, fits) => {
    expect(globMatches(glob, text)).toBe(fits);
  });

  it('means what a regular expression of it means', () => {
    const sign = fc.constantFrom('*', '?', 'a', 'A', 'b', '.', ' ', 'é', '😀');
    fc.assert(
      fc.property(
        fc.string({ unit: sign, maxLength: 8 }),
        fc.string({ unit: sign, maxLength: 12 }),
        (glob, text) => globMatches(glob, text) === meant(glob).test(text),
      ),
      { numRuns: 2000 },
    );
  });

  it.each(['*M*M*Pro', `${'*M'.repeat(90)}*Pro`, `${'M*'.repeat(90)}Pro`, `*${'?'.repeat(150)}Pro`])(
    'comes to an end on a long text: %s',
    (model) => {
      const device = { udid: 'u', serial: 's', model: 'M'.repeat(50_000) };
      expect(matches({ model }, device)).toBe(false);
      expect(matches({ model }, { ...device, model: `${device.model}Pro` })).toBe(true);
    },
    20_000,
  );
});
