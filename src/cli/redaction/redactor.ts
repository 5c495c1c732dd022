/**
 * Replaces personal data in texts that belong together: what one phone printed, or a support bundle. First it learns
 * from all of them which values are personal, then it replaces each of them everywhere, also where the text around it
 * does not show what it is. The same value has the same replacement in all of them.
 */

import { findPersonal, publicText, type Span } from './personal.ts';
import { mask, type StandIns } from './stand-in.ts';

/** Shorter values are replaced only where they are known by form or context, or stand in quotes. */
const SHORTEST_ANYWHERE = 6;
/** From this length on also in the middle of words. */
const SHORTEST_WITHIN = 10;
/** More is no phone's. */
const LONGEST_ANYWHERE = 200;
const MOST_LEARNED = 2000;
/** A pattern holds so many values. */
const AT_ONCE = 1000;
/** A reply of `service call` that is one word with a digit in it. */
const parcelWord = /(?<![ -~])[\w+-]+(?![ -~])/g;
const commonWord = /^(?:[a-z]+|[A-Z]+)$/;
const LONGEST_PARCEL_WORD = 32;

export interface RedactorOptions {
  texts: readonly string[];
  /** What is known to be personal, such as its serial. */
  known: readonly string[];
  /** The same, and replaced as words of a text too, however short: names of phones. */
  names?: readonly string[];
  /** What replaces the values; without them a mask does. */
  standIns?: StandIns;
}

export class Redactor {
  readonly #public: string;
  readonly #personal = new Set<string>();
  readonly #replace: (value: string) => string;
  readonly #anywhere: readonly RegExp[];

  constructor({ texts, known, names = [], standIns }: RedactorOptions) {
    this.#public = publicText(texts);
    this.#replace = standIns === undefined ? mask : (value) => standIns.of(value);
    const given = new Set([...known, ...names].filter((value) => value !== ''));
    for (const value of given) this.#personal.add(value);
    for (const text of texts) this.#learn(text);
    for (const value of this.#personal) standIns?.reserve(value);
    const learned = [...this.#personal].filter(
      (value) => !given.has(value) && (/\d/.test(value) || !this.#isCommon(value)),
    );
    this.#anywhere = patternsOf([...given, ...learned.slice(0, MOST_LEARNED)], new Set(names));
  }

  text(text: string): string {
    return rewriteParcels(text, (...piece) => this.#rewrite(...piece));
  }

  /** One value: replaced as a whole when it is a personal one, however short. */
  value(value: string): string {
    return this.#personal.has(value) ? this.#replace(value) : this.text(value);
  }

  /** The model's own words, and what could be a word of the dump itself. */
  #isCommon(value: string): boolean {
    return (
      this.#public.includes(value.toLowerCase()) || (commonWord.test(value) && value.length < SHORTEST_WITHIN)
    );
  }

  #learn(text: string): void {
    rewriteParcels(text, (piece, isInParcel) => {
      for (const { start, end } of this.#spansIn(piece, isInParcel))
        for (const value of spellings(piece.slice(start, end))) this.#personal.add(value);
      return piece;
    });
  }

  #spansIn(piece: string, isInParcel: boolean): Span[] {
    return [...findPersonal(piece, this.#public), ...(isInParcel ? parcelSpans(piece) : [])];
  }

  #rewrite(text: string, isInParcel: boolean): string {
    const everywhere = this.#anywhere.flatMap((pattern) => matchesOf(pattern, text));
    const spans = withoutOverlaps([...this.#spansIn(text, isInParcel), ...everywhere]);
    let written = '';
    let from = 0;
    for (const { start, end } of spans) {
      written += text.slice(from, start) + this.#replace(text.slice(start, end));
      from = end;
    }
    return written + text.slice(from);
  }
}

export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]));
}

/** A MAC address may also stand without its colons. */
const spellings = (value: string): string[] =>
  /^[\da-f]{2}(?:[:-][\da-f]{2}){5}$/i.test(value) ? [value, value.replace(/[:-]/g, '')] : [value];

const matchesOf = (pattern: RegExp, text: string): Span[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({ start: index, end: index + length }));

const parcelSpans = (text: string): Span[] =>
  matchesOf(parcelWord, text).filter(({ start, end }) => {
    const word = text.slice(start, end);
    const isOfLength = word.length >= SHORTEST_ANYWHERE && word.length <= LONGEST_PARCEL_WORD;
    return isOfLength && /\d/.test(word) && !/^(.)\1*$/.test(word);
  });

/** In order; of two that overlap, the second keeps only what the first leaves. */
function withoutOverlaps(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  const ordered = spans.toSorted((one, other) => one.start - other.start || other.end - one.end);
  for (const { start, end } of ordered) {
    const from = Math.max(start, kept.at(-1)?.end ?? 0);
    if (from < end) kept.push({ start: from, end });
  }
  return kept;
}

