/** Limits of a JSON text, checked in one pass before `JSON.parse` makes an object of each pair of brackets. */

export interface JsonBounds {
  readonly mostBytes: number;
  /** Commas, colons and brackets outside of strings: no value comes without one. */
  readonly mostMarks: number;
}

/** No file of ours nests half as deep. */
const DEEPEST = 32;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** @returns why `JSON.parse` must not have the text; undefined if it may */
export function beyondBounds(text: string, { mostMarks }: JsonBounds): string | undefined {
  let [depth, marks] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === COLON) marks += 1;
    else if (code === OPENING[0] || code === OPENING[1]) [depth, marks] = [depth + 1, marks + 1];
    else if (code === CLOSING[0] || code === CLOSING[1]) depth -= 1;
    if (depth > DEEPEST) return `nested deeper than ${DEEPEST} levels`;
    if (marks > mostMarks) return `more than ${mostMarks} values`;
  }
  return undefined;
}

/** The place of the closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
