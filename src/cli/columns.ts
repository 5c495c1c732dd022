/** Text in columns of a terminal; a wide character (CJK, emoji) takes two of them. */
import stringWidth from 'string-width';
import { printable } from '../base/printable.ts';
import { type Line, type Span, type Style, textOf } from '../base/styled-text.ts';
import { wrapped } from '../base/wrapped.ts';
import { say, terminalWidth } from './terminal.ts';

export interface TextColumn {
  readonly title: string;
  readonly alignRight?: boolean;
  /** A name: it may be shortened to this width, in columns of the terminal, before a reading is dropped. */
  readonly leastWidth?: number;
  /** The last column, with sentences that are never shortened: they are wrapped, or go below their rows. */
  readonly isSentence?: boolean;
}

/** A line, or what fits into the columns of a terminal as lines. */
export type Block = Line | ((width: number) => Line[]);

export const fitted = (blocks: readonly Block[], width = Number.POSITIVE_INFINITY): Line[] =>
  blocks.flatMap((block) => (typeof block === 'function' ? block(width) : [block]));

export const show = (...blocks: Block[]): void => say(...fitted(blocks, terminalWidth(process.stdout)));

export type Cell = string | Span;

interface Fitted {
  readonly column: TextColumn;
  readonly index: number;
  width: number;
}

const GAP = '  ';
const INDENT = '    ';
/** Sentences stand beside their rows where there is this much room, or room for all of them. */
const SENTENCE = 44;

/**
 * Readings get their room first: where not everything fits, sentences go below their rows, then names are shortened,
 * then columns are dropped.
 *
 * @param columns a title is a plain column
 * @param rows one cell per column; empty cells at the end may be missing
 * @param dispensable titles of the columns that a narrow terminal drops, in this order
 * @returns lines, titles first. Drops empty columns except the first. Escapes control characters in foreign text
 */
export const layOut =
  (
    columns: readonly (TextColumn | string)[],
    rows: readonly (readonly Cell[])[],
    dispensable: readonly string[] = [],
  ): Block =>
  (width) => {
    const cells = rows.map((row) => columns.map((_, index) => spanOf(row[index] ?? '')));
    const described = columns.map((column) => (typeof column === 'string' ? { title: column } : column));
    const natural = described.flatMap((column: TextColumn, index) => {
      const widest = Math.max(0, ...cells.map((row) => stringWidth(row[index]?.text ?? '')));
      const fitted = { column, index, width: Math.max(stringWidth(column.title), widest) };
      return index === 0 || widest > 0 ? [fitted] : [];
    });
    const sentence = natural.find(({ column }) => column.isSentence);
    const others = natural.filter((fitted) => fitted !== sentence);
    const inRow = fitting(others, dispensable, width);
    const indent = neededBy(inRow) + GAP.length;
    const isBeside = sentence !== undefined && width - indent >= Math.min(sentence.width, SENTENCE);
    const linesOf = (row: readonly Span[]): Line[] => {
      const text = sentence ? (row[sentence.index]?.text ?? '') : '';
      if (!isBeside) return [lineOf(row, inRow), ...sentenceLines(text, INDENT.length, width)];
      const [first = '', ...rest] = sentenceLines(text, indent, width);
      const style = row[sentence.index]?.style;
      const beside = { text: first.trimStart(), style };
      return [lineOf(row.with(sentence.index, beside), [...inRow, sentence]), ...rest];
    };
    const titles = described.map(({ title }): Span => ({ text: title, style: 'bold' }));
    return [lineOf(titles, isBeside ? [...inRow, sentence] : inRow), ...cells.flatMap((row) => linesOf(row))];
  };

function spanOf(cell: Cell): Span {
  const { text, style } = typeof cell === 'string' ? { text: cell } : cell;
  return { text: printable(text), style };
}

/** The columns that fit, each with its width: what is too much is taken from the widest. */
function fitting(natural: readonly Fitted[], dispensable: readonly string[], width: number): Fitted[] {
  const least = ({ width, column: { leastWidth = width } }: Fitted) => Math.min(width, leastWidth);
  let kept = natural;
  for (const title of dispensable) {
    if (neededBy(kept.map((fitted) => ({ width: least(fitted) }))) <= width) break;
    kept = kept.filter(({ column }) => column.title !== title);
  }
  const fitted = kept.map((each) => ({ ...each }));
  for (const lowest of [least, () => 1]) {
    for (let over = neededBy(fitted) - width; over > 0; over -= 1) {
      const [widest] = fitted.filter((each) => each.width > lowest(each)).sort((a, b) => b.width - a.width);
      if (widest === undefined) break;
      widest.width -= 1;
    }
  }
  return fitted;
}

