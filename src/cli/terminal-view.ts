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
export function fitting(lines: readonly Line[], rows: number, columns: number): Line[] {
  const shown = fittingCount(lines, (line) => rowsOf([line], columns), { rows, forRest: 1 });
  const left = lines.length - shown;
  if (left === 0) return [...lines];
  return [...lines.slice(0, shown), `… ${quantity(left, 'more line')}: enlarge the window to see them`];
}

/**
 * How many of these fit, from the first on. Each is looked at once, and none behind those that fit: others decide how many
 * there are.
 *
 * @param taken the rows that one takes
 * @param forRest of `rows`, those that the count of the others takes
 */
export function fittingCount<T>(
  all: readonly T[],
  taken: (one: T) => number,
  { rows, forRest }: { rows: number; forRest: number },
): number {
  let left = rows;
  let fits = 0;
  for (const [index, one] of all.entries()) {
    left -= taken(one);
    if (left < 0) return fits;
    if (left >= forRest) fits = index + 1;
  }
  return all.length;
}

/** How many rows of a terminal these lines take. */
export const rowsOf = (lines: readonly Line[], columns: number): number =>
  lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(stringWidth(textOf(line)) / columns)), 0);
