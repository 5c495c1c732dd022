/** The history in one SQLite database. Synchronous: the agent uses it in a thread. */
import type { DatabaseSync } from 'node:sqlite';
import type { Batch, Change } from './change.ts';
import type { HistoryEvent, HistorySample, NewEvent } from './event.ts';
import { conditionOf } from './event-query.ts';
import { type EventRow, eventIn, rowOf, sumOf } from './event-row.ts';
import type { DayUptime, EventQuery } from './history.ts';
import { Samples } from './samples.ts';
import { uptimeKinds, uptimeOf } from './uptime.ts';

const COLUMNS = 'id, at, kind, udid, slot, usb_path, hub, devpath, rest, sum';

export interface StoreOptions {
  /** ms since the epoch. */
  now?: () => number;
}

export class Store {
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #samples: Samples;
  #lastId: number;
  #rewrites = 0;
  /** When the agent before this one was certainly still running. */
  #formerAliveAt: number | undefined;

  /** @param database from `openDatabase`; the store closes it */
  constructor(database: DatabaseSync, { now = Date.now }: StoreOptions = {}) {
    this.#database = database;
    this.#now = now;
    this.#samples = new Samples(database);
    const { seq } = database.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`).get() ?? {};
    this.#lastId = Number(seq ?? 0);
  }

  /**
   * Writes the batch as one transaction, unless it was written before.
   *
   * @throws {Error} SQLite's; nothing of it is written
   */
  write({ session, number, changes }: Batch): void {
    if (this.#meta('session') === session && Number(this.#meta('batch')) >= number) return;
    const [lastId, formerAliveAt] = [this.#lastId, this.#formerAliveAt];
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      if (this.#meta('session') !== session) this.#formerAliveAt = numberIn(this.#meta('aliveAt'));
      for (const change of changes) this.#apply(change);
      this.#setMeta('session', session);
      this.#setMeta('batch', String(number));
      this.#database.exec('COMMIT');
    } catch (error) {
      [this.#lastId, this.#formerAliveAt] = [lastId, formerAliveAt];
      // SQLite itself rolls back at some errors, as at a full disk
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
    // what is erased must not stay in the log of the database either
    if (changes.some(({ kind }) => kind === 'forget')) this.checkpoint();
  }

  /** Counts up with each change of what was written before: who keeps events reads them again. */
  get rewrites(): number {
    return this.#rewrites;
  }

  #apply(change: Change): void {
    if (change.kind === 'renamed' || change.kind === 'forget') this.#rewrites += 1;
    if (change.kind === 'events') for (const event of change.events) this.#insert(event);
    else if (change.kind === 'samples') this.#samples.keep(change.samples);
    else if (change.kind === 'renamed') this.#rename(change.from, change.to);
    else if (change.kind === 'forget') for (const udid of change.udids) this.#forget(udid);
    else this.#setMeta('aliveAt', String(change.at));
  }

  #insert(event: NewEvent): void {
    const row = rowOf(this.#lastId + 1, this.#completed(event));
    this.#put(row);
    this.#lastId += 1;
  }

  /** Only the store knows when the agent before this one was alive. */
  #completed(event: NewEvent): NewEvent {
    if (event.kind !== 'agentStarted' || event.lastAliveAt !== undefined) return event;
    return this.#formerAliveAt === undefined ? event : { ...event, lastAliveAt: this.#formerAliveAt };
  }

  #put({ id, at, kind, udid, slot, usb_path, hub, devpath, rest, sum }: EventRow): void {
    this.#database
      .prepare(`INSERT OR REPLACE INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(id, at, kind, udid, slot, usb_path, hub, devpath, rest, sum);
  }

  #rename(from: string, to: string): void {
    const rows = this.#database.prepare(`SELECT ${COLUMNS} FROM events WHERE udid = ?`).all(from);
    for (const row of rows as unknown as EventRow[]) {
      // a damaged row must not become a whole one
      if (sumOf(row) === row.sum) this.#put({ ...row, udid: to, sum: sumOf({ ...row, udid: to }) });
    }
    this.#samples.rename(from, to);
  }

  #forget(udid: string): void {
    this.#database.prepare('DELETE FROM events WHERE udid = ?').run(udid);
    this.#samples.forget(udid);
  }

  /** Newest first, by `id`. Rows that are damaged are left out. */
  events(query: EventQuery = {}): HistoryEvent[] {
    const { condition, values } = conditionOf(query);
    const rows = this.#database
      .prepare(`SELECT ${COLUMNS} FROM events WHERE ${condition} ORDER BY id DESC LIMIT ?`)
      .iterate(...values, query.limit ?? -1);
    const events: HistoryEvent[] = [];
    for (const row of rows) {
      const event = eventIn(row as unknown as EventRow);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  /** Of one phone, oldest first. */
  samples(udid: string, since: number): HistorySample[] {
    return this.#samples.of(udid, since, this.#now());
  }

  /** The newest attached, detached or state event of each phone. */
  lastStates(): HistoryEvent[] {
    const rows = this.#database
      .prepare(
        `SELECT ${COLUMNS} FROM events WHERE id IN (SELECT max(id) FROM events
          WHERE udid IS NOT NULL AND kind IN ('attached', 'detached', 'state') GROUP BY udid) ORDER BY id`,
      )
      .all() as unknown as EventRow[];
    return rows.flatMap((row) => eventIn(row) ?? []);
  }

  /** One for each of the last `days` days up to today, oldest first. */
  uptime(udid: string, days: number): DayUptime[] {
    const events = this.events({ udids: [udid], withHost: true, kinds: uptimeKinds });
    return uptimeOf(events.toReversed(), { now: this.#now(), days });
  }

  /** Moves what is in SQLite's own log into the file, and empties the log. */
  checkpoint(): void {
    this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
  }

  #meta(name: string): string | undefined {
    const { value } = this.#database.prepare('SELECT value FROM meta WHERE name = ?').get(name) ?? {};
    return value === undefined ? undefined : String(value);
  }

  #setMeta(name: string, value: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);
  }

  close(): void {
    this.#database.close();
  }
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && Number.isFinite(Number(text)) ? Number(text) : undefined;