const neededBy = (fitted: readonly { width: number }[]): number =>
  fitted.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length);

function lineOf(row: readonly Span[], fitted: readonly Fitted[]): Line {
  const last = fitted.findLastIndex(({ index }) => row[index]?.text);
  return fitted.slice(0, last + 1).flatMap(({ column, index, width }, place) => {
    const { text = '', style } = row[index] ?? {};
    const shown = shortened(text, width);
    const blanks = ' '.repeat(Math.max(0, width - stringWidth(shown)));
    const gap = place === 0 ? '' : GAP;
    if (column.alignRight) return [{ text: gap + blanks }, { text: shown, style }];
    return [{ text: gap }, { text: shown, style }, { text: place === last ? '' : blanks }];
  });
}

const sentenceLines = (text: string, indent: number, width: number): string[] =>
  text === '' ? [] : folded(text, width - indent).map((line) => ' '.repeat(indent) + line);

/** The same of rows that name their cells by the titles of their columns. */
export const tableOf = (
  columns: readonly (TextColumn | string)[],
  rows: readonly Readonly<Record<string, Cell | undefined>>[],
  dispensable?: readonly string[],
): Block => {
  const titles = columns.map((column) => (typeof column === 'string' ? column : column.title));
  const cells = rows.map((row) => titles.map((title) => row[title] ?? ''));
  return layOut(columns, cells, dispensable);
};

const GIB = 1024 ** 3;

/** `1.7 / 51.9 GiB`. */
export const usageText = (usedBytes: number | undefined, totalBytes: number): string =>
  `${usedBytes === undefined ? '?' : (usedBytes / GIB).toFixed(1)} / ${(totalBytes / GIB).toFixed(1)} GiB`;

/** `33.1 °C`. */
export const temperatureText = (celsius: number | undefined): string | undefined =>
  celsius === undefined ? undefined : `${celsius.toFixed(1)} °C`;

const ELLIPSIS = '…';
const graphemes = new Intl.Segmenter();
const charactersOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment);

function startOf(characters: readonly string[], width: number): string[] {
  let room = width;
  const end = characters.findIndex((character) => {
    room -= stringWidth(character);
    return room < 0;
  });
  return characters.slice(0, end < 0 ? undefined : end);
}

/** Without its middle, if it is too wide: `emulator-5554…a927`. Names differ at their start and at their end. */
export function shortened(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  if (width < 1) return '';
  const characters = charactersOf(text);
  const start = startOf(characters, Math.ceil(((width - 1) * 2) / 3)).join('');
  const end = startOf(characters.toReversed(), width - 1 - stringWidth(start));
  return start + ELLIPSIS + end.toReversed().join('');
}

/** Words in lines of at most `width` columns; a longer word in pieces. */
const folded = (text: string, width: number): string[] =>
  wrapped(text, width).flatMap((line) => broken(line, width));

/** Foreign text behind something: as words, the further lines below the first. */
export const behind =
  (first: Span | readonly Span[], text: string, style?: Style): Block =>
  (width) => {
    const spans = [first].flat();
    const indent = textOf(spans).length;
    return folded(printable(text), Math.max(20, width - indent)).map((line, index) => [
      ...(index === 0 ? spans : [{ text: ' '.repeat(indent) }]),
      { text: line, style },
    ]);
  };

const nothing: Span = { text: '' };

export const paragraph = (text: string, style?: Style): Block => behind(nothing, text, style);

/** What is wrong, and below it what to do, unless that is ''. */
export const problem = (mark: Span, text: string, remedy: string): Block[] => [
  behind(mark, text),
  ...(remedy === '' ? [] : [behind({ text: '   → ' }, remedy)]),
];

export function broken(text: string, width: number): string[] {
  if (stringWidth(text) <= width) return [text];
  const rest = charactersOf(text);
  const pieces: string[] = [];
  while (rest.length > 0) pieces.push(rest.splice(0, Math.max(1, startOf(rest, width).length)).join(''));
  return pieces;
}
