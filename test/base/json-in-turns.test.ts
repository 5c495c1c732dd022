import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonInTurns } from '../../src/base/json-in-turns.ts';
import { printable } from '../../src/base/printable.ts';

describe('JSON in turns', () => {
  it('is what JSON.stringify writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue(), { maxLength: 130 }))),
        async (value) => {
          expect(await jsonInTurns(value)).toBe(JSON.stringify(value));
        },
      ),
      { numRuns: 50 },
    );
    const odd = { none: undefined, list: [undefined, 1], date: new Date(0), empty: [] };
    expect(await jsonInTurns(odd)).toBe(JSON.stringify(odd));
  });

  it('lets others have their turns while it writes a long list', async () => {
    const order: string[] = [];
    const written = jsonInTurns({ list: Array.from({ length: 500 }, (_, index) => ({ index })) }).then(() =>
      order.push('written'),
    );
    setImmediate(() => order.push('another'));
    await written;
    expect(order).toEqual(['another', 'written']);
  });
});

describe('text made printable', () => {
  it('is the same whether it is plain or not', () => {
    expect(printable(`  plain ${'x'.repeat(20)}  `, 10)).toBe('plain xxxx');
    expect(printable('\u001b[2J a\u2028b ', 10)).toBe('[2J a b');
    expect(printable('')).toBe('');
  });
});
