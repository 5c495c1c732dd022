/** The whole of a terminal, painted anew each time. */
import stringWidth from 'string-width';
import { type Line, painted, textOf } from '../base/styled-text.ts';
import { quantity } from '../base/words.ts';
import { write } from './terminal.ts';

/** @returns paints lines from the top, and says how many do not fit; earlier text is scrolled away, so it is not lost */
export function painterOf(out: NodeJS.WriteStream): (lines: readonly Line[]) => void {
  let isBegun = false;
  return (lines) => {
    // 0: a terminal that does not know its size
    const rows = out.rows || Number.POSITIVE_INFINITY;
    const columns = out.columns || Number.POSITIVE_INFINITY;
    const room = isBegun || !Number.isFinite(rows) ? '' : '\n'.repeat(rows);
    isBegun = true;
    const text = fitting(lines, rows - 1, columns).map((line) => `${painted(line, out)}\x1b[K\n`);
    write(out, `${room}\x1b[H${text.join('')}\x1b[J`);
  };
}

/** @returns the lines that fit into `rows`; the last line counts those that do not */
export function fitting(all: readonly Line[], rows: number, columns: number): Line[] {
  const { lines, left } = firstFitting(all, (line) => [line], { rows, columns, forRest: 1 });
  return left === 0 ? lines : [...lines, `… ${quantity(left, 'more line')}: enlarge the window to see them`];
}

/**
 * The lines of the first of these that fit, of one at least, and how many are left. None behind those that fit is looked at:
 * others decide how many there are.
 *
 * @param room `rows` of a terminal, of which the count of those that are left takes `forRest`
 */
export function firstFitting<T>(
  all: readonly T[],
  linesOf: (one: T) => readonly Line[],
  { rows, columns, forRest }: { rows: number; columns: number; forRest: number },
): { lines: Line[]; left: number } {
  const found: (readonly Line[])[] = [];
  let room = rows;
  let fits = 1;
  for (const one of all) {
    const lines = linesOf(one);
    room -= rowsOf(lines, columns);
    if (room < 0 && found.length > 0) return { lines: found.slice(0, fits).flat(), left: all.length - fits };
    found.push(lines);
    if (room >= forRest) fits = found.length;
  }
  return { lines: found.flat(), left: 0 };
}

export const rowsOf = (lines: readonly Line[], columns: number): number =>
  lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(stringWidth(textOf(line)) / columns)), 0);
