/** An event as a row of the file, with a checksum: a damaged row is left out, never read as another event. */
import { crc32 } from 'node:zlib';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { HistoryEvent, NewEvent } from '../events/event.ts';
import { eventOf } from '../events/event-schema.ts';

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

export function rowOf(id: number, { at, kind, udid, where, ...rest }: NewEvent): EventRow {
  const row = {
    ...{ id, at, kind, udid: udid ?? null },
    slot: where?.slot ?? null,
    usb_path: where?.usbPath ?? null,
    hub: where?.hub ?? null,
    devpath: where?.devpath ?? null,
    rest: JSON.stringify(rest),
  };
  return { ...row, sum: sumOf(row) };
}

/** CRC-32 of all other columns. */
export function sumOf(row: Omit<EventRow, 'sum'>): number {
  const { id, at, kind, udid, slot, usb_path, hub, devpath, rest } = row;
  return crc32(JSON.stringify([id, at, kind, udid, slot, usb_path, hub, devpath, rest]));
}

/** Undefined if the row is damaged. */
export function eventIn(row: EventRow): HistoryEvent | undefined {
  if (sumOf(row) !== row.sum) return undefined;
  const { id, at, kind, udid } = row;
  const places = [row.slot, row.devpath, row.usb_path, row.hub].map((place) => place ?? undefined);
  const [slot, devpath, usbPath, hub] = places;
  const isOfHost = udid === null && kind !== 'note';
  const where = isOfHost ? undefined : omitUndefined({ slot, devpath, usbPath, hub });
  try {
    const rest: object = JSON.parse(row.rest);
    return eventOf(id, { ...rest, at, kind, udid: udid ?? undefined, where });
  } catch {
    return undefined; // no JSON
  }
}
