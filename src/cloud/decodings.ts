/**
 * Undoes encodings: URLs, HTML, JSON and quoted-printable escape single characters; base64, hexadecimal and lists of
 * decimal numbers encode all bytes; each may be wrapped in lines. Linear in time and space.
 */
import { ESCAPE_STARTS, escapeAt, hexAt, hexValue, isHexDigit } from './escapes.ts';

/** Bytes (UTF-8), each with its characters in the original text: from `starts` to before `ends`. */
export interface TextLayer {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Separates unrelated runs; never a byte of UTF-8. */
const GAP = 0xff;

class TextLayerBuilder {
  readonly #from: TextLayer;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #length = 0;

  /** @param most the maximum number of bytes */
  constructor(from: TextLayer, most: number) {
    this.#from = from;
    this.#bytes = new Uint8Array(most);
    this.#starts = new Uint32Array(most);
    this.#ends = new Uint32Array(most);
  }

  /** Adds a byte that the former layer encodes in its bytes `first` to `last`. */
  add(byte: number, first: number, last: number): void {
    this.#bytes[this.#length] = byte;
    this.#starts[this.#length] = this.#from.starts[first] ?? 0;
    this.#ends[this.#length] = this.#from.ends[last] ?? 0;
    this.#length += 1;
  }

  get length(): number {
    return this.#length;
  }

  /** Ends a run that began at this length. Forgets it if it is shorter than `least`: it cannot contain a secret. */
  endRun(start: number, least: number, at: number): void {
    if (this.#length - start < least) this.#length = start;
    else this.add(GAP, at, at);
  }

  get layer(): TextLayer {
    return {
      bytes: this.#bytes.subarray(0, this.#length),
      starts: this.#starts.subarray(0, this.#length),
      ends: this.#ends.subarray(0, this.#length),
    };
  }
}

/** The plain text. */
export function layerOf(text: string): TextLayer {
  const bytes = Buffer.from(text, 'utf8');
  const starts = new Uint32Array(bytes.length);
  const ends = new Uint32Array(bytes.length);
  let at = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    const units = code > 0xffff ? 2 : 1;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code > 0xffff ? 4 : 3;
    starts.fill(index, at, at + size);
    ends.fill(index + units, at, at + size);
    at += size;
    index += units;
  }
  return { bytes, starts, ends };
}

/** Decodes each escape of URLs, HTML and JSON, and each fullwidth letter, once; undefined if there is none. */
export function unescaped(layer: TextLayer): TextLayer | undefined {
  const { bytes } = layer;
  if (!ESCAPE_STARTS.some((sign) => bytes.includes(sign))) return undefined;
  const builder = new TextLayerBuilder(layer, bytes.length); // no escape is shorter than what it says
  let isAny = false;
  for (let at = 0; at < bytes.length; ) {
    const found = escapeAt(bytes, at);
    if (found === undefined) {
      builder.add(bytes[at] ?? 0, at, at);
      at += 1;
      continue;
    }
    const said = 'byte' in found ? [found.byte] : Buffer.from(String.fromCodePoint(found.code), 'utf8');
    for (const byte of said) builder.add(byte, at, at + found.length - 1);
    at += found.length;
    isAny = true;
  }
  return isAny ? builder.layer : undefined;
}

const EQUALS = 0x3d;

/** Decodes quoted-printable, `=41` and a line end behind `=`; undefined if there is none. */
export function fromQuotedPrintable(layer: TextLayer): TextLayer | undefined {
  const { bytes } = layer;
  if (!bytes.includes(EQUALS)) return undefined;
  const builder = new TextLayerBuilder(layer, bytes.length);
  let isAny = false;
  for (let at = 0; at < bytes.length; ) {
    const [sign = 0, next] = [bytes[at], bytes[at + 1]];
    const byte = sign === EQUALS ? hexAt(bytes, at + 1, 2) : undefined;
    const isSoftEnd = sign === EQUALS && (next === 0x0a || next === 0x0d);
    if (byte !== undefined) builder.add(byte, at, at + 2);
    else if (!isSoftEnd) builder.add(sign, at, at);
    if (byte !== undefined || isSoftEnd) isAny = true;
    at += byte !== undefined ? 3 : isSoftEnd ? (next === 0x0d && bytes[at + 2] === 0x0a ? 3 : 2) : 1;
  }
  return isAny ? builder.layer : undefined;
}

/** The length in bytes of a blank, control or zero-width character here; 0 for any other. */
function blankAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte <= 0x20 || byte === 0x7f) return 1;
  const second = bytes[at + 1];
  if (byte === 0xc2) return second === 0xa0 || second === 0xad || (second ?? 0xff) < 0xa0 ? 2 : 0;
  if (byte === 0xcd) return second === 0x8f ? 2 : 0; // U+034F
  const third = bytes[at + 2] ?? 0;
  if (byte === 0xe2 && second === 0x80) return (third >= 0x80 && third <= 0x8f) || third >= 0xa8 ? 3 : 0;
  if (byte === 0xe2 && second === 0x81) return third >= 0xa0 && third <= 0xaf ? 3 : 0; // U+2060 to U+206F
  if (byte === 0xe3) return second === 0x80 && third === 0x80 ? 3 : 0; // U+3000
  if (byte === 0xf3) return second === 0xa0 && third <= 0x87 ? 4 : 0; // tags and variation selectors
  if (byte === 0xef && second === 0xb8) return third <= 0x8f ? 3 : 0; // U+FE00 to U+FE0F
  return byte === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
}

