/** Control characters, line and paragraph separators, and the marks that turn the direction of text. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Text of a foreign origin (a phone, adb, the cloud) as one harmless line: without control characters, terminal
 * escapes and broken surrogates, at most `limit` characters.
 */
export const printable = (text: string, limit = 1000): string =>
  text
    .slice(0, limit * 4)
    .toWellFormed()
    .replace(unprintable, ' ')
    .trim()
    .slice(0, limit)
    .toWellFormed();
