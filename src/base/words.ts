/** Small pieces of sentences, commands and lists, for people. Loads nothing: the page uses them too. */

/** `1 phone`, `6 phones`. */
export const quantity = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The first of some names, and how many more there are: `a, b and 3 more`. */
export function firstOf(names: readonly string[], most: number, between = ', '): string {
  const left = names.length - most;
  return `${names.slice(0, most).join(between)}${left > 0 ? ` and ${left} more` : ''}`;
}

/** The text with a capital at its start. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A sentence as a part of another: without the capital at its start. */
export const midSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * The first step of a remedy, where there is no room for the others: `Charge it; …`. The code of a finding at its end stays:
 * `Charge it; … (BATTERY_DRAINING)`.
 */
export function firstStep(remedy: string): string {
  const [step, ...others] = remedy.split('; ');
  if (others.length === 0) return remedy;
  const end = remedy.slice(remedy.lastIndexOf(' ('));
  const isCode = end.endsWith(')') && end === end.toUpperCase();
  return `${step}; …${isCode ? end : ''}`;
}

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

/** Compares texts with their numbers as numbers, for `sort`: `1-1.4`, `1-2.3`, `1-2.10`; `bay 9`, `bay 10`. */
export const naturalOrder = (one: string, other: string): number =>
  pieceOrder(piecesOf(one), piecesOf(other)) || textOrder(one, other);

/** Sorted as `naturalOrder` sorts the text of each; a long list takes each text apart once. */
export const inNaturalOrder = <T>(all: readonly T[], textOf: (one: T) => string): T[] =>
  all
    .map((one) => ({ one, text: textOf(one), pieces: piecesOf(textOf(one)) }))
    .sort((first, second) => pieceOrder(first.pieces, second.pieces) || textOrder(first.text, second.text))
    .map(({ one }) => one);

function pieceOrder(ours: readonly string[], theirs: readonly string[]): number {
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at += 1;
  if (at === ours.length) return ours.length - theirs.length;
  const piece = ours[at] ?? '';
  const rival = theirs[at] ?? '';
  const isNumber = at % 2 === 1;
  return (isNumber ? Number(piece) - Number(rival) : 0) || textOrder(piece, rival);
}

/** Texts and numbers take turns: the first is a text, perhaps an empty one. */
const piecesOf = (text: string): string[] => text.toLowerCase().split(/(\d+)/);
const textOrder = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
