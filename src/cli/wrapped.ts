import stringWidth from 'string-width';
import { type Line, type Span, textOf } from './styled-text.ts';

/** Words in lines of at most `width` columns of a terminal; a longer word has a line of its own. */
export const wrapped = (text: string, width: number): string[] => wrappedSpans([{ text }], width).map(textOf);

/** The same for text with styles. Spans stand side by side with a blank between them. */
export function wrappedSpans(spans: readonly Span[], width: number): Line[] {
  const lines: Span[][] = [];
  let room = 0;
  for (const { text, style } of spans)
    for (const word of text.split(' ')) {
      const needed = stringWidth(word);
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