/** Removes blanks and line ends; undefined if there are none. */
export function unwrapped(layer: TextLayer): TextLayer | undefined {
  const { bytes } = layer;
  const builder = new TextLayerBuilder(layer, bytes.length);
  let isAny = false;
  for (let at = 0; at < bytes.length; ) {
    const blank = blankAt(bytes, at);
    if (blank === 0) builder.add(bytes[at] ?? 0, at, at);
    else isAny = true;
    at += blank || 1;
  }
  return isAny ? builder.layer : undefined;
}

/** The six bits of each base64 and base64url character; -1 for any other byte. */
const SIXTETS = new Int8Array(256).fill(-1);
for (const [index, sign] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  SIXTETS[sign.charCodeAt(0)] = index;
SIXTETS[0x2d] = 62;
SIXTETS[0x5f] = 63;

/**
 * Decodes everything that may be base64.
 *
 * @param skip ignore this many characters at the start of each run, 0 to 3
 * @param least leave out runs of fewer bytes
 */
export function fromBase64(layer: TextLayer, skip: number, least: number): TextLayer {
  const { bytes } = layer;
  const builder = new TextLayerBuilder(layer, bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    if ((SIXTETS[bytes[at] ?? 0] ?? -1) < 0) continue;
    let sign = 0;
    let bits = 0;
    let before = at;
    const start = builder.length;
    for (; at < bytes.length; at += 1, sign += 1) {
      const sixtet = SIXTETS[bytes[at] ?? 0] ?? -1;
      if (sixtet < 0) break;
      if (sign < skip) continue;
      const held = ((sign - skip) % 4) * 2; // bits left of a byte: 0, 6, 4, 2
      bits = (bits << 6) | sixtet;
      if (held === 0) before = at;
      else {
        const left = held === 2 ? 4 : held === 4 ? 2 : 0;
        builder.add((bits >> left) & 0xff, before, at);
        before = at;
      }
    }
    builder.endRun(start, least, Math.min(at, bytes.length - 1));
  }
  return builder.layer;
}

/** Colon, dash and comma stand between hexadecimal bytes. */
const isHexSeparator = (byte: number): boolean => byte === 0x3a || byte === 0x2d || byte === 0x2c;

/**
 * Decodes everything that may be hexadecimal, with optional separators and `0x` between bytes.
 *
 * @param skip ignore this many digits at the start of each run, 0 or 1
 * @param least leave out runs of fewer bytes
 */
export function fromHex(layer: TextLayer, skip: number, least: number): TextLayer {
  const { bytes } = layer;
  const builder = new TextLayerBuilder(layer, bytes.length);
  for (let at = 0; at < bytes.length; at += 1) {
    if (!isHexDigit(bytes[at] ?? 0)) continue;
    let first = -1;
    let digits = 0;
    const start = builder.length;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (isHexSeparator(byte)) continue;
      if (!isHexDigit(byte)) break;
      if (byte === 0x30 && first < 0 && ((bytes[at + 1] ?? 0) | 0x20) === 0x78) {
        at += 1; // 0x
        continue;
      }
      digits += 1;
      if (digits <= skip) continue;
      if (first < 0) first = at;
      else {
        builder.add(hexValue(bytes[first]) * 16 + hexValue(byte), first, at);
        first = -1;
      }
    }
    builder.endRun(start, Math.max(1, least), Math.min(at, bytes.length - 1));
  }
  return builder.layer;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isBlankOrComma = (byte: number): boolean => byte === 0x2c || byte === 0x20 || (byte >= 9 && byte <= 13);

/**
 * Decodes lists of decimal bytes, `107, 51, 121`.
 *
 * @param least leave out runs of fewer bytes
 */
export function fromDecimals(layer: TextLayer, least: number): TextLayer {
  const { bytes } = layer;
  const builder = new TextLayerBuilder(layer, bytes.length + 1); // a list of one digit has a gap behind it
  for (let at = 0; at < bytes.length; ) {
    if (!isDigit(bytes[at] ?? 0)) {
      at += 1;
      continue;
    }
    const start = builder.length;
    while (at < bytes.length && isDigit(bytes[at] ?? 0)) {
      const first = at;
      let value = 0;
      for (; isDigit(bytes[at] ?? 0); at += 1) value = Math.min(256, value * 10 + (bytes[at] ?? 0) - 0x30);
      if (value > 255) break;
      builder.add(value, first, at - 1);
      while (at < bytes.length && isBlankOrComma(bytes[at] ?? 0)) at += 1;
    }
    builder.endRun(start, least, Math.min(at, bytes.length - 1));
  }
  return builder.layer;
}

/** With ASCII's capitals in lower case. */
export function inLowerCase({ bytes, starts, ends }: TextLayer): TextLayer {
  return { bytes: bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)), starts, ends };
}

/** Keeps only the decoded runs that are text throughout. */
export function textAlone({ bytes, starts, ends }: TextLayer): TextLayer {
  const kept = Uint8Array.from(bytes);
  for (let at = 0; at < kept.length; ) {
    let end = at;
    let isText = true;
    for (; end < kept.length && kept[end] !== GAP; end += 1) {
      const byte = kept[end] ?? 0;
      if (byte < 0x20 || byte > 0x7e) isText = false;
    }
    if (!isText) kept.fill(GAP, at, end);
    at = end + 1;
  }
  return { bytes: kept, starts, ends };
}
