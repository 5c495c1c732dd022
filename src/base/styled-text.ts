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
