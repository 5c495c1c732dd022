/** Texts as a phone, adb, a cloud or a person may send them: good ones, spoilt ones, and such as are made to do harm. */
import * as fc from 'fast-check';
import { anyText } from '../support/any-text.ts';
import type { Vocabulary } from './literals.ts';

/** A text that repeats one piece: as long as wanted, to see how the work grows with it. */
export interface Pump {
  before: string;
  piece: string;
  after: string;
  /** Each repetition has a number of its own, so that none is like another. */
  isCounted?: boolean;
}

export type Text = string | Pump;

/** No answer of a phone is longer (MAX_ANSWER_BYTES). */
const LONGEST = 1024 * 1024;

/** The text, with a repeated piece until it is so long, characters. */
export function spelt(text: Text, length: number): string {
  if (typeof text === 'string') return text.slice(0, LONGEST);
  const { before, piece, after, isCounted = false } = text;
  const room = Math.max(0, length - before.length - after.length);
  const times = Math.ceil(room / Math.max(1, piece.length));
  const repeated = isCounted ? counted(piece, times) : piece.repeat(times);
  return before + repeated.slice(0, room) + after;
}

/** The piece with a number in place of its first one, else behind its first word. */
function counted(piece: string, times: number): string {
  const [, head = piece, tail = ''] = /^(\D*?)\d+(.*)$/s.exec(piece) ?? /^(\W*\w+)(.*)$/s.exec(piece) ?? [];
  return Array.from({ length: times }, (_, number) => `${head}${number}${tail}`).join('');
}

/** What does harm where it is taken for text, a number, a name of a file, a key of an object or a piece of a terminal. */
export const hostile: readonly string[] = [
  ...['\r', '\n', '\r\n', '\r\r\n', '\t', '\v', '\f', ' ', '\0', '\x7f', '\x85', '\xa0', '\xad'],
  ...['\x1b[2J', '\x1b]0;x\x07', '\x9b31m', '\b', '\u202e', '\u2066', '\u200f', '\u061c', '\u2028', '\u2029'],
  ...['\ufeff', '\ufffd', '\ud800', '\udc00', '😀', '\u0301', 'İ', 'ß', '٣', '𝟙'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'Infinity'],
  ...[
    '-1',
    '-0',
    '0',
    '1e400',
    '0x7fffffff',
    '2147483648',
    '9007199254740993',
    '9'.repeat(40),
    '1'.repeat(400),
  ],
  ...['00', '1.5', '1,5', '.5', '5.', '+5', '１２'],
  ...[
    '../../etc/passwd',
    '/',
    '\\',
    '$&',
    '$1',
    '%00',
    '%s',
    '{{',
    '$(x)',
    '<script>',
    '"',
    "'",
    '`',
    ';',
    '|',
  ],
  ...['[', ']', '{', '}', '(', ')', ':', ',', '=', '&', '*', '?', '#', '!', '-', '_', '.', '@'],
];

export interface TextOptions {
  /** Good texts. */
  samples: readonly string[];
  vocabulary: Vocabulary;
}

/** Good texts, the same with changes, texts out of the parser's own words, noise, and repetitions. */
export function texts({ samples, vocabulary: { words, phrases } }: TextOptions): fc.Arbitrary<Text> {
  const sample = fc.constantFrom(...(samples.length > 0 ? samples : ['']));
  const word = fc.constantFrom(...hostile, ...words);
  const token = fc.oneof(word, ...(phrases.length > 0 ? [fc.oneof(...phrases)] : []));
  const spoilt = fc
    .tuple(sample, fc.array(change(token, sample), { minLength: 1, maxLength: 6 }))
    .map(([text, changes]) => changes.reduce((done, each) => each(done).slice(0, LONGEST), text));
  const some = sample.chain((text) => fc.subarray(text.split('\n')).map((lines) => lines.join('\n')));
  const made = fc.array(fc.oneof(token, token, fc.constantFrom(' ', '\n', ': ', '=', '  ')), {
    maxLength: 60,
  });
  const noise = fc.oneof(
    anyText({ maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...' \t\n\r\0:=[]{}(),%-.0127afxAZ/"'), maxLength: 300 }),
  );
  return fc.oneof(
    { arbitrary: spoilt, weight: 8 },
    { arbitrary: some, weight: 2 },
    { arbitrary: made.map((parts) => parts.join('')), weight: 6 },
    { arbitrary: noise, weight: 2 },
    { arbitrary: pumps(token, sample), weight: 2 },
  );
}

