/** Finds a secret in a text in any form: plain, escaped, encoded, wrapped, or several of these. */
import { fromBase64, fromHex, type Layer, layerOf, textAlone, unescaped, unwrapped } from './decodings.ts';

export interface Span {
  start: number;
  end: number;
}

/** How many levels of escapes we undo in plain text. */
const ESCAPED_TIMES = 4;
/** How many levels of escapes we undo in decoded text. */
const ESCAPED_WITHIN = 2;
/** Up to this length we also look for text that is encoded twice, characters. */
const ENCODED_TWICE = 64 * 1024;
/** Fewer bytes occur by chance in decoded base64, or in text without its blanks. */
const LEAST_CHARACTERISTIC = 6;

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');

/** Builds the search for these secrets. */
export function secretFinder(secrets: readonly string[]): (text: string) => Span[] {
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
  const least = Math.min(...[...needles, ...unbroken].map(({ length }) => length));

  return (text) => {
    if (text.length * 3 < least) return [];
    const spans: Span[] = [];
    const note = (layer: Layer, wanted: readonly Buffer[]) => {
      for (const needle of wanted) spans.push(...occurrences(layer, needle));
    };
    const visit = (layer: Layer, wanted: readonly Buffer[], escapes: number, encodings: number): void => {
      note(layer, wanted);
      const plain = unwrapped(layer);
      if (plain) note(plain, unbroken);
      if (encodings > 0) {
        const whole = plain ?? layer;
        if (characteristic.length > 0) {
          for (const skip of [0, 1, 2, 3])
            visit(fromBase64(whole, skip), characteristic, ESCAPED_WITHIN, encodings - 1);
          for (const skip of [0, 1])
            visit(fromHex(whole, skip), characteristic, ESCAPED_WITHIN, encodings - 1);
        }
        if (short.length > 0) {
          note(textAlone(fromBase64(layer, 0)), short);
          note(textAlone(fromHex(layer, 0)), short);
        }
      }
      const read = escapes > 0 ? unescaped(layer) : undefined;
      if (read) visit(read, wanted, escapes - 1, encodings);
    };
    visit(layerOf(text), needles, ESCAPED_TIMES, text.length <= ENCODED_TWICE ? 2 : 1);
    return joined(spans);
  };
}

function* occurrences({ bytes, starts, ends }: Layer, needle: Buffer): Generator<Span> {
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
