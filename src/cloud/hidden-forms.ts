/** Finds a secret in a text in any form: plain, escaped, encoded, wrapped, or several of these. */
import {
  fromBase64,
  fromDecimals,
  fromHex,
  fromQuotedPrintable,
  inLowerCase,
  layerOf,
  type TextLayer,
  textAlone,
  unescaped,
  unwrapped,
} from './decodings.ts';

/** A part of a text: characters from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/** How many levels of escapes we undo in plain text. */
const ESCAPED_TIMES = 6;
/** How many levels of escapes we undo in decoded text. */
const ESCAPED_WITHIN = 2;
/** How many levels of base64 and the like we undo. */
const ENCODED_TIMES = 3;
/** Fewer bytes occur by chance in decoded base64, or in text without its blanks. */
const LEAST_CHARACTERISTIC = 6;
/** A shorter secret may be a word; so we search for its exact letters only. */
const LEAST_IN_ANY_CASE = 12;

/** The work to search one text, bytes read: far more than ordinary text takes. */
const MOST_WORK_A_TEXT = 2 * 1024 * 1024;
/** What a layer costs apart from its bytes. */
const WORK_A_LAYER = 256;
/** How often a layer is read: as it is, without blanks, without escapes, and by each decoder. */
const READINGS = 12;

/** How much work the search may do for several texts together. */
export class SearchBudget {
  readonly most: number;
  #spent = 0;

  /** @param most bytes read */
  constructor(most = MOST_WORK_A_TEXT) {
    this.most = most;
  }

  get spent(): number {
    return this.#spent;
  }

  get left(): number {
    return Math.max(0, this.most - this.#spent);
  }

  spend(work: number): void {
    this.#spent += work;
  }
}

/** Finds the secrets in a text. If the budget ends first, all of the text counts as secret. */
export type SecretFinder = (text: string, budget?: SearchBudget) => Span[];

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');

export function secretFinder(secrets: readonly string[]): SecretFinder {
  // form data writes a plus for each blank
  const spellings = [...new Set(secrets.flatMap((secret) => [secret, secret.replaceAll(' ', '+')]))].filter(
    (secret) => secret !== '',
  );
  const needles = spellings.map(bytesOf);
  const characteristic = needles.filter(({ length }) => length >= LEAST_CHARACTERISTIC);
  const short = needles.filter(({ length }) => length < LEAST_CHARACTERISTIC);
  const unbroken = spellings
    .map((secret) => bytesOf(secret.replace(/\s/g, '')))
    .filter(({ length }) => length >= LEAST_CHARACTERISTIC);
  const inAnyCase = [...needles, ...unbroken]
    .filter(({ length }) => length >= LEAST_IN_ANY_CASE)
    .map((needle) => Buffer.from(inLowerCase({ bytes: needle, starts: noPlaces, ends: noPlaces }).bytes));
  const leastLength = (list: readonly Buffer[]) => Math.min(...list.map(({ length }) => length));
  const least = leastLength([...needles, ...unbroken]);
  const leastEncoded = leastLength([...characteristic, ...unbroken]);
  const leastShort = leastLength(short);

  return (text, budget = new SearchBudget()) => {
    if (text.length * 3 < least) return [];
    const spans: Span[] = [];
    let left = Math.min(budget.left, MOST_WORK_A_TEXT);
    const note = (layer: TextLayer, wanted: readonly Buffer[]) => {
      for (const needle of wanted) spans.push(...occurrences(layer, needle));
    };
    const visit = (layer: TextLayer, wanted: readonly Buffer[], escapes: number, encodings: number): void => {
      const isDecoded = encodings < ENCODED_TIMES;
      if (left <= 0 || layer.bytes.length < (isDecoded ? leastEncoded : 1)) return;
      const work = WORK_A_LAYER + READINGS * layer.bytes.length;
      budget.spend(work);
      left -= work;
      if (left <= 0) return;
      note(layer, wanted);
      const plain = unwrapped(layer);
      if (plain) note(plain, unbroken);
      if (!isDecoded && inAnyCase.length > 0) note(inLowerCase(plain ?? layer), inAnyCase);
      if (encodings > 0) {
        const whole = plain ?? layer;
        if (characteristic.length > 0) {
          const decoded = [
            ...[0, 1, 2, 3].map((skip) => fromBase64(whole, skip, leastEncoded)),
            ...[0, 1].map((skip) => fromHex(whole, skip, leastEncoded)),
            fromDecimals(layer, leastEncoded),
          ];
          const quoted = isDecoded ? undefined : fromQuotedPrintable(layer);
          if (quoted) decoded.push(quoted);
          for (const each of decoded) visit(each, characteristic, ESCAPED_WITHIN, encodings - 1);
        }
        if (short.length > 0) {
          note(textAlone(fromBase64(layer, 0, leastShort)), short);
          note(textAlone(fromHex(layer, 0, leastShort)), short);
        }
      }
      const read = escapes > 0 ? unescaped(layer) : undefined;
      if (read) visit(read, wanted, escapes - 1, encodings);
    };
    // more bytes than the budget: do not even make the layer
    if (text.length * READINGS > left) left = 0;
    else visit(layerOf(text), needles, ESCAPED_TIMES, ENCODED_TIMES);
    return left > 0 ? joined(spans) : [{ start: 0, end: text.length }];
  };
}

const noPlaces = new Uint32Array();

function* occurrences({ bytes, starts, ends }: TextLayer, needle: Buffer): Generator<Span> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    yield { start: starts[at] ?? 0, end: ends[at + needle.length - 1] ?? 0 };
  }
}

/** Sorted, with overlapping spans merged. */
function joined(spans: Span[]): Span[] {
  const kept: Span[] = [];
  for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
    const last = kept.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else kept.push({ start, end });
  }
  return kept;
}
