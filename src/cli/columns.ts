/** Columns of text for a terminal. */
import stringWidth from 'string-width';
import { printable } from '../base/printable.ts';
import { wrapped } from './wrapped.ts';

export interface TextColumn {
  readonly title: string;
  readonly alignRight?: boolean;
}

export interface Layout {
  /** Columns of the terminal; longer lines are cut. */
  width?: number | undefined;
  /** Titles of the columns that a narrow terminal drops, in this order. */
  dispensable?: readonly string[];
}

const GAP = '  ';
/** Before a sentence below its row. */
const INDENT = '    ';
/** Room for a sentence in the last column. */
const SENTENCE = 44;

/**
 * @param rows one cell per column; '' is empty, and empty cells at the end may be missing
 * @returns lines, titles first. Drops empty columns except the first. Long sentences of the last column go below their row.
 *   Escapes control characters in foreign text
 */
export function layOut(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, dispensable = [] }: Layout = {},
): string[] {
  const cells = rows.map((row) => row.map((text) => printable(text)));
  const widths = columns.map(({ title }, index) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[index] ?? ''))),
  );
  const filled = columns.map((_, index) => index === 0 || cells.some((row) => row[index]));
  const last = filled.lastIndexOf(true);
  const isSentence = last > 0 && (widths[last] ?? 0) >= SENTENCE;
  const inRow = fitting(columns, filled, widths, { width, dispensable });
  const isBelow = isSentence && neededBy(inRow, widths) > width;
  const shown = isBelow ? fitting(columns, filled.with(last, false), widths, { width, dispensable }) : inRow;
  const line = (row: readonly string[]): string => {
    const padded = row.map((text, index) => pad(text, widths[index] ?? 0, columns[index]?.alignRight));
    const kept = padded.filter((_, index) => shown[index]);
    return cut(kept.join(GAP).trimEnd(), width);
  };
  const below = (row: readonly string[]): string[] => {
    const sentence = isBelow ? (row[last] ?? '') : '';
    return sentence === '' ? [] : wrapped(sentence, width - INDENT.length).map((part) => INDENT + part);
  };
  return [line(columns.map(({ title }) => title)), ...cells.flatMap((row) => [line(row), ...below(row)])];
}

/** The shown columns that fit. */
function fitting(
  columns: readonly TextColumn[],
  shown: readonly boolean[],
  widths: readonly number[],
  { width, dispensable }: { width: number; dispensable: readonly string[] },
): boolean[] {
  const kept = [...shown];
  for (const title of dispensable) {
    if (neededBy(kept, widths) <= width) break;
    kept[columns.findIndex((column) => column.title === title)] = false;
  }
  return kept;
}

/** Width of these columns, with a long sentence cut. */
function neededBy(shown: readonly boolean[], widths: readonly number[]): number {
  const last = shown.lastIndexOf(true);
  return widths
    .map((each, index) => (index === last ? Math.min(each, SENTENCE) : each) + GAP.length)
    .reduce((sum, each, index) => (shown[index] ? sum + each : sum), -GAP.length);
}

function pad(text: string, width: number, alignRight = false): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return alignRight ? blanks + text : text + blanks;
}

function cut(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  let kept = '';
  let keptWidth = 0;
  for (const char of line) {
    keptWidth += stringWidth(char);
    if (keptWidth >= width) break;
    kept += char;
  }
  return `${kept}…`;
}
