/**
 * Events in the database: each as a row with a checksum, so that a damaged one is left out and never read as another event;
 * and a query as SQL.
 */
import { crc32 } from 'node:zlib';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { HistoryEvent, NewEvent } from '../events/event.ts';
import { eventOf } from '../events/event-schema.ts';
import type { EventQuery } from './history.ts';

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
    id,
    at,
    kind,
    udid: udid ?? null,
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
  const isOfHost = udid === null && kind !== 'note';
  const where = omitUndefined({
    slot: row.slot ?? undefined,
    devpath: row.devpath ?? undefined,
    usbPath: row.usb_path ?? undefined,
    hub: row.hub ?? undefined,
  });
  try {
    const rest: object = JSON.parse(row.rest);
    return eventOf(id, { ...rest, at, kind, udid: udid ?? undefined, where: isOfHost ? undefined : where });
  } catch {
    return undefined; // no JSON
  }
}

/** @returns a condition, and the values of its question marks */
export function conditionOf(query: EventQuery): { condition: string; values: (string | number)[] } {
  // events of no phone are few, those of a hub many: SQLite takes no index for `+hub`
  const place = (column: string) => (query.isOfNone ? `+${column}` : column);
  const phone = all([
    isOneOf('udid', query.udids),
    isOneOf(place('slot'), query.slots),
    is(place('usb_path'), query.usbPath),
    isWithin(place('hub'), query.hub),
  ]);
  const whose = phone.length > 0 && query.withHost ? either(phone, ofHost) : phone;
  const terms = all([
    whose,
    query.isOfNone ? [{ sql: 'udid IS NULL', values: [] }] : [],
    isOneOf('kind', query.kinds),
    isNoneOf("coalesce(usb_path, udid, '')", query.exceptPlaces),
    query.since === undefined ? [] : [{ sql: 'at >= ?', values: [query.since] }],
    query.before === undefined ? [] : [{ sql: 'id < ?', values: [query.before] }],
    query.after === undefined ? [] : [{ sql: 'id > ?', values: [query.after] }],
  ]);
  return { condition: sqlOf(terms), values: terms.flatMap(({ values }) => values) };
}

interface Term {
  sql: string;
  values: (string | number)[];
}

/** Notes on a place have no phone either. */
const ofHost: readonly Term[] = [{ sql: "udid IS NULL AND kind <> 'note'", values: [] }];

const sqlOf = (terms: readonly Term[]): string => terms.map(({ sql }) => sql).join(' AND ') || 'TRUE';

const all = (terms: readonly Term[][]): Term[] => terms.flat();

const either = (one: readonly Term[], other: readonly Term[]): Term[] => [
  { sql: `(${sqlOf(one)} OR ${sqlOf(other)})`, values: [...one, ...other].flatMap(({ values }) => values) },
];

const is = (column: string, value: string | undefined): Term[] =>
  value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];

/** The hub, or one below it: `1-4`, `1-4.1`. `/` is the character after `.`. */
const isWithin = (column: string, hub: string | undefined): Term[] =>
  hub === undefined
    ? []
    : [
        {
          sql: `(${column} = ? OR (${column} > ? AND ${column} < ?))`,
          values: [hub, `${hub}.`, `${hub}/`],
        },
      ];

/** SQLite binds 32,766 values at most: the list goes over as one. */
const isOneOf = (column: string, values: readonly string[] | undefined): Term[] =>
  values === undefined
    ? []
    : [{ sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(values)] }];

const isNoneOf = (column: string, values: readonly string[] | undefined): Term[] =>
  isOneOf(`${column} NOT`, values);
