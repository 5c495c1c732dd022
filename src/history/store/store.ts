/** The history in one SQLite database. Synchronous: the agent uses it in a thread. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type HistoryEvent,
  type HistorySample,
  hostEventKinds,
  type NewEvent,
  type SampleFilter,
} from '../events/event.ts';
import type { Change, DayUptime, EventQuery, Sent } from './history.ts';
import { type Bounds, ERASED, erasedUntil, keepWithin } from './retention.ts';
import {
  allSamples,
  COLUMNS,
  conditionOf,
  type EventRow,
  eventIn,
  keepSamples,
  type Place,
  rowOf,
  SUMMED,
  samplesOf,
  sumOf,
  type Way,
  waysOf,
} from './rows.ts';
import { uptimeKinds, uptimeOf } from './uptime.ts';

const INSERT = `INSERT OR REPLACE INTO events (${COLUMNS}) VALUES (${COLUMNS.replace(/\w+/g, ':$&')})`;
/** A damaged row must not become a whole one. */
const RENAME = `UPDATE events SET udid = :to, sum = sum_of(${SUMMED.replace('udid', ':to')})
  WHERE udid = :from AND sum = sum_of(${SUMMED})`;
/** No id is given twice, although the newest event may be erased. */
const LAST_ID = `SELECT max(coalesce((SELECT max(id) FROM events), 0),
  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)) AS last`;

/**
 * What is erased must not stay in SQLite's own log. What a person was told is kept must not be there alone: somebody may
 * remove that file, and then it would be lost with the process.
 */
const isForFile = (change: Change): boolean =>
  isRewrite(change) || (change.kind === 'events' && change.events.some(({ kind }) => kind === 'note'));

/** Of what was written before. */
export const isRewrite = ({ kind }: Change): boolean => kind === 'renamed' || kind === 'forget';

/** The newest: of a phone that flaps for weeks the days before are not known. */
const MOST_UPTIME_EVENTS = 20_000;
/** So many events of a place are looked at for one question, the newest, or those before a page: a flapping one has a million. */
const MOST_LOOKED_AT = 50_000;
/** Where a place has many phones, of each at least. */
const FEWEST_OF_WAY = 1000;
/** The hubs of which there are events, from one on: each is looked up in the index. */
const HUBS = `WITH RECURSIVE named(hub) AS (SELECT min(hub) FROM events WHERE hub >= :from AND hub < :to
  UNION ALL SELECT (SELECT min(hub) FROM events WHERE hub > named.hub AND hub < :to) FROM named WHERE hub IS NOT NULL LIMIT 1000)
  SELECT hub FROM named WHERE hub IS NOT NULL`;
/** Phones whose last state is asked for, the latest. More are no phones of one host. */
const MOST_STATES = 10_000;

