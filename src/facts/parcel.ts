/**
 * The string in a reply of `service call`.
 *
 * Source: AOSP cmds/service/service.cpp and libs/binder Parcel.cpp, print(), hexdump(): 32-bit words, and beside them
 * the same bytes as ASCII, a dot for what is not printable:
 *
 *     Result: Parcel(
 *       0x00000000: 00000000 0000000f 00360038 00390030 '........8.6.0.9.'
 *       0x00000010: 00350035 00320030 00300030 00380031 '5.5.0.2.0.0.1.8.'
 *       0x00000020: 00370033 00000034                   '3.7.4...        ')
 *
 * The first word is 0 or an exception's code; then, for a string, its length in UTF-16 units, -1 for null.
 */
import { plainText } from './phone-text.ts';

/** Longer than any identifier; a longer string is not one. */
const LONGEST = 32;

/**
 * Decodes one reply.
 *
 * @returns the string; undefined for an exception, a null, an unknown call, a reply cut short, or columns that differ
 */
export function parseParcelString(reply: string): string | undefined {
  const [, dump] = plainText(reply).split('Parcel(', 2);
  if (dump === undefined) return undefined;
  const lines = dump.split('\n', LONGEST).map((line) => {
    const [words = '', ascii = ''] = line.split("'", 2);
    return { words: words.replace(/0x[0-9a-f]{8}:/, '').match(/\b[0-9a-f]{8}\b/g) ?? [], ascii };
  });
  const [status, size, ...words] = lines
    .flatMap((line) => line.words)
    .map((word) => Number.parseInt(word, 16));
  if (status !== 0 || size === undefined || size === 0 || size > LONGEST) return undefined;
  const units = words.flatMap((word) => [word & 0xffff, word >>> 16]);
  if (units.length <= size || units[size] !== 0) return undefined;
  const text = String.fromCharCode(...units.slice(0, size));
  const shown = lines.map((line) => line.ascii).join('');
  return shown === '' || visible(shown) === visible(text) ? text : undefined;
}

/** The text on which both columns agree. */
const visible = (text: string): string => text.replace(/[^0-9A-Za-z]/g, '');