/** Patterns that match the values, long ones first. The bounds stand around all words: V8 is slow where each has its own. */
function patternsOf(values: readonly string[], names: ReadonlySet<string>): RegExp[] {
  const sorted = values
    .filter(({ length }) => length >= 2 && length <= LONGEST_ANYWHERE)
    .toSorted((one, other) => other.length - one.length);
  const sources = (some: readonly string[]) =>
    some.map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|') || '(?!)';
  return Array.from({ length: Math.ceil(sorted.length / AT_ONCE) }, (_, index) => {
    const some = sorted.slice(index * AT_ONCE, (index + 1) * AT_ONCE);
    const within = sources(some.filter(({ length }) => length >= SHORTEST_WITHIN));
    const shorter = some.filter(({ length }) => length < SHORTEST_WITHIN);
    const isWord = (value: string) => value.length >= SHORTEST_ANYWHERE || names.has(value);
    const words = sources(shorter.filter(isWord));
    const quoted = sources(shorter.filter((value) => !isWord(value)));
    return new RegExp(`${within}|(?<![A-Za-z0-9])(?:${words})(?![A-Za-z0-9])|(?<=")(?:${quoted})(?=")`, 'gi');
  });
}

/**
 * A row of a reply of `service call`, printed as 32-bit words and, beside them, as ASCII (see src/facts/parcel.ts): what is
 * before its mark, the mark, the words, and what is between them and the ASCII column, which may be missing.
 */
const row = /^(.{0,40}?)(Parcel\(|0x[0-9a-f]{8}: +)((?:[0-9a-f]{8} ){0,3}[0-9a-f]{8})( *')?/;

/** Exchanges a text for one that is as long. */
type Rewrite = (text: string, isInParcel: boolean) => string;

/** Rewrites the texts in parcels, both columns alike, and the lines around them. */
function rewriteParcels(text: string, rewrite: Rewrite): string {
  // lines that follow each other: rows of one parcel, or lines that are none
  const groups: { lines: string[]; rows: Row[] }[] = [];
  for (const line of text.split('\n')) {
    const found = rowOf(line);
    const last = groups.at(-1);
    const isFirst = found !== undefined && /Parcel\(|0x00000000/.test(found.mark);
    const isMore = last !== undefined && !isFirst && last.rows.length > 0 === (found !== undefined);
    const group = isMore ? last : { lines: [], rows: [] };
    if (!isMore) groups.push(group);
    group.lines.push(line);
    if (found !== undefined) group.rows.push(found);
  }
  return groups
    .map(({ lines, rows }) => (rows.length > 0 ? rewritten(rows, rewrite) : rewrite(lines.join('\n'), false)))
    .join('\n');
}

type Row = NonNullable<ReturnType<typeof rowOf>>;

/** `rest` begins with the ASCII column, if there is one. */
function rowOf(line: string) {
  const [whole = '', before = '', mark = '', words = '', gap = ''] = row.exec(line) ?? [];
  if (words === '') return undefined;
  const bytes = Buffer.from(words.replaceAll(' ', ''), 'hex').swap32();
  return { before, mark, bytes, gap, rest: line.slice(whole.length) };
}

/** What stands around words and ASCII column may be anything. */
function rewritten(rows: readonly Row[], rewrite: Rewrite): string {
  const inParcel = (text: string, encoding: 'utf16le' | 'latin1') =>
    Buffer.from(rewrite(text, true), encoding);
  const all = Buffer.concat(rows.map(({ bytes }) => bytes));
  const after = inParcel(inParcel(all.toString('utf16le'), 'utf16le').toString('latin1'), 'latin1');
  if (after.length !== all.length) throw new RangeError('a parcel must keep its length');
  let offset = 0;
  const lines = rows.map(({ before, mark, bytes, gap, rest }) => {
    const now = after.subarray(offset, offset + bytes.length);
    offset += bytes.length;
    const words = Buffer.from(now)
      .swap32()
      .toString('hex')
      .replace(/.{8}(?=.)/g, '$& ');
    // a column that says something else may still tell what was in the words
    const isColumn = gap !== '' && (rest.startsWith(asciiOf(bytes)) || !now.equals(bytes));
    const column = isColumn ? asciiOf(now).slice(0, rest.length) : '';
    return rewrite(before, false) + mark + words + gap + column + rewrite(rest.slice(column.length), false);
  });
  return lines.join('\n');
}

const asciiOf = (bytes: Buffer): string => bytes.toString('latin1').replace(/[^ -~]/g, '.');
