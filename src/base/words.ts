/** Small pieces of sentences, commands and lists, for people. Loads nothing: the page uses them too. */

/** `1 phone`, `6 phones`. */
export const quantity = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The text with a capital at its start. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A word as a shell takes it: in single quotes each character stands for itself. */
export const quoted = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Names a place in a value, for a person: `devices.1.match` is the match of the first device. Lists count from 1. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part) => String(typeof part === 'number' ? part + 1 : part)).join('.');

/** What stands at such a path; undefined if there is nothing. */
export function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[part] : undefined,
    tree,
  );
}

/** ASCII as Unicode's root collation sorts it, beside the order of numbers. */
const ORDER = ` _-,;:!?.'"()[]{}@*/\\&#%\`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz`;
/** Made when it is first used: V8 then reads ICU's data of all languages, 4 MB, which stay. */
let collator: Intl.Collator | undefined;

/** Compares texts with their numbers as numbers, for `sort`: `1-1.4`, `1-2.3`, `1-2.10`; `bay 9`, `bay 10`. */
export function naturalOrder(one: string, other: string): number {
  if (!isAscii(one) || !isAscii(other)) {
    collator ??= new Intl.Collator('en', { numeric: true });
    return collator.compare(one, other);
  }
  const [ours, theirs] = [withoutZeros(one), withoutZeros(other)];
  const [pieces, against] = [piecesOf(ours), piecesOf(theirs)];
  let at = 0;
  while (at < pieces.length && pieces[at] === against[at]) at += 1;
  const [piece = '', rival = ''] = [pieces[at], against[at]];
  if (piece === rival) return ours === theirs ? 0 : ours > theirs ? -1 : 1; // a small letter before its capital
  if (/\d/.test(piece) && /\d/.test(rival)) return piece.length - rival.length || (piece < rival ? -1 : 1);
  return rankOf(piece) - rankOf(rival);
}

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);
const withoutZeros = (text: string): string => text.replace(/(?<!\d)0+(?=\d)/g, '');
const piecesOf = (text: string): string[] => text.toLowerCase().match(/\d+|\D/g) ?? [];
const rankOf = (piece: string): number => (piece === '' ? -1 : ORDER.indexOf(piece.charAt(0)));
