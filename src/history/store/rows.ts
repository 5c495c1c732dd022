/**
 * The rows of the database: each event with a checksum, so that a damaged one is left out and never read as another event, a
 * query for events as SQL, and the samples.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  bucketOf,
  eventOf,
  FINE_MS,
  type HistoryEvent,
  type HistorySample,
  hostEventKinds,
  type NewEvent,
  OLD_SAMPLE_MS,
  PLACED,
  type SampleFilter,
} from '../events/event.ts';
import type { EventQuery, PhoneSample } from './history.ts';

/** The columns that the checksum is of, in its order; then all. */
const summed = ['id', 'at', 'kind', 'udid', 'slot', 'usb_path', 'hub', 'devpath', 'rest'] as const;
export const SUMMED = summed.join(', ');
export const COLUMNS = `${SUMMED}, sum`;

type UnsummedRow = Record<'id' | 'at', number> &
  Record<'kind', string> &
  Record<'udid' | 'slot' | 'usb_path' | 'hub' | 'devpath', string | null> & {
    /** All other keys, as JSON. */
    rest: string;
  };
export type EventRow = UnsummedRow & { sum: number };

export function rowOf(id: number, { at, kind, udid, where, ...rest }: NewEvent): EventRow {
  const { slot = null, usbPath: usb_path = null, hub = null, devpath = null } = where ?? {};
  const row = { id, at, kind, udid: udid ?? null, slot, usb_path, hub, devpath, rest: JSON.stringify(rest) };
  return { ...row, sum: sumIn(row) };
}

/** CRC-32 of the values of the `SUMMED` columns. */
export const sumOf = (values: readonly unknown[]): number => crc32(JSON.stringify(values));

const sumIn = (row: UnsummedRow): number => sumOf(summed.map((column) => row[column]));

/** Undefined if the row is damaged. */
export function eventIn(row: EventRow): HistoryEvent | undefined {
  if (sumIn(row) !== row.sum) return undefined;
  const { id, at, kind, udid } = row;
  const isOfHost = udid === null && !PLACED.some((placed) => placed === kind);
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

/** The column by which events of a place are found, each value by an index. */
export interface Place {
  column: 'udid' | 'slot' | 'usb_path' | 'hub';
  values: readonly string[];
}

/** What is of a place has no phone either. */
const OF_HOST = `udid IS NULL AND kind NOT IN (${PLACED.map((kind) => `'${kind}'`).join(', ')})`;

/** @returns a condition, and the values of its question marks */
export function conditionOf(query: EventQuery, place?: Place) {
  const { withHost, isOfNone, kinds, since, before, after } = query;
  /** SQLite binds 32,766 values at most: the list goes over as one. */
  const isIn = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;
  // events of no phone are few, those of a hub many: SQLite takes no index for `+hub`
  const isThere = place && isIn(isOfNone ? `+${place.column}` : place.column);
  const terms: readonly (readonly [sql: string | undefined, value: string | number | undefined])[] = [
    [withHost ? `(${isThere} OR (${OF_HOST}))` : isThere, place && JSON.stringify(place.values)],
    [isIn('kind'), kinds && JSON.stringify(kinds)],
    ['at >= ?', since],
    ['id < ?', before],
    ['id > ?', after],
  ];
  const given = terms.filter(([, value]) => value !== undefined);
  const condition = [...given.map(([sql]) => sql), isOfNone ? 'udid IS NULL' : 'TRUE'].join(' AND ');
  return { condition, values: given.flatMap(([, value]) => value ?? []) };
}

/** A condition for which an index has the events in their order. */
export type Way = readonly [condition: string, value: string];

/** The ways by which all events of a place are found, each by an index; undefined for those of the whole host. */
export function waysOf({ withHost, isOfNone, kinds }: EventQuery, place?: Place): readonly Way[] | undefined {
  const ofNone = (wanted?: readonly string[]) =>
    wanted?.map((kind): Way => ['udid IS NULL AND kind = ?', kind]);
  if (isOfNone) return ofNone(kinds);
  const own = place?.values.map((value): Way => [`${place.column} = ?`, value]);
  return own && [...own, ...((withHost && ofNone(hostEventKinds)) || [])];
}

const SELECT = `SELECT * FROM samples WHERE udid = ? AND at >= ? AND at <= ? AND (? IS NULL OR is_full = 1)
  AND (? IS NULL OR temperature >= ?) ORDER BY at`;

/** Gives the statement of an SQL text. */
type Prepared = (sql: string) => StatementSync;

const worse = (of: 'min' | 'max', column: string): string =>
  `${column} = coalesce(${of}(${column}, excluded.${column}), ${column}, excluded.${column})`;

const KEEP = `INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ${worse('min', 'level')},
  ${worse('max', 'temperature')}, is_full = coalesce(excluded.is_full, is_full), ${worse('max', 'storage_used')}`;

/** One of each five minutes: its lowest charge, its highest temperature, its fullest storage. */
export function keepSamples(prepared: Prepared, samples: readonly PhoneSample[]): void {
  const put = prepared(KEEP);
  for (const { udid, at, levelPercent, temperatureDecicelsius, isFull, storageUsedBytes } of samples)
    put.run(
      udid,
      bucketOf(at),
      levelPercent ?? null,
      temperatureDecicelsius ?? null,
      isFull === undefined ? null : Number(isFull),
      storageUsedBytes ?? null,
    );
}

/** Oldest first. Those of a clock that was ahead, and was set back, are left out. */
export function samplesOf(
  prepared: Prepared,
  [udid, since, { until, isFull, leastDecicelsius }]: [string, number, SampleFilter],
  now: number,
): HistorySample[] {
  const least = leastDecicelsius ?? null;
  return prepared(SELECT)
    .all(udid, since, Math.min(until ?? now, now), isFull ? 1 : null, least, least)
    .map(sampleIn);
}

/** Those of all phones, by phone, oldest first. All rows beside them at once are more than the thread may hold. */
export const allSamples = (prepared: Prepared): PhoneSample[] =>
  Array.from(prepared('SELECT * FROM samples ORDER BY udid, at').iterate(), (row) => ({
    udid: String(row.udid),
    ...sampleIn(row),
  }));

/** Leaves the newest sample of each hour that is older than a week. */
export function thinSamples(database: DatabaseSync, now: number): void {
  const until = Math.floor((now - FINE_MS) / OLD_SAMPLE_MS) * OLD_SAMPLE_MS;
  database
    .prepare(
      `DELETE FROM samples WHERE at < ? AND EXISTS (SELECT 1 FROM samples AS newer WHERE newer.udid = samples.udid
        AND newer.at > samples.at AND newer.at < (samples.at / ${OLD_SAMPLE_MS} + 1) * ${OLD_SAMPLE_MS})`,
    )
    .run(until);
}

type Row = Record<string, unknown>;

const sampleIn = ({ at, level, temperature, is_full, storage_used }: Row): HistorySample =>
  omitUndefined({
    at: Number(at),
    levelPercent: known(level),
    temperatureDecicelsius: known(temperature),
    isFull: is_full === null ? undefined : is_full === 1,
    storageUsedBytes: known(storage_used),
  });

const known = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
