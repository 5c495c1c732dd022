/** An event as a row of the file, with a checksum: a damaged row is left out, never read as another event. */
import { crc32 } from 'node:zlib';
import type { HistoryEvent, NewEvent } from './event.ts';
import { eventOf } from './event-schema.ts';

/** The columns, in the order in which they are written. */
export interface EventRow {
  id: number;
  at: number;
  kind: string;
  udid: string | null;
  slot: string | null;
  usb_path: string | null;
  hub: string | null;
  devpath: string | null;
  /** All other keys, as JSON. */
  rest: string;
  sum: number;
}

export const rowOf = (id: number, { at, kind, udid, where, ...rest }: NewEvent): EventRow => {
  const row = {
    ...{ id, at, kind, udid: udid ?? null },
    slot: where?.slot ?? null,
    usb_path: where?.usbPath ?? null,
    hub: where?.hub ?? null,
    devpath: where?.devpath ?? null,
    rest: JSON.stringify(rest),
  };
  return { ...row, sum: sumOf(row) };
};

/** CRC-32 of all other columns. */
export function sumOf(row: Omit<EventRow, 'sum'>): number {
  const { id, at, kind, udid, slot, usb_path, hub, devpath, rest } = row;
  return crc32(JSON.stringify([id, at, kind, udid, slot, usb_path, hub, devpath, rest]));
}

/** Undefined if the row is damaged. */
export function eventIn(row: EventRow): HistoryEvent | undefined {
  if (sumOf(row) !== row.sum) return undefined;
  const { id, at, kind, udid, slot, usb_path, hub, devpath } = row;
  const where = {
    ...(slot !== null && { slot }),
    ...(devpath !== null && { devpath }),
    ...(usb_path !== null && { usbPath: usb_path }),
    ...(hub !== null && { hub }),
  };
  const whose = udid !== null ? { udid, where } : kind === 'note' ? { where } : {};
  try {
    const rest: unknown = JSON.parse(row.rest);
    return eventOf(id, { ...(rest as object), at, kind, ...whose });
  } catch {
    return undefined;
  }
}
