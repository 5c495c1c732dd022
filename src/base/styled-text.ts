/** Text with styles, for a terminal. Foreign text never carries a style: escapes are made only here, when a line is written. */
import { styleText } from 'node:util';
import { escaped } from './printable.ts';

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green';

export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** One line: plain text, or spans side by side. */
export type Line = string | readonly Span[];

export const spansOf = (line: Line): readonly Span[] => (typeof line === 'string' ? [{ text: line }] : line);

/** A line without its styles. */
export const textOf = (line: Line): string =>
  spansOf(line)
    .map(({ text }) => text)
    .join('');

/**
 * A line as it is written to `out`. Styles only where `out` is a terminal with colours; `NO_COLOR` and `FORCE_COLOR`
 * decide otherwise. Control characters in the text are escaped.
 */
export const painted = (line: Line, out: NodeJS.WriteStream): string =>
  spansOf(line)
    .map(({ text, style }) => (style ? styleText(style, escaped(text), { stream: out }) : escaped(text)))
    .join('');

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
