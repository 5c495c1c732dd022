/** Names of slots, from the largest part to the smallest: `rack 2, shelf 3, bay 4`. */

/** What this host is called, in any case, which a pattern of the schema has no flag for: no slot may have that name. */
export const HOST_NAME = '(?:[Tt][Hh][Ii][Ss] )?[Hh][Oo][Ss][Tt]';

/** Where the page draws a slot. */
export interface PlaceInRoom {
  /** The part before the last comma, `rack 2, shelf 3`; '' without a comma. */
  readonly band: string;
  /** The part after it, `bay 4`. */
  readonly bay: string;
}

export function placeInRoom(name: string): PlaceInRoom {
  const comma = name.lastIndexOf(',');
  return { band: name.slice(0, Math.max(comma, 0)).trim(), bay: name.slice(comma + 1).trim() };
}

/**
 * The next name of a row: `bay 5` after `bay 4`, `A10` after `A09`.
 *
 * @param taken names in use; skipped
 * @returns undefined if the name has no number
 */
export function nextName(name: string, taken: ReadonlySet<string> = new Set()): string | undefined {
  const [, before = '', digits, after = ''] = /^(.*?)(\d{1,9})(\D*)$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  for (let number = Number(digits) + 1; ; number += 1) {
    const next = `${before}${String(number).padStart(digits.length, '0')}${after}`;
    if (!taken.has(next)) return next;
  }
}

/** `1-4.2` for `usb:1-4.2`. */
export const plainPath = (path: string): string => path.replace(/^usb:/, '');
