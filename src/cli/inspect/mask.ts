/** Hides all but the ends of a value, which is enough to know it again: `35***********17`, `******c9`. */
export function mask(value: string): string {
  const characters = [...value];
  const shownFirst = characters.length >= 12 ? 2 : 0;
  const shownLast = characters.length >= 6 ? 2 : 0;
  // one star for each UTF-16 unit: in a reply of `service call` no letter may move
  return characters
    .map((character, at) =>
      at < shownFirst || at >= characters.length - shownLast ? character : '*'.repeat(character.length),
    )
    .join('');
}
