import stringWidth from 'string-width';
import { inLines, type Line, type Span, textOf } from './styled-text.ts';

/** Words in lines of at most `width` columns of a terminal; a longer word has a line of its own. */
export const wrapped = (text: string, width: number): string[] => wrappedSpans([{ text }], width).map(textOf);

export const wrappedSpans = (spans: readonly Span[], width: number): Line[] =>
  inLines(spans, width, (word) => stringWidth(word));
