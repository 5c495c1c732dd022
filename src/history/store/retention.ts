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

/** The part of all events that the busiest places give before we look again which these are. */
const PART_AT_ONCE = 1 / 50;
/** Places that we look at at once. If even these hardly differ, the oldest of all go. */
const MOST_PLACES = 1000;
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
    `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ? ORDER BY id LIMIT ?) ${RETURNING}`,
  );
  database.prepare('DELETE FROM samples WHERE at < ? OR at > ?').run(oldest, now + DAY_MS);
  thinSamples(database, now);
  let erased = EVENTS_AT_ONCE;
  for (let turn = 0; turn < MOST_TURNS && erased === EVENTS_AT_ONCE; turn++)
    erased = remembered(database, erase.all(oldest, EVENTS_AT_ONCE));
}

/** The newest erased event of each phone, and of the host: what was before it is not known. */
const ERASED = 'erased ';
const RETURNING = "RETURNING id, coalesce(udid, '') AS udid";
/** Phones that are remembered so: with more, as where one changes its name all the time, it holds for all. */
const MOST_REMEMBERED = 1000;

/** @returns how many there are */
function remembered(database: DatabaseSync, erased: readonly Record<string, unknown>[]): number {
  const newest = new Map<string, number>();
  for (const { id, udid } of erased)
    newest.set(String(udid), Math.max(Number(id), newest.get(String(udid)) ?? 0));
  const keep = database.prepare(`INSERT INTO meta VALUES ($name, $id)
    ON CONFLICT (name) DO UPDATE SET value = max(CAST(value AS INTEGER), $id)`);
  for (const [udid, id] of newest) keep.run({ name: ERASED + udid, id });
  const all = database.prepare(
    'SELECT count(*) AS count, max(CAST(value AS INTEGER)) AS id FROM meta WHERE name GLOB ?',
  );
  const { count, id } = all.get(`${ERASED}*`) ?? {};
  if (Number(count) > MOST_REMEMBERED) {
    database.prepare('DELETE FROM meta WHERE name GLOB ?').run(`${ERASED}*`);
    keep.run({ name: ERASED, id: Number(id) });
  }
  return erased.length;
}

/** A phone is forgotten, or has another udid. */
export function forgetErased(database: DatabaseSync, udid: string, to?: string): void {
  const sql =
    to === undefined
      ? 'DELETE FROM meta WHERE name = ?'
      : 'UPDATE OR REPLACE meta SET name = ?2 WHERE name = ?1';
  database.prepare(sql).run(ERASED + udid, ...(to === undefined ? [] : [ERASED + to]));
}

/**
 * Since when nothing of this phone and of the host was erased, ms since the epoch: when the first event after those happened.
 *
 * @returns undefined if nothing was; Infinity if nothing came after
 */
export function erasedUntil(database: DatabaseSync, udid: string): number | undefined {
  const { id } =
    database
      .prepare('SELECT max(CAST(value AS INTEGER)) AS id FROM meta WHERE name IN (?, ?)')
      .get(ERASED, ERASED + udid) ?? {};
  if (typeof id !== 'number') return undefined;
  const { at } = database.prepare('SELECT at FROM events WHERE id > ? ORDER BY id LIMIT 1').get(id) ?? {};
  return typeof at === 'number' ? at : Number.POSITIVE_INFINITY;
}

/** Erases the oldest rows of the busiest places until the file is no larger than this. */
export function shrink(database: DatabaseSync, mostBytes: number): void {
  if (fileBytes(database).size <= mostBytes) return;
  let giving: Giving[] = [];
  while (usedBytes(database) > SHRINK_TO * mostBytes) {
    if (giving.length === 0) giving = busiest(database);
    const [first] = giving;
    if (first === undefined) break;
    const erased = eraseOldest(database, first);
    first.excess -= erased;
    if (erased === 0 && first.isLast) break;
    if (erased === 0 || first.excess <= 0) giving.shift();
  }
  giveBack(database, 0);
}

