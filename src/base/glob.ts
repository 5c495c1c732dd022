/**
 * Globs: `*` matches any text, `?` any one character; case does not matter.
 *
 * A regular expression built from a glob tries every way to split the text among its stars: a phone with a long model
 * name could block us for hours. Here only the last star backtracks, so the time is at most glob × text.
 */

/** The configuration rejects longer ones, characters. */
export const LONGEST_GLOB = 200;

/** Does the glob match the whole text? */
export function globMatches(glob: string, text: string): boolean {
  const wanted = Array.from(glob, folded);
  const given = Array.from(text, folded);
  let at = 0;
  /** The position after the last star, and the end of the text that it matches; earlier stars are final. */
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

/** Simple case folding, which never turns one character into two. */
function folded(character: string): string {
  const upper = character.toUpperCase();
  return (Array.from(upper).length === 1 ? upper : character).toLowerCase();
}
