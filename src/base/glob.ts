/**
 * Globs: `*` stands for any text, `?` for any one character, upper and lower case are alike.
 *
 * A regular expression made of a glob tries each way to share the text out among its stars, so that a phone's long
 * model name takes hours. Here only the last star is ever tried again: time grows with glob × text at most.
 */

/** Longer ones are refused by the configuration, characters. */
export const LONGEST_GLOB = 200;

/** Does the glob fit the whole text? */
export function globMatches(glob: string, text: string): boolean {
  const wanted = Array.from(glob, folded);
  const given = Array.from(text, folded);
  let at = 0;
  /** Behind the last star, and where the text that it stands for ends; a later star makes the former ones final. */
  let star: { next: number; end: number } | undefined;
  for (let index = 0; index < given.length; ) {
    const sign = wanted[at];
    if (sign === '*') {
      at += 1;
      star = { next: at, end: index };
    } else if (sign === '?' || (sign !== undefined && sign === given[index])) {
      at += 1;
      index += 1;
    } else if (star !== undefined) {
      star.end += 1;
      at = star.next;
      index = star.end;
    } else {
      return false;
    }
  }
  return wanted.slice(at).every((sign) => sign === '*');
}

/** A character as all its cases are: simple case folding, which never makes two characters of one. */
function folded(character: string): string {
  const upper = character.toUpperCase();
  return (Array.from(upper).length === 1 ? upper : character).toLowerCase();
}
