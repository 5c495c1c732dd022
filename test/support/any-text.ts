import fc from 'fast-check';

/** Half surrogates are no characters. */
const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character, the first ones most often. */
const character = fc.nat(0x10ffff - SURROGATES.count).map(
  (index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count),
  (value) => {
    const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== value) throw new RangeError('no character');
    return code < SURROGATES.from ? code : code - SURROGATES.count;
  },
);

/**
 * Any text, as of `fc.string({ unit: 'binary' })`, which first lists all million characters: a second of processor and
 * 190 MB in each worker.
 */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
