import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseParcelString } from '../../src/facts/parcel.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/identifiers/${name}.txt`, import.meta.url), 'utf8');
const parcels = samples('iphonesubinfo').filter(({ file }) => file.includes('parcel'));

describe('parseParcelString', () => {
  it.each(parcels)('reads from $file what a careful person reads', ({ file, text, expected }) => {
    const imei = expected?.imei ?? null;
    const read = parseParcelString(text);
    expectFacts(file, (read === '000000000000000' ? undefined : read) ?? null, imei);
  });

  it('reads an MEID, whose even length is followed by a word of zeros', () => {
    expect(parseParcelString(fixture('parcel-meid'))).toBe('99000646475557');
  });

  it('reads an ICCID of 20 digits over four lines', () => {
    expect(parseParcelString(fixture('parcel-iccid-20-digits'))).toBe('89148000002445538231');
  });

  it('reads nothing from a reply that was cut short', () => {
    const text = fixture('parcel-iccid-20-digits');
    expect(parseParcelString(text.slice(0, text.indexOf('  0x00000020')))).toBeUndefined();
  });

  it('reads nothing from an exception, whatever digits its message holds', () => {
    const text = fixture('parcel-meid').replace('00000000 0000000e', 'ffffffff 0000000e');
    expect(parseParcelString(text)).toBeUndefined();
  });

  it('stands whatever a phone prints', () => {
    const texts = parcels.map(({ text }) => text);
    fc.assert(
      fc.property(hostileText(texts), (text) => {
        expect(typeof parseParcelString(text)).toMatch(/string|undefined/);
      }),
    );
    for (const text of texts) expectOnlyParseErrors(parseParcelString, huge(text));
    expectOnlyParseErrors(parseParcelString, huge('Result: Parcel(00000000 '));
    expectOnlyParseErrors(parseParcelString, `Result: Parcel(${huge('00000000 ')}`);
  });
});
