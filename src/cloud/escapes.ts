/** The escapes of URLs, HTML, JSON and JavaScript, and fullwidth letters: what one of them encodes. */

export const isHexDigit = (byte: number): boolean => hexValue(byte) >= 0;

/** The value of a hexadecimal digit; -1 for any other byte. */
export function hexValue(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The value of this many hexadecimal digits; undefined if there are fewer. */
export function hexAt(bytes: Uint8Array, at: number, digits: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const digit = hexValue(bytes[index]);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

/** What one escape encodes, a byte or a character, and the length of the escape in bytes. */
export type Escape = { byte: number; length: number } | { code: number; length: number };

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
/** The first byte of a fullwidth character. */
const FULLWIDTH = 0xef;

export const ESCAPE_STARTS = [PERCENT, AMPERSAND, BACKSLASH, FULLWIDTH];

/** The escape that begins at this byte; undefined if none does. */
export function escapeAt(bytes: Uint8Array, at: number): Escape | undefined {
  switch (bytes[at]) {
    case PERCENT:
      return percentAt(bytes, at);
    case AMPERSAND:
      return entityAt(bytes, at);
    case BACKSLASH:
      return backslashAt(bytes, at);
    case FULLWIDTH:
      return fullwidthAt(bytes, at);
    default:
      return undefined;
  }
}

function percentAt(bytes: Uint8Array, at: number): Escape | undefined {
  if (bytes[at + 1] === 0x75) return characterOf(hexAt(bytes, at + 2, 4), 6); // %u0041
  const byte = hexAt(bytes, at + 1, 2);
  return byte === undefined ? undefined : { byte, length: 3 };
}

const characterOf = (code: number | undefined, length: number): Escape | undefined =>
  code === undefined || code > 0x10ffff ? undefined : { code, length };

/** The fullwidth forms of the ASCII characters, U+FF01 to U+FF5E. */
function fullwidthAt(bytes: Uint8Array, at: number): Escape | undefined {
  const [second = 0, third = 0] = [bytes[at + 1], bytes[at + 2]];
  // what base64 or hex decodes to need not be UTF-8: the third byte may be any
  if (second === 0xbc && third >= 0x81 && third <= 0xbf) return { code: third - 0x60, length: 3 };
  if (second === 0xbd && third >= 0x80 && third <= 0x9e) return { code: third - 0x20, length: 3 };
  return undefined;
}

const LONGEST_ENTITY = 12;

/** HTML's names for the ASCII characters other than letters and digits. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', AMP: '&', lt: '<', LT: '<', gt: '>', GT: '>', quot: '"', QUOT: '"', apos: "'", nbsp: ' ' },
    ...{ sol: '/', bsol: '\\', plus: '+', equals: '=', colon: ':', semi: ';', period: '.', comma: ',' },
    ...{ lowbar: '_', hyphen: '-', dash: '-', num: '#', dollar: '$', percnt: '%', excl: '!', ast: '*' },
    ...{ midast: '*', lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{' },
    ...{ lbrace: '{', rcub: '}', rbrace: '}', verbar: '|', vert: '|', Hat: '^', grave: '`', commat: '@' },
    ...{ quest: '?', Tab: '\t', NewLine: '\n', UnderBar: '_', VerticalLine: '|', DiacriticalGrave: '`' },
  }),
);

/** `&#65;`, `&#x41;`, `&amp;`; browsers also accept a number without its semicolon. */
function entityAt(bytes: Uint8Array, at: number): Escape | undefined {
  const text = Buffer.from(bytes.subarray(at, at + LONGEST_ENTITY + 8)).toString('latin1');
  const number = /^&#(?:[xX]([0-9A-Fa-f]{1,8})|([0-9]{1,8}));?/.exec(text);
  if (number) {
    const [whole, hex, decimal] = number;
    return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), whole.length);
  }
  const [whole = '', name = ''] = /^&([A-Za-z]{2,18});?/.exec(text) ?? [];
  const meant = ENTITIES.get(name);
  if (meant !== undefined) return characterOf(meant.charCodeAt(0), whole.length);
  const [short = ''] = /^&(?:amp|lt|gt|quot)/.exec(text) ?? [];
  return short === '' ? undefined : characterOf(ENTITIES.get(short.slice(1))?.charCodeAt(0), short.length);
}

const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** JSON's and JavaScript's: `\u0041`, `\u{41}`, `\x41`, `\101`, `\/`. A surrogate is read together with its other half. */
function backslashAt(bytes: Uint8Array, at: number): Escape | undefined {
  const next = bytes[at + 1];
  if (next === undefined || next < 0x21 || next > 0x7e) return undefined;
  const letter = String.fromCharCode(next);
  if (letter === 'x') return characterOf(hexAt(bytes, at + 2, 2), 4);
  if (letter === 'u') {
    if (bytes[at + 2] === 0x7b) {
      const text = Buffer.from(bytes.subarray(at, at + 12)).toString('latin1');
      const [whole = '', digits = ''] = /^\\u\{([0-9A-Fa-f]{1,6})\}/.exec(text) ?? [];
      return whole === '' ? undefined : characterOf(Number.parseInt(digits, 16), whole.length);
    }
    const unit = hexAt(bytes, at + 2, 4);
    const isHigh = unit !== undefined && unit >= 0xd800 && unit < 0xdc00;
    const low =
      isHigh && bytes[at + 6] === BACKSLASH && bytes[at + 7] === 0x75 ? hexAt(bytes, at + 8, 4) : -1;
    if (low !== undefined && low >= 0xdc00 && low < 0xe000)
      return characterOf(0x10000 + ((unit ?? 0) - 0xd800) * 0x400 + (low - 0xdc00), 12);
    return characterOf(unit, 6);
  }
  if (next >= 0x30 && next <= 0x37) return octalAt(bytes, at + 1);
  const isWord = /[A-Za-z0-9]/.test(letter);
  if (isWord && CONTROLS[letter] === undefined) return undefined;
  return characterOf((CONTROLS[letter] ?? letter).charCodeAt(0), 2);
}

/** Two or three octal digits, at most 0o377. */
function octalAt(bytes: Uint8Array, at: number): Escape | undefined {
  let byte = 0;
  let digits = 0;
  for (; digits < 3; digits += 1) {
    const digit = (bytes[at + digits] ?? 0) - 0x30;
    if (digit < 0 || digit > 7 || byte * 8 + digit > 0xff) break;
    byte = byte * 8 + digit;
  }
  return digits < 2 ? undefined : { byte, length: 1 + digits };
}