export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #now: () => number;
  #mustEmptyLog = false;
  #logProblem: unknown;
  #rewrites = 0;

  /**
   * @param database from `openDatabase`; the store closes it
   * @param now ms since the epoch
   */
  constructor(database: DatabaseSync, now = Date.now) {
    this.#database = database;
    this.#now = now;
    database.function('sum_of', { deterministic: true, varargs: true }, (...columns) => sumOf(columns));
  }

  /** Each statement is prepared once: SQLite's memory of one is only given back when Node collects it. */
  readonly #prepared = (sql: string): StatementSync => {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  };

  /**
   * Writes all of it as one transaction, unless it was written before: a thread that dies may not have said so.
   *
   * @returns whether it is where it must be: else the next call sees to that
   * @throws {Error} SQLite's: nothing is written
   */
  write(changes: readonly Change[], sent?: Sent): boolean {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      if (!sent || !this.#hasWritten(sent)) for (const change of changes) this.#apply(change);
      if (sent) this.#setMeta('session', sent.session);
      if (sent) this.#setMeta('batch', String(sent.number));
      this.#setMeta('aliveAt', String(this.#now()));
      this.#database.exec('COMMIT');
    } catch (error) {
      // SQLite itself rolls back at some errors, as at a full disk
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    this.#mustEmptyLog ||= changes.some(isForFile);
    if (this.#mustEmptyLog) this.#emptyLog();
    return !this.#mustEmptyLog;
  }

  #emptyLog(): void {
    try {
      this.#prepared('PRAGMA wal_checkpoint(TRUNCATE)').get();
      this.#mustEmptyLog = false;
      this.#logProblem = undefined;
    } catch (error) {
      this.#logProblem = error;
    }
  }

  /** SQLite's error, where what was written is in its log, and the file does not take it. */
  get logProblem(): unknown {
    return this.#logProblem;
  }

  #hasWritten({ session, number }: Sent): boolean {
    return this.#meta('session') === session && Number(this.#meta('batch')) >= number;
  }

  /** Counts up with each change of what was written before: who keeps events reads them again. */
  get rewrites(): number {
    return this.#rewrites;
  }

  #apply(change: Change): void {
    const run = (sql: string, ...values: SQLInputValue[]) => this.#prepared(sql).run(...values);
    if (isRewrite(change)) this.#rewrites += 1;
    switch (change.kind) {
      case 'events':
        for (const event of change.events) this.#insert(event);
        break;
      case 'samples':
        keepSamples(this.#prepared, change.samples);
        break;
      case 'renamed':
        this.#prepared(RENAME).run({ from: change.from, to: change.to });
        run('UPDATE OR REPLACE samples SET udid = ? WHERE udid = ?', change.to, change.from);
        run('UPDATE OR REPLACE meta SET name = ? WHERE name = ?', ERASED + change.to, ERASED + change.from);
        break;
      case 'forget':
        for (const udid of change.udids) {
          run('DELETE FROM events WHERE udid = ?', udid);
          run('DELETE FROM samples WHERE udid = ?', udid);
          run('DELETE FROM meta WHERE name = ?', ERASED + udid);
        }
    }
  }

  #insert(event: NewEvent): void {
    const { last } = this.#prepared(LAST_ID).get() ?? {};
    this.#prepared(INSERT).run({ ...rowOf(Number(last) + 1, this.#completed(event)) });
  }

  /** Only the store knows when the agent before this one was alive. It is the first event of an agent. */
  #completed(event: NewEvent): NewEvent {
    const aliveAt = event.kind === 'agentStarted' ? this.#meta('aliveAt') : undefined;
    return aliveAt === undefined ? event : ({ lastAliveAt: Number(aliveAt), ...event } as NewEvent);
  }

  /** Newest first, by `id`. Rows that are damaged are left out. Of a place only the newest are looked at. */
  events(query: EventQuery = {}): HistoryEvent[] {
    const { limit = 0 } = query;
    const ways = limit > 0 ? waysOf(query, this.#placeOf(query)) : undefined;
    if (ways === undefined) return [...this.each(query)];
    const places = ways.length - (query.withHost ? hostEventKinds.length : 0);
    const ids = ways.flatMap((way) => this.#idsBy(way, query, limit, places));
    const newest = [...new Set(ids)].sort((one, other) => other - one).slice(0, limit);
    return this.#eventsBy('SELECT value FROM json_each(?)', 'DESC', JSON.stringify(newest));
  }

  /** @param ids a statement that gives the ids of those that are wanted */
  #eventsBy(ids: string, order: 'ASC' | 'DESC', ...values: string[]): HistoryEvent[] {
    const sql = `SELECT ${COLUMNS} FROM events WHERE id IN (${ids}) ORDER BY id ${order}`;
    const rows = this.#prepared(sql).all(...values) as unknown as EventRow[];
    return rows.flatMap((row) => eventIn(row) ?? []);
  }

  #idsBy([by, value]: Way, query: EventQuery, limit: number, places: number): number[] {
    const { before = Number.MAX_SAFE_INTEGER } = query;
    const most = Math.max(FEWEST_OF_WAY, Math.floor(MOST_LOOKED_AT / places));
    const { condition, values } = conditionOf(query, this.#placeOf(query));
    const sql = `SELECT id FROM (SELECT id, at, kind, udid, slot, usb_path, hub FROM events
      WHERE ${by} AND id < ? ORDER BY id DESC LIMIT ?) WHERE ${condition} LIMIT ?`;
    return this.#prepared(sql)
      .all(value, before, most, ...values, limit)
      .map(({ id }) => Number(id));
  }

  #placeOf({ udids, slots, usbPath, hub }: EventQuery): Place | undefined {
    if (udids) return { column: 'udid', values: udids };
    if (slots) return { column: 'slot', values: slots };
    if (usbPath !== undefined) return { column: 'usb_path', values: [usbPath] };
    return hub === undefined ? undefined : { column: 'hub', values: this.#hubsBelow(hub) };
  }

  /** The hub, and those below it of which there are events. */
  #hubsBelow(hub: string): string[] {
    const rows = this.#prepared(HUBS).all({ from: `${hub}.`, to: `${hub}/` });
    return [hub, ...rows.map(({ hub: below }) => String(below))];
  }

  /**
   * The same, one after the other.
   *
   * @param isWanted told where the next one happened, by USB port or else by phone; what is not wanted is not parsed
   */
  *each(query: EventQuery, isWanted = (_place: string) => true): Generator<HistoryEvent> {
    const { condition, values } = conditionOf(query, this.#placeOf(query));
    const rows = this.#prepared(
      `SELECT ${COLUMNS} FROM events WHERE ${condition} ORDER BY id DESC LIMIT ?`,
    ).iterate(...values, query.limit ?? -1) as unknown as Iterable<EventRow>;
    for (const row of rows) {
      const event = isWanted(row.usb_path ?? row.udid ?? '') ? eventIn(row) : undefined;
      if (event !== undefined) yield event;
    }
  }

  /** Of one phone, oldest first. */
  samples(udid: string, since: number, only: SampleFilter = {}): HistorySample[] {
    return samplesOf(this.#prepared, [udid, since, only], this.#now());
  }

  /** The newest attached, detached or state event of each phone. */
  lastStates(): HistoryEvent[] {
    const newest = `SELECT max(id) FROM events WHERE udid IS NOT NULL AND kind IN ('attached', 'detached', 'state')
      GROUP BY udid ORDER BY 1 DESC LIMIT ${MOST_STATES}`;
    return this.#eventsBy(newest, 'ASC');
  }

  /** Since when nothing of this phone was erased to make room, ms since the epoch; undefined: nothing ever was. */
  erasedUntil(udid: string): number | undefined {
    return erasedUntil(this.#database, udid);
  }

  /** When this history began, ms since the epoch; undefined: before that was kept. */
  get madeAt(): number | undefined {
    const kept = this.#meta('madeAt');
    return kept === undefined ? undefined : Number(kept);
  }

  /** One for each of the last `days` days up to today, oldest first. */
  uptime(udid: string, days: number): DayUptime[] {
    const asked = { udids: [udid], withHost: true, kinds: uptimeKinds, limit: MOST_UPTIME_EVENTS };
    return uptimeOf(this.events(asked).toReversed(), { now: this.#now(), days });
  }

  keepWithin(bounds: Bounds): void {
    keepWithin(this.#database, bounds);
  }

  /**
   * Adds all that another store holds, in one transaction.
   *
   * @param missed what was forgotten and renamed in the other one alone
   */
  takeOver(other: Store, missed: readonly Change[] = []): void {
    const events = other.events().map(({ id: _, ...event }) => event);
    this.write([
      ...missed,
      { kind: 'events', events: events.toReversed() },
      { kind: 'samples', samples: allSamples(other.#prepared) },
    ]);
  }

  #meta(name: string): string | undefined {
    const { value } = this.#prepared('SELECT value FROM meta WHERE name = ?').get(name) ?? {};
    return value === undefined ? undefined : String(value);
  }

  #setMeta(name: string, value: string): void {
    this.#prepared('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);
  }

  close(): void {
    this.#database.close();
  }
}
