import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProperties } from '../../src/facts/properties.ts';
import { expectFacts, samples } from '../support/corpus.ts';
import { expectOnlyParseErrors, hostileText, huge } from '../support/hostile-text.ts';

const phones = samples('getprop');

describe('parseProperties', () => {
  it.each(phones)('reads every property of $device on Android $android', ({ file, text, expected }) => {
    const { propCount, ...values } = expected;
    const properties = parseProperties(text);
    expectFacts(
      file,
      Object.fromEntries(Object.keys(values).map((key) => [key, properties.get(key)])),
      values,
    );
    expectFacts(file, properties.size, propCount);
  });

  it('keeps the line breaks and brackets of a value', () => {
    const text = '[a]: [{\n  "x": [1]\n]\n}]\n[b]: []\n[c]: [d]\nshell@phone:/ $ ';
    expect(Object.fromEntries(parseProperties(text))).toEqual({ a: '{\n  "x": [1]\n]\n}', b: '', c: 'd' });
  });

  it('leaves out a value that the phone did not finish', () => {
    expect(Object.fromEntries(parseProperties('[a]: [1]\n[ro.product.model]: [Pixel'))).toEqual({ a: '1' });
  });

  it('reads the same through a pty, after a byte order mark and between NULs', () => {
    fc.assert(
      fc.property(fc.constantFrom(...phones), ({ text }) => {
        const plain = parseProperties(text);
        const through = `\uFEFF${text.replaceAll('\r', '').replaceAll('\n', '\0\r\n')}`;
        expect(parseProperties(through)).toEqual(plain);
      }),
      { numRuns: 20 },
    );
  });

  it('never fails, whatever a phone prints, and takes linear time', () => {
    const texts = phones.map(({ text }) => text);
    fc.assert(fc.property(hostileText(texts), (text) => expectOnlyParseErrors(parseProperties, text)));
    for (const text of [texts[0] ?? '', '[', '[a', '[a]: [', ']\n', '\0', ' ']) {
      expectOnlyParseErrors(parseProperties, huge(text));
    }
  });
});
