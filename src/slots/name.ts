/** The names of slots, as a room is built: `rack 2, shelf 3, bay 4`. */

/** Where a slot is drawn. */
export interface PlaceInRoom {
  /** What stands before the last comma, `rack 2, shelf 3`; '' where there is no comma. */
  readonly band: string;
  /** What stands after it, `bay 4`. */
  readonly bay: string;
}

export function placeInRoom(name: string): PlaceInRoom {
  const comma = name.lastIndexOf(',');
  return { band: name.slice(0, Math.max(comma, 0)).trim(), bay: name.slice(comma + 1).trim() };
}

/**
 * The next name of a row: `bay 5` after `bay 4`, `A10` after `A09`.
 *
 * @param taken names that are given already; they are passed over
 * @returns undefined where there is no number to count up
 */
export function nextName(name: string, taken: ReadonlySet<string> = new Set()): string | undefined {
  const [, before = '', digits, after = ''] = /^(.*?)(\d{1,9})(\D*)$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  for (let number = Number(digits) + 1; ; number += 1) {
    const next = `${before}${String(number).padStart(digits.length, '0')}${after}`;
    if (!taken.has(next)) return next;
  }
}