/** A piece repeated, behind and before what may lead a pattern there and then let it down. */
function pumps(token: fc.Arbitrary<string>, sample: fc.Arbitrary<string>): fc.Arbitrary<Pump> {
  const line = sample.chain((text) => fc.constantFrom(...text.split('\n').slice(0, 200)));
  const lead = fc.oneof(
    fc.constant(''),
    token,
    line,
    fc.tuple(line, token).map(([one, two]) => one + two),
  );
  const piece = fc
    .oneof(
      fc.array(token, { minLength: 1, maxLength: 3 }).map((tokens) => tokens.join('')),
      line.map((text) => `${text}\n`),
      fc.constantFrom(' ', '\t', '\r', '\n', '0', '9', 'a', '.', ',', '0 ', 'a ', '1.', '[', ']\n'),
    )
    .filter((text) => text !== '');
  const after = fc.oneof(fc.constant(''), token, line);
  return fc.record({ before: lead, piece, after, isCounted: fc.boolean() });
}

type Change = ((text: string) => string) & { [fc.toStringMethod]?: () => string };

/** One change of a text; places are parts of its length, so that they fit any text. */
function change(token: fc.Arbitrary<string>, sample: fc.Arbitrary<string>): fc.Arbitrary<Change> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const at = (text: string, part: number) => Math.floor(part * text.length);
  return fc.oneof<fc.Arbitrary<Change>[]>(
    fc.tuple(place, token).map(
      ([part, piece]) =>
        (text) =>
          put(text, at(text, part), 0, piece),
    ),
    fc.tuple(place, fc.nat(40), token).map(
      ([part, length, piece]) =>
        (text) =>
          put(text, at(text, part), length, piece),
    ),
    fc.tuple(place, fc.nat(200)).map(
      ([part, length]) =>
        (text) =>
          put(text, at(text, part), length, ''),
    ),
    place.map((part) => (text) => text.slice(0, at(text, part))),
    fc.tuple(place, fc.constantFrom(...hostile), fc.integer({ min: 1, max: 200 })).map(
      ([part, piece, times]) =>
        (text) =>
          put(text, at(text, part), 0, piece.repeat(times)),
    ),
    fc.tuple(place, fc.integer({ min: 1, max: 2000 })).map(([part, times]) => (text) => {
      const lines = text.split('\n');
      const index = Math.floor(part * (lines.length - 1));
      const line = `${lines[index] ?? ''}\n`;
      return lines.with(index, line.repeat(Math.min(times, Math.ceil(LONGEST / line.length)))).join('\n');
    }),
    fc.tuple(place, token).map(([part, piece]) => (text) => {
      const numbers = [...text.matchAll(/\d+/g)];
      const number = numbers[Math.floor(part * numbers.length)];
      return number ? put(text, number.index, number[0].length, piece) : text;
    }),
    fc.tuple(place, sample).map(
      ([part, other]) =>
        (text) =>
          text.slice(0, at(text, part)) + other,
    ),
    fc.constantFrom<Change[]>(
      (text) => text.replaceAll('\n', '\r\n'),
      (text) => text.replaceAll('\n', '\r\r\n'),
      (text) => text.replaceAll('\n', ' '),
      (text) => `\ufeff${text}`,
      (text) => text.replaceAll(' ', '\0'),
      (text) => text.replace(/\d/g, '9'),
      (text) => text.toUpperCase(),
      (text) => text.split('\n').reverse().join('\n'),
      (text) => text + text,
    ),
  );
}

const put = (text: string, at: number, length: number, piece: string): string =>
  text.slice(0, at) + piece + text.slice(at + length);

/** Bytes cut into pieces, as a network delivers them. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 }),
  fc.array(fc.integer({ min: 1, max: 4000 }), { maxLength: 12 }),
);

/** The bytes in pieces of these lengths; what is left over is the last piece. */
export function pieces(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const cut: Buffer[] = [];
  let from = 0;
  for (const length of lengths) {
    if (from >= bytes.length) break;
    cut.push(bytes.subarray(from, from + length));
    from += length;
  }
  return from < bytes.length ? [...cut, bytes.subarray(from)] : cut;
}
