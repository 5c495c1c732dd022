/** Keeps the history within its bounds: days, and megabytes of the disk. The oldest goes first, of who has most of it. */
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../base/calendar.ts';
import { thinSamples } from './samples.ts';

/** A transaction erases so many rows: SQLite's log stays small, and the next question waits not long. */
const EVENTS_AT_ONCE = 2000;
const SAMPLES_AT_ONCE = 20_000;
/** How many such transactions one call makes, since questions wait meanwhile: the next call goes on. */
const MOST_TURNS = 10;
/** The part of the file that may be free, for new rows: more is given back to the disk. */
const MOST_FREE = 0.25;
/** How far below the limit the file shrinks, so that the next batch fits. */
const SHRINK_TO = 0.95;

/** One port or phone may have this part of all events before its own oldest go first. */
const MOST_SHARE = 0.25;

/** What the file may take of `maxMegabytes`: the rest is for SQLite's log, and for the batch that comes. */
const LOG_BYTES = 8 * 1024 ** 2;
export const mostFileBytes = (maxMegabytes: number): number => maxMegabytes * 1024 ** 2 - LOG_BYTES;

/** Erases what is older than `days`, and samples that a clock wrote that was ahead; keeps one sample of each old hour. */
export function expire(database: DatabaseSync, { now, days }: { now: number; days: number }): void {
  const oldest = now - days * DAY_MS;
  const erase = database.prepare(
    'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ? ORDER BY id LIMIT ?)',
  );
  database.prepare('DELETE FROM samples WHERE at < ? OR at > ?').run(oldest, now + DAY_MS);
  thinSamples(database, now);
  let erased = EVENTS_AT_ONCE;
  for (let turn = 0; turn < MOST_TURNS && erased === EVENTS_AT_ONCE; turn++)
    erased = Number(erase.run(oldest, EVENTS_AT_ONCE).changes);
}

/** Erases the oldest rows until the file is no larger than this. */
export function shrink(database: DatabaseSync, mostBytes: number): void {
  if (fileBytes(database).size <= mostBytes) return;
  let crowded = crowdedPlace(database);
  while (usedBytes(database) > SHRINK_TO * mostBytes && eraseOldest(database, crowded)) {
    if (crowded !== undefined) crowded.excess -= EVENTS_AT_ONCE;
    if (crowded !== undefined && crowded.excess <= 0) crowded = crowdedPlace(database);
  }
  giveBack(database, 0);
}

/** Gives free pages back to the disk, if there are many. */
export function tidy(database: DatabaseSync): void {
  const { size, free } = fileBytes(database);
  if (free > MOST_FREE * size) giveBack(database, MOST_FREE / 2);
}

/** @returns whether there was anything to erase */
function eraseOldest(database: DatabaseSync, crowded: CrowdedPlace | undefined): boolean {
  const ofPlace = crowded === undefined ? '' : `WHERE ${crowded.column} = ?`;
  const events = database
    .prepare(`DELETE FROM events WHERE id IN (SELECT id FROM events ${ofPlace} ORDER BY id LIMIT ?)`)
    .run(...(crowded === undefined ? [] : [crowded.place]), EVENTS_AT_ONCE);
  const samples = countOf(database, 'samples');
  const isFlood = crowded !== undefined && crowded.excess > samples * MOST_SHARE;
  const share = isFlood ? 0 : Math.min(SAMPLES_AT_ONCE, Math.ceil(samples / 64));
  database
    .prepare('DELETE FROM samples WHERE (udid, at) IN (SELECT udid, at FROM samples ORDER BY at LIMIT ?)')
    .run(share);
  return Number(events.changes) > 0 || share > 0;
}

const countOf = (database: DatabaseSync, table: 'events' | 'samples'): number =>
  Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);

interface CrowdedPlace {
  column: 'usb_path' | 'udid';
  place: string;
  /** Events that it has beyond its share. */
  excess: number;
}

/** The port or the phone that has more events than its share: what flaps must not push out the past of all others. */
function crowdedPlace(database: DatabaseSync): CrowdedPlace | undefined {
  const most = countOf(database, 'events') * MOST_SHARE;
  for (const column of ['usb_path', 'udid'] as const) {
    const { place, count } =
      database
        .prepare(
          `SELECT ${column} AS place, count(*) AS count FROM events WHERE ${column} IS NOT NULL
            GROUP BY ${column} ORDER BY 2 DESC LIMIT 1`,
        )
        .get() ?? {};
    if (Number(count) > most) return { column, place: String(place), excess: Number(count) - most };
  }
  return undefined;
}

/** @param part of the file that may stay free */
function giveBack(database: DatabaseSync, part: number): void {
  for (;;) {
    const { size, free, pageBytes } = fileBytes(database);
    const pages = Math.min(PAGES_AT_ONCE, Math.floor((free - part * size) / pageBytes));
    if (pages <= 0) break;
    database.exec(`PRAGMA incremental_vacuum(${pages})`);
    if (fileBytes(database).free >= free) break; // it cannot
  }
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get(); // the file itself shrinks now
}

const PAGES_AT_ONCE = 256;

const usedBytes = (database: DatabaseSync): number => {
  const { size, free } = fileBytes(database);
  return size - free;
};

function fileBytes(database: DatabaseSync) {
  const number = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  const pageBytes = number('page_size');
  return { pageBytes, size: number('page_count') * pageBytes, free: number('freelist_count') * pageBytes };
}