/** Gives free pages back to the disk, if there are many. */
export function tidy(database: DatabaseSync): void {
  const { size, free } = fileBytes(database);
  if (free > MOST_FREE * size) giveBack(database, MOST_FREE / 2);
}

/** Who gives rows: a place, or the readings. */
interface Giving {
  table: 'events' | 'samples';
  /** A condition of SQL, with what stands for its question mark. */
  condition: string;
  place: string[];
  /** How many rows. */
  excess: number;
  /** Of all events or readings: where there are none, there is nothing. */
  isLast?: true;
}

/** @returns how many rows */
function eraseOldest(database: DatabaseSync, { table, condition, place, excess }: Giving): number {
  if (table === 'samples') {
    const erase =
      'DELETE FROM samples WHERE (udid, at) IN (SELECT udid, at FROM samples ORDER BY at LIMIT ?)';
    return Number(database.prepare(erase).run(Math.min(SAMPLES_AT_ONCE, excess)).changes);
  }
  const erase = (where: string) =>
    database
      .prepare(
        `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE ${where} ORDER BY id LIMIT ?) ${RETURNING}`,
      )
      .all(...place, Math.min(EVENTS_AT_ONCE, excess));
  return remembered(database, erase(`${condition} AND ${NO_NOTE}`)) || remembered(database, erase(condition));
}

/** Who has most: ports, phones, the host itself, or the network. Whoever changes its name is still one place by its port. */
function busiest(database: DatabaseSync): Giving[] {
  const count = (from: string) =>
    Number(database.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.count);
  const [all, samples] = [count('events'), count('samples')];
  if (samples > SAMPLES_AN_EVENT * all)
    return [{ table: 'samples', condition: '', place: [], excess: Math.ceil(samples / 64), isLast: true }];
  const most = (column: 'usb_path' | 'udid') =>
    database
      .prepare(
        `SELECT ${column} AS place, count(*) AS count FROM events WHERE ${column} IS NOT NULL
          GROUP BY ${column} ORDER BY 2 DESC LIMIT ${MOST_PLACES}`,
      )
      .all()
      .map((row) => ({ condition: `${column} = ?`, place: [String(row.place)], events: Number(row.count) }));
  const host = { condition: 'udid IS NULL', place: [], events: count('events WHERE udid IS NULL') };
  const network = {
    ...{ condition: 'udid IS NOT NULL AND usb_path IS NULL', place: [] },
    events: all - host.events - count('events WHERE usb_path IS NOT NULL'),
  };
  const phones = most('udid');
  const places = [...most('usb_path'), host, network].sort((one, other) => other.events - one.events);
  const isPhone = 2 * (phones[0]?.events ?? 0) >= (places[0]?.events ?? 0);
  const wanted = Math.ceil(all * PART_AT_ONCE);
  const giving = downToOneLevel(isPhone ? phones : places, wanted);
  const given = giving.reduce((sum, { excess }) => sum + excess, 0);
  if (10 * given >= wanted && given > 0) return giving;
  return [{ table: 'events', condition: 'TRUE', place: [], excess: Math.max(1, wanted), isLast: true }];
}

/** What each of the first places gives so that these have the same number then, and together give `wanted`. Pure. */
function downToOneLevel(
  places: readonly (Omit<Giving, 'table' | 'excess'> & { events: number })[],
  wanted: number,
) {
  let given = 0;
  let level = 0;
  for (const [index, { events }] of places.entries()) {
    const next = places[index + 1]?.events ?? (index + 1 < MOST_PLACES ? 0 : events);
    level = Math.max(next, events - Math.ceil((wanted - given) / (index + 1)));
    given += (events - level) * (index + 1);
    if (given >= wanted) break;
  }
  return places.flatMap(({ events, ...place }): Giving[] =>
    events > level ? [{ table: 'events', ...place, excess: events - level }] : [],
  );
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
