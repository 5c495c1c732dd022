/** The history in one SQLite database. Synchronous: the agent uses it in a thread. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HistoryEvent, HistorySample, NewEvent, SampleFilter } from '../events/event.ts';
import { statementsOf } from './database.ts';
import { conditionOf, type EventRow, eventIn, rowOf, sumOf } from './events.ts';
import type { DayUptime, EventQuery } from './history.ts';
import type { Batch, Change, Upkeep } from './messages.ts';
import { expire, shrink, tidy } from './retention.ts';
import { Samples } from './samples.ts';

import { uptimeKinds, uptimeOf } from './uptime.ts';

const COLUMNS = 'id, at, kind, udid, slot, usb_path, hub, devpath, rest, sum';

/** No id is given twice, although the newest event may be erased. */
const LAST_ID = `SELECT max(coalesce((SELECT max(id) FROM events), 0),
  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0)) AS last`;

/** The newest: of a phone that flaps for weeks the days before are not known. */
const MOST_UPTIME_EVENTS = 20_000;
/** Phones whose last state is asked for, the latest. More are no phones of one host. */
const MOST_STATES = 10_000;
/** Rows that another udid gets at once: those of a phone that flaps do not fit into the memory of the thread. */
const RENAMED_AT_ONCE = 500;

export interface StoreOptions {
  /** ms since the epoch. */
  now?: () => number;
}

export class Store {
  readonly #database: DatabaseSync;
  readonly #prepared: (sql: string) => StatementSync;
  readonly #now: () => number;
  readonly #samples: Samples;
  #lastId: number;
  #mustEmptyLog = false;
  #rewrites = 0;
  /** When the agent before this one was certainly still running. */
  #formerAliveAt: number | undefined;

  /** @param database from `openDatabase`; the store closes it */
  constructor(database: DatabaseSync, { now = Date.now }: StoreOptions = {}) {
    this.#database = database;
    this.#now = now;
    this.#prepared = statementsOf(database);
    this.#samples = new Samples(this.#prepared);
    const { last } = this.#prepared(LAST_ID).get() ?? {};
    this.#lastId = Number(last ?? 0);
  }

  /**
   * Writes the batch as one transaction, unless it was written before.
   *
   * @throws {Error} SQLite's; the same batch may be tried again
   */
  write({ session, number, changes }: Batch): void {
    if (this.#meta('session') !== session || Number(this.#meta('batch')) < number) {
      this.#inTransaction(() => {
        if (this.#meta('session') !== session) this.#formerAliveAt = numberIn(this.#meta('aliveAt'));
        for (const change of changes) this.#apply(change);
        this.#setMeta('session', session);
        this.#setMeta('batch', String(number));
      });
      this.#mustEmptyLog ||= changes.some(({ kind }) => kind === 'forget' || kind === 'renamed');
    }
    // what is erased must not stay in SQLite's own log
    if (this.#mustEmptyLog) this.#prepared('PRAGMA wal_checkpoint(TRUNCATE)').get();
    this.#mustEmptyLog = false;
  }

  #inTransaction(work: () => void): void {
    const lastId = this.#lastId;
    const formerAliveAt = this.#formerAliveAt;
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#lastId = lastId;
      this.#formerAliveAt = formerAliveAt;
      // SQLite itself rolls back at some errors, as at a full disk
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
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
    this.#prepared(`INSERT OR REPLACE INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
      id,
      at,
      kind,
      udid,
      slot,
      usb_path,
      hub,
      devpath,
      rest,
      sum,
    );
  }

  #rename(from: string, to: string): void {
    const next = this.#prepared(
      `SELECT ${COLUMNS} FROM events WHERE udid = ? AND id > ? ORDER BY id LIMIT ${RENAMED_AT_ONCE}`,
    );
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows = next.all(from, after) as unknown as EventRow[];
      after = rows.at(-1)?.id;
      for (const row of rows) {
        // a damaged row must not become a whole one
        if (sumOf(row) === row.sum) this.#put({ ...row, udid: to, sum: sumOf({ ...row, udid: to }) });
      }
    }
    this.#samples.rename(from, to);
  }

  #forget(udid: string): void {
    this.#prepared('DELETE FROM events WHERE udid = ?').run(udid);
    this.#samples.forget(udid);
  }

  /** Newest first, by `id`. Rows that are damaged are left out. */
  events(query: EventQuery = {}): HistoryEvent[] {
    const { condition, values } = conditionOf(query);
    const rows = this.#prepared(
      `SELECT ${COLUMNS} FROM events WHERE ${condition} ORDER BY id DESC LIMIT ?`,
    ).iterate(...values, query.limit ?? -1);
    const events: HistoryEvent[] = [];
    for (const row of rows) {
      const event = eventIn(row as unknown as EventRow);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  /** Of one phone, oldest first. */
  samples(udid: string, since: number, only: SampleFilter = {}): HistorySample[] {
    return this.#samples.of(udid, since, this.#now(), only);
  }

  /** The newest attached, detached or state event of each phone. */
  lastStates(): HistoryEvent[] {
    const rows = this.#prepared(
      `SELECT ${COLUMNS} FROM events WHERE id IN (SELECT max(id) FROM events
          WHERE udid IS NOT NULL AND kind IN ('attached', 'detached', 'state') GROUP BY udid ORDER BY 1 DESC LIMIT ${MOST_STATES}) ORDER BY id`,
    ).all() as unknown as EventRow[];
    return rows.flatMap((row) => eventIn(row) ?? []);
  }

  /** One for each of the last `days` days up to today, oldest first. */
  uptime(udid: string, days: number): DayUptime[] {
    const limit = MOST_UPTIME_EVENTS;
    const events = this.events({ udids: [udid], withHost: true, kinds: uptimeKinds, limit });
    return uptimeOf(events.toReversed(), { now: this.#now(), days });
  }

  /**
   * Keeps the history within its bounds.
   *
   * @returns whether it is done; else it must be called again soon
   */
  upkeep({ days, mostBytes, now }: Upkeep & { days: number; mostBytes: number }): boolean {
    const isDone = now === undefined || !expire(this.#database, { now, days });
    shrink(this.#database, mostBytes);
    tidy(this.#database);
    return isDone;
  }

  /** Erases the oldest, if the file is larger than this. */
  shrink(mostBytes: number): void {
    shrink(this.#database, mostBytes);
  }

  /**
   * Adds all that another store holds, in one transaction. Of a batch that both were sent it is added once.
   *
   * @param missed what was forgotten and renamed in the other one alone
   */
  takeOver(other: Store, missed: readonly Change[] = []): void {
    const session = other.#meta('session');
    if (session === undefined) return;
    const events = other.events().map(({ id: _, ...event }) => event);
    const changes: Change[] = [
      ...missed,
      { kind: 'events', events: events.toReversed() },
      { kind: 'samples', samples: other.#samples.all() },
    ];
    this.write({ session, number: Number(other.#meta('batch')), changes });
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

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && Number.isFinite(Number(text)) ? Number(text) : undefined;
