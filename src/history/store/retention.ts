/**
 * Keeps the history within its bounds: days, and megabytes of the disk. The busiest place gives its oldest first, so that
 * who flaps pushes out nobody else's past. Notes stay longest.
 */
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

/** The busiest place gives at least this part of its events before we look which one is. */
const LEAST_EXCESS = 1 / 16;
/** An event takes as much of the file as so many samples: what takes more gives. */
const SAMPLES_AN_EVENT = 6;
const NO_NOTE = "kind <> 'note'";

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

/** Erases the oldest rows of the busiest places until the file is no larger than this. */
export function shrink(database: DatabaseSync, mostBytes: number): void {
  if (fileBytes(database).size <= mostBytes) return;
  let busiest = busiestPlace(database);
  while (usedBytes(database) > SHRINK_TO * mostBytes) {
    const erased = eraseOldest(database, busiest);
    if (erased === 0) break;
    busiest.excess -= erased;
    if (busiest.excess <= 0) busiest = busiestPlace(database);
  }
  giveBack(database, 0);
}

/** Gives free pages back to the disk, if there are many. */
export function tidy(database: DatabaseSync): void {
  const { size, free } = fileBytes(database);
  if (free > MOST_FREE * size) giveBack(database, MOST_FREE / 2);
}

/** @returns how many rows */
function eraseOldest(
  database: DatabaseSync,
  { condition, place, excess, isOfSamples }: BusiestPlace,
): number {
  const erase = (where: string, ...values: string[]) =>
    Number(
      database
        .prepare(`DELETE FROM events WHERE id IN (SELECT id FROM events WHERE ${where} ORDER BY id LIMIT ?)`)
        .run(...values, Math.min(EVENTS_AT_ONCE, Math.ceil(excess))).changes,
    );
  const eraseSamples = () =>
    Number(
      database
        .prepare('DELETE FROM samples WHERE (udid, at) IN (SELECT udid, at FROM samples ORDER BY at LIMIT ?)')
        .run(Math.min(SAMPLES_AT_ONCE, Math.ceil(excess))).changes,
    );
  if (isOfSamples) return eraseSamples();
  return erase(`${condition} AND ${NO_NOTE}`, ...place) || erase(condition, ...place) || eraseSamples();
}

interface BusiestPlace {
  /** A condition of SQL, with what stands for its question mark. */
  condition: string;
  place: string[];
  /** Rows that it gives before we look again. */
  excess: number;
  /** Not a place, but the readings take most of the file. */
  isOfSamples?: true;
}

/** The port, the phone or the host itself that has most events: a port whose phone changes its name is one place. */
function busiestPlace(database: DatabaseSync): BusiestPlace {
  const count = (from: string) =>
    Number(database.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.count);
  const samples = count('samples');
  if (samples > SAMPLES_AN_EVENT * count('events'))
    return { condition: '', place: [], excess: Math.max(1, samples / 64), isOfSamples: true };
  const [port, phone] = (['usb_path', 'udid'] as const).map((column) => {
    const [first, second] = database
      .prepare(
        `SELECT ${column} AS place, count(*) AS count FROM events WHERE ${column} IS NOT NULL
          GROUP BY ${column} ORDER BY 2 DESC LIMIT 2`,
      )
      .all();
    const most = Number(first?.count ?? 0);
    const excess = Math.max(1, most * LEAST_EXCESS, most - Number(second?.count ?? 0));
    return { condition: `${column} = ?`, place: [String(first?.place)], excess, most };
  });
  const host = count('events WHERE udid IS NULL');
  const most = Math.max(port?.most ?? 0, phone?.most ?? 0);
  if (host > most) return { condition: 'udid IS NULL', place: [], excess: host - most };
  // a phone that has half of its port's events, or sits at none
  const busiest = 2 * (phone?.most ?? 0) >= most ? phone : port;
  return busiest ?? { condition: 'TRUE', place: [], excess: 1 };
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
