/**
 * Replaces the personal data in all that one phone printed: first it learns from all the texts which values are
 * personal, then it replaces each of them everywhere, also where the text around it does not show what it is.
 */

import { type Rewrite, rewriteParcels } from './parcels.ts';
import { findPersonal, publicText, type Span } from './personal.ts';

/** Shorter values are replaced only where they are known by form or context, or stand in quotes. */
const SHORTEST_ANYWHERE = 6;
/** From this length on also in the middle of words. */
const SHORTEST_WITHIN = 10;
/** What a pattern can hold: more is no phone's. */
const LONGEST_ANYWHERE = 200;
const MOST_ANYWHERE = 2000;
/** A reply of `service call` that is one word with a digit in it. */
const parcelWord = /(?<![ -~])[\w+-]+(?![ -~])/g;
const commonWord = /^(?:[a-z]+|[A-Z]+)$/;
const LONGEST_PARCEL_WORD = 32;

export interface RedactorOptions {
  texts: readonly string[];
  /** What is known to be personal, such as its serial. */
  known: readonly string[];
  /** The same, and replaced as words of a text too, however short: names of phones. */
  words?: readonly string[];
  /** Hears of each personal value before any is replaced. */
  learn?: (value: string) => void;
  /** A value's replacement: as long, in UTF-16, and always the same. */
  replace: (value: string) => string;
}

export class Redactor {
  readonly #public: string;
  readonly #personal = new Set<string>();
  readonly #replace: Rewrite;
  readonly #anywhere: RegExp | undefined;

  constructor({ texts, known, words = [], learn = () => {}, replace }: RedactorOptions) {
    this.#public = publicText(texts);
    this.#replace = replace;
    for (const value of [...known, ...words]) if (value !== '') this.#personal.add(value);
    for (const text of texts) this.#learn(text);
    for (const value of this.#personal) learn(value);
    const given = new Set([...known, ...words]);
    const isAnywhere = (value: string) => given.has(value) || /\d/.test(value) || !this.#isCommon(value);
    this.#anywhere = patternOf([...this.#personal].filter(isAnywhere), words);
  }

  /** A text with the personal data in it replaced. */
  text(text: string): string {
    const outside = (piece: string) => this.#rewrite(piece);
    const inParcel = (piece: string) => this.#rewrite(piece, parcelSpans(piece));
    return rewriteParcels(text, { inParcel, outside, foreign: this.#replace });
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
    const learnFrom = (piece: string, spans: Span[]) => {
      for (const { start, end } of spans)
        for (const value of spellings(piece.slice(start, end))) this.#personal.add(value);
      return piece;
    };
    rewriteParcels(text, {
      inParcel: (piece) => learnFrom(piece, [...findPersonal(piece, this.#public), ...parcelSpans(piece)]),
      outside: (piece) => learnFrom(piece, findPersonal(piece, this.#public)),
      foreign: (shown) => shown,
    });
  }

  #rewrite(text: string, more: readonly Span[] = []): string {
    const everywhere = this.#anywhere
      ? Array.from(text.matchAll(this.#anywhere), ({ index, 0: { length } }) => ({
          start: index,
          end: index + length,
        }))
      : [];
    const spans = withoutOverlaps([...findPersonal(text, this.#public), ...everywhere, ...more]);
    let written = '';
    let from = 0;
    for (const { start, end } of spans) {
      written += text.slice(from, start) + this.#replace(text.slice(start, end));
      from = end;
    }
    return written + text.slice(from);
  }
}

/** A MAC address may also stand without its colons. */
const spellings = (value: string): string[] =>
  /^[\da-f]{2}(?:[:-][\da-f]{2}){5}$/i.test(value) ? [value, value.replace(/[:-]/g, '')] : [value];

const parcelSpans = (text: string): Span[] =>
  Array.from(text.matchAll(parcelWord), ({ index, 0: { length } }) => ({ start: index, end: index + length }))
    .filter(({ start, end }) => end - start >= SHORTEST_ANYWHERE && end - start <= LONGEST_PARCEL_WORD)
    .filter(
      ({ start, end }) => /\d/.test(text.slice(start, end)) && !/^(.)\1*$/.test(text.slice(start, end)),
    );

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

/** Matches each of the values, long ones first. */
function patternOf(values: readonly string[], words: readonly string[]): RegExp | undefined {
  const sorted = values
    .filter(({ length }) => length <= LONGEST_ANYWHERE)
    .slice(0, MOST_ANYWHERE)
    .toSorted((one, other) => other.length - one.length);
  const some = (from: number, to: number, values: readonly string[] = sorted) =>
    values
      .filter(({ length }) => length >= from && length < to)
      .map((value) => value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
      .join('|') || '(?!)';
  if (values.length === 0) return undefined;
  const bounded = `(?<![A-Za-z0-9])(?:${some(SHORTEST_ANYWHERE, SHORTEST_WITHIN)})(?![A-Za-z0-9])`;
  const named = words.toSorted((one, other) => other.length - one.length);
  const short = `(?<![A-Za-z0-9])(?:${some(2, SHORTEST_ANYWHERE, named)})(?![A-Za-z0-9])`;
  const quoted = `(?<=")(?:${some(2, SHORTEST_ANYWHERE)})(?=")`;
  return new RegExp(`${some(SHORTEST_WITHIN, Number.POSITIVE_INFINITY)}|${bounded}|${short}|${quoted}`, 'gi');
}
