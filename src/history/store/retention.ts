/**
 * Keeps the history within its bounds: days, and megabytes of the disk. The busiest place gives its oldest first, so that
 * who flaps pushes out nobody else's past. Notes stay longest.
 */
import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../base/calendar.ts';
import { thinSamples } from './rows.ts';

/** A transaction erases so many rows: SQLite's log stays small, and the next question waits not long. */
const EVENTS_AT_ONCE = 2000;
const SAMPLES_AT_ONCE = 20_000;
/** So many go by their age in one call, since questions wait meanwhile: the next call goes on. */
const MOST_EXPIRED = 10 * EVENTS_AT_ONCE;
/** How far below the limit the file shrinks, so that the next batch fits. */
const SHRINK_TO = 0.95;

/** The part of their events that the busiest places give before we look again which these are. */
const PART_AT_ONCE = 1 / 20;
/** Places that we look at at once. */
const MOST_PLACES = 1000;
/** An event takes as much of the file as so many samples: what takes more gives. */
const SAMPLES_AN_EVENT = 6;

/** What the file may take of `maxMegabytes`: the rest is for SQLite's log, and for the batch that comes. */
const LOG_BYTES = 8 * 1024 ** 2;
export const mostFileBytes = (maxMegabytes: number): number => maxMegabytes * 1024 ** 2 - LOG_BYTES;

export interface Bounds {
  days: number;
  mostBytes: number;
  /** ms since the epoch; absent: nothing is erased by its age. */
  now?: number | undefined;
}

export function keepWithin(database: DatabaseSync, { days, mostBytes, now }: Bounds): void {
  if (now !== undefined) {
    const oldest = now - days * DAY_MS;
    database.prepare('DELETE FROM samples WHERE at < ? OR at > ?').run(oldest, now + DAY_MS); // of a clock that was ahead
    thinSamples(database, now);
    eraseOldest(database, { condition: 'at < ?', values: [oldest], most: MOST_EXPIRED });
  }
  if (bytesOf(database) > mostBytes) shrink(database, mostBytes);
}

/** Erases the oldest rows of the busiest places until the file is no larger than this. */
function shrink(database: DatabaseSync, mostBytes: number): void {
  for (let erased = 1; erased > 0 && bytesOf(database) > SHRINK_TO * mostBytes; ) {
    const [events, samples] = [countOf(database, 'events'), countOf(database, 'samples')];
    erased =
      samples > SAMPLES_AN_EVENT * events
        ? eraseSamples(database, Math.ceil(samples / 64))
        : busiest(database).reduce((sum, giving) => sum + eraseOldest(database, giving), 0);
  }
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get(); // the file itself shrinks now
}

const countOf = (database: DatabaseSync, from: string): number =>
  Number(database.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.count);

/** @returns how many */
function eraseSamples(database: DatabaseSync, most: number): number {
  const erase = 'DELETE FROM samples WHERE (udid, at) IN (SELECT udid, at FROM samples ORDER BY at LIMIT ?)';
  return Number(database.prepare(erase).run(Math.min(SAMPLES_AT_ONCE, most)).changes);
}

/** Events that are to be erased: the oldest for which a condition of SQL holds. */
interface Giving {
  condition: string;
  /** What stands for its question mark. */
  values: (string | number)[];
  most: number;
  notesLast?: boolean;
}

/** @returns how many */
function eraseOldest(database: DatabaseSync, { condition, values, most, notesLast = false }: Giving): number {
  let left = most;
  for (const where of notesLast ? [`${condition} AND kind <> 'note'`, condition] : [condition]) {
    const oldest = `(SELECT id FROM events WHERE ${where} ORDER BY id LIMIT ?)`;
    const remember = database.prepare(`INSERT INTO meta SELECT '${ERASED}' || coalesce(udid, ''), max(id)
      FROM events WHERE id IN ${oldest} GROUP BY udid ${NEWEST_STAYS}`);
    const erase = database.prepare(`DELETE FROM events WHERE id IN ${oldest}`);
    while (left > 0) {
      const which = [...values, Math.min(EVENTS_AT_ONCE, left)];
      if (Number(remember.run(...which).changes) === 0) break;
      left -= Number(erase.run(...which).changes);
    }
  }
  boundRemembered(database);
  return most - left;
}

/** In `meta`, with its udid or '' for the host: the newest erased event of each phone. What was before it is not known. */
export const ERASED = 'erased ';
const NEWEST_STAYS =
  'ON CONFLICT (name) DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))';
/** Phones that are remembered so: with more, as where one changes its name all the time, it holds for all. */
const MOST_REMEMBERED = 1000;

function boundRemembered(database: DatabaseSync): void {
  const of = `FROM meta WHERE name GLOB '${ERASED}*'`;
  const all = database.prepare(`SELECT count(*) AS count, max(CAST(value AS INTEGER)) AS id ${of}`).get();
  if (Number(all?.count) <= MOST_REMEMBERED) return;
  database.exec(`DELETE ${of}`);
  database.prepare('INSERT INTO meta VALUES (?, ?)').run(ERASED, Number(all?.id));
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

/** Whoever changes its name is still one place by its port. Of those without a port the network is one. */
const PLACES = `SELECT 'udid = ?' AS condition, udid AS place, count(*) AS events FROM events WHERE udid IS NOT NULL GROUP BY udid
  UNION ALL SELECT 'usb_path = ?', usb_path, count(*) FROM events WHERE usb_path IS NOT NULL GROUP BY usb_path
  UNION ALL SELECT 'udid IS NULL', NULL, count(*) FROM events WHERE udid IS NULL
  UNION ALL SELECT 'udid IS NOT NULL AND usb_path IS NULL', NULL, count(*) FROM events WHERE udid IS NOT NULL AND usb_path IS NULL
  ORDER BY events DESC LIMIT ${MOST_PLACES}`;

/** Who gives next: the busiest of phones, ports, the host itself and the network, with all that have at least half as much. */
function busiest(database: DatabaseSync): Giving[] {
  const places = database.prepare(PLACES).all();
  const half = Number(places[0]?.events) / 2;
  const busy = places.filter(({ events }) => Number(events) > 0 && Number(events) >= half);
  const phones = busy.filter(({ condition }) => condition === 'udid = ?');
  return (phones.length > 0 ? phones : busy).map(({ condition, place, events }) => ({
    condition: String(condition),
    values: place === null ? [] : [String(place)],
    most: Math.ceil(Number(events) * PART_AT_ONCE),
    notesLast: true,
  }));
}

/** What is erased takes no place: `auto_vacuum`. */
function bytesOf(database: DatabaseSync): number {
  const number = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  return number('page_size') * number('page_count');
}
