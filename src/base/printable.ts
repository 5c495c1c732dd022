/** Foreign text made harmless: the only place that knows which characters a terminal hides or obeys. */
/**
 * Control characters, line and paragraph separators, the marks that turn the direction of text, and what has no width and
 * makes two names look alike.
 */
const CONTROLS = String.raw`\p{Cc}\u00ad\u034f\u061c\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`;
/** Joiners, of no width: emoji and some scripts need them, so they are text, but a person cannot see them. */
const WIDTHLESS = String.raw`\u200c\u200d`;
const unprintable = new RegExp(`[${CONTROLS}]`, 'gu');
const manyUnprintable = new RegExp(`[${CONTROLS}]+`, 'gu');
const invisible = new RegExp(`[${CONTROLS}${WIDTHLESS}]`, 'gu');

/**
 * Text of a foreign origin (a phone, adb, the cloud) as one harmless line: without control characters, terminal
 * escapes and broken surrogates, at most `limit` characters.
 */
export function printable(text: string, limit = 1000): string {
  const start = cut(text, limit * 4);
  if (/^[ -~]*$/.test(start)) return start.trim().slice(0, limit).trimEnd(); // mostly
  return cut(start.toWellFormed().replace(manyUnprintable, ' ').trim(), limit).trimEnd();
}

/** The first characters of a text, none of them a half one. */
const cut = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : text.slice(0, /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit);

/**
 * Text on its way to a terminal, a file or a pipe: what is not printable, but for line feeds, is written as JSON
 * writes it (`\u001b`). JSON keeps its meaning, and nothing that a phone said reaches a terminal's controls.
 */
export const escaped = (text: string): string =>
  text.replace(unprintable, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Draws each control character that has a picture: ␛ for escape, ␊ for a line feed. */
export const pictured = (text: string): string =>
  text.replace(/\p{Cc}/gu, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : control;
  });

/** Makes every character of a line visible: `␛` for an escape, `\u{202e}` for an invisible mark. */
export const visible = (line: string): string =>
  pictured(line.toWellFormed()).replace(
    invisible,
    (character) => `\\u{${character.charCodeAt(0).toString(16)}}`,
  );

/** No serial number, USB path or network name is longer, characters. */
export const LONGEST_IDENTIFIER = 128;
/** What most are made of. */
const PLAIN = new RegExp(`^[!-~]{0,${LONGEST_IDENTIFIER}}$`);

/**
 * Makes a serial, path or name safe for reports, files and logs. A printable text of at most 128 characters stays,
 * without blanks around it; any other becomes a hash, the same at each start. A safe identifier does not change.
 */
export function safeIdentifier(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = text.trim();
  if (plain.length <= LONGEST_IDENTIFIER && printable(plain, LONGEST_IDENTIFIER) === plain) return plain;
  // loaded here: the history's thread, which is started again and again, hardly ever needs it
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `sha256-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
