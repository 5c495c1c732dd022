/** The samples in the database. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { bucketOf, FINE_MS, type HistorySample, OLD_SAMPLE_MS, type SampleFilter } from '../events/event.ts';
import type { PhoneSample } from './history.ts';

const SELECT = `SELECT * FROM samples WHERE udid = ? AND at >= ? AND at <= ? AND (? IS NULL OR is_full = 1)
  AND (? IS NULL OR temperature >= ?) ORDER BY at`;

/** Gives the statement of an SQL text. */
type Prepared = (sql: string) => StatementSync;

/** The newest one of each five minutes stays. */
export function keepSamples(prepared: Prepared, samples: readonly PhoneSample[]): void {
  const put = prepared('INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?, ?)');
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

/** Those of all phones, by phone, oldest first. */
export const allSamples = (prepared: Prepared): PhoneSample[] =>
  prepared('SELECT * FROM samples ORDER BY udid, at')
    .all()
    .map((row) => ({ udid: String(row.udid), ...sampleIn(row) }));

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
