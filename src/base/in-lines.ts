/** Puts words into lines. Loads no width tables: a program that prints one message starts without them. */
import type { Line, Span } from './styled-text.ts';

/**
 * Words in lines of at most `width` columns; a longer word has a line of its own. Spans stand side by side with a blank
 * between them.
 *
 * @param widthOf the columns that a word takes; by default one for each character, as in messages in English
 */
export function inLines(
  spans: readonly Span[],
  width: number,
  widthOf: (word: string) => number = (word) => word.length,
): Line[] {
  const lines: Span[][] = [];
  let room = 0;
  for (const { text, style } of spans)
    for (const word of text.split(' ')) {
      const needed = widthOf(word);
      const line = lines.at(-1);
      if (line !== undefined && needed < room) {
        line.push({ text: ' ' }, { text: word, style });
        room -= needed + 1;
      } else {
        lines.push([{ text: word, style }]);
        room = width - needed;
      }
    }
  return lines;
}
