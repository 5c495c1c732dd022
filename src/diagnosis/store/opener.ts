/** Keeps the store open: in the state directory, or in memory while that cannot be used. */
import type { DatabaseSync } from 'node:sqlite';
import { OutageLog } from '../../base/outage-log.ts';
import { systemReason } from '../../host/state-errors.ts';
import type { Batch, Change } from './change.ts';
import { isDamage, openDatabase, sqliteReason, UnfitFileError } from './database.ts';
import { contentStampOf, historyFile, prepareFile, removeDamaged, setDamagedAside, stampOf } from './file.ts';
import type { HistorySettings, Reply, Written } from './message.ts';
import { salvage } from './salvage.ts';
import { Store } from './store.ts';
import { takeOverJson } from './takeover.ts';
import { type ClockState, SteadyClock } from './trusted-clock.ts';
import { mostFileBytes } from './upkeep.ts';

export type Say = (level: Extract<Reply, { kind: 'said' }>['level'], message: string) => void;

/** How long until a file that cannot be used is opened again, ms. */
const REOPEN_MS = 10_000;
const UPKEEP_MS = 10 * 60_000;
/** What the history may take while it is in memory. */
const MOST_MEMORY_BYTES = 8 * 1024 ** 2;

/** Phones that were forgotten or got another udid while the history is in memory. */
const MOST_MISSED = 10_000;

interface Open {
  store: Store;
  written: Written;
  mostBytes: number;
  /** Of the file. */
  stamp?: string | undefined;
}

/** What the keeper of the next thread goes on with. Plain data. */
export interface KeeperState {
  clock: ClockState;
  upkeepAt: number;
  /** Of the file as it was closed, whole. */
  content?: string | undefined;
}

export interface KeeperOptions {
  say: Say;
  before?: KeeperState | undefined;
  clock?: SteadyClock;
  /** ms; nobody can set it. */
  uptime?: () => number;
}

export class Keeper {
  #settings: HistorySettings;
  readonly #say: Say;
  readonly #clock: SteadyClock;
  readonly #uptime: () => number;
  readonly #outage = new OutageLog();
  #open: Open | undefined;
  /** Of the file, while the history is in memory. */
  #missed: Change[] = [];
  #reopenAt = 0;
  #upkeepAt: number;
  #wholeContent: string | undefined;
  /** The last batch could not be written. */
  #isFailing = false;

  constructor(settings: HistorySettings, options: KeeperOptions) {
    const { say, before, uptime = () => performance.now() } = options;
    const { clock = new SteadyClock(Date.now, uptime, before?.clock) } = options;
    this.#settings = settings;
    [this.#say, this.#clock, this.#uptime] = [say, clock, uptime];
    this.#upkeepAt = before?.upkeepAt ?? 0;
    this.#wholeContent = before?.content;
  }

  /**
   * Asks the store: that of the file, or one in memory while the file cannot be used.
   *
   * @throws {Error} SQLite's, or the question's own
   */
  async ask<T>(question: (store: Store) => T): Promise<T> {
    const { store } = await this.#opened();
    try {
      return question(store);
    } catch (error) {
      if (!(await this.#isReplaced(error))) throw error;
      return question((await this.#opened()).store);
    }
  }

  /** @throws {Error} SQLite's: nothing of the batch is written, and it may be tried again */
  async write(batch: Batch): Promise<Written> {
    const { store, written, mostBytes } = await this.#opened();
    this.#isFailing = true;
    await this.#noticeDamage(() => store.write(batch));
    this.#isFailing = false;
    await this.#eraseElsewhere(batch, written);
    await this.#noticeDamage(() => this.#keepUp(store, mostBytes)).catch(() => {}); // the next write tries it again
    return written;
  }

  /** What is to be erased is also in a file that cannot be used now, and in one that was set aside. */
  async #eraseElsewhere({ changes }: Batch, written: Written): Promise<void> {
    const { stateDir } = this.#settings;
    if (written !== 'disk') {
      const rewrites = changes.filter(({ kind }) => kind === 'renamed' || kind === 'forget');
      this.#missed = [...this.#missed, ...rewrites].slice(-MOST_MISSED);
    } else if (stateDir !== undefined && changes.some(({ kind }) => kind === 'forget'))
      await removeDamaged(historyFile(stateDir));
  }

  async #noticeDamage(work: () => void): Promise<void> {
    try {
      work();
    } catch (error) {
      await this.#isReplaced(error);
      throw error;
    }
  }

  use(settings: HistorySettings): void {
    if (settings.stateDir !== this.#settings.stateDir) {
      if (this.#open?.written === 'disk') this.close(); // what is in memory moves into the file
      this.#reopenAt = 0;
    }
    this.#settings = settings;
    if (this.#open?.written === 'disk') this.#open.mostBytes = mostFileBytes(settings.maxMegabytes);
    this.#upkeepAt = 0;
  }

  /**
   * Closes the file, if all that is kept is in it: the thread may end. A later question or batch opens it again.
   *
   * @param leave is asked before
   * @returns for the next keeper; undefined: the thread must go on
   */
  async rest<T>(leave: (store: Store) => T): Promise<{ keeper: KeeperState; left: T } | undefined> {
    const { stateDir } = this.#settings;
    if (this.#open?.written !== 'disk' || stateDir === undefined || this.#isFailing) return undefined;
    const left = leave(this.#open.store);
    this.close();
    const content = await contentStampOf(historyFile(stateDir));
    return { keeper: { clock: this.#clock.state, upkeepAt: this.#upkeepAt, content }, left };
  }

  close(): void {
    this.#open?.store.close();
    this.#open = undefined;
    this.#missed = [];
    this.#reopenAt = 0;
  }

  #keepUp(store: Store, mostBytes: number): void {
    store.shrink(mostBytes);
    const now = this.#clock.look();
    if (this.#uptime() < this.#upkeepAt) return;
    const isUnfinished = store.upkeep({ days: this.#settings.days, mostBytes, now });
    this.#upkeepAt = isUnfinished ? 0 : this.#uptime() + UPKEEP_MS;
  }

  async #opened(): Promise<Open> {
    const { stateDir, isStopgap } = this.#settings;
    if (stateDir !== undefined) {
      const path = historyFile(stateDir);
      // somebody moved or removed it: what is written there is lost
      if (this.#open?.written === 'disk' && this.#open.stamp !== (await stampOf(path))) this.close();
      if (this.#open?.written !== 'disk' && this.#uptime() >= this.#reopenAt) await this.#tryFile(path);
    }
    this.#open ??= {
      store: new Store(openDatabase(':memory:')),
      written: stateDir === undefined && !isStopgap ? 'memory' : 'stopgap',
      mostBytes: MOST_MEMORY_BYTES,
    };
    return this.#open;
  }

  async #tryFile(path: string): Promise<void> {
    this.#reopenAt = this.#uptime() + REOPEN_MS;
    try {
      const opened = await this.#openOrReplace(path);
      this.#moveIn(opened);
      if (this.#outage.end()) this.#say('info', `${path} can be used again`);
    } catch (error) {
      const why = whyNot(error);
      if (this.#outage.begin(why))
        this.#say('error', `${path} ${why}; the history is kept in memory, and is lost when the agent stops`);
    }
  }

  /** What was kept in memory meanwhile goes into the file. */
  #moveIn(opened: Open): void {
    const former = this.#open?.store;
    try {
      if (former !== undefined) opened.store.takeOver(former, this.#missed);
    } catch (error) {
      opened.store.close();
      throw error;
    }
    this.#open = opened;
    this.#missed = [];
    former?.close();
  }

  async #openOrReplace(path: string): Promise<Open> {
    try {
      return await this.#openOnce(path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return await this.#replace(path, error instanceof UnfitFileError ? error.message : 'is damaged');
    }
  }

  async #openOnce(path: string): Promise<Open> {
    await prepareFile(path);
    const mostBytes = mostFileBytes(this.#settings.maxMegabytes);
    const content = await contentStampOf(path);
    const isWhole = content !== undefined && content === this.#wholeContent;
    this.#wholeContent = undefined;
    const store = storeIn(openDatabase(path, { isWhole }));
    try {
      await takeOverJson(path, store, (problem) => this.#say('error', problem));
    } catch (error) {
      store.close();
      throw error;
    }
    return { store, written: 'disk', mostBytes, stamp: await stampOf(path) };
  }

  /** A new file, with what can be read of the damaged one. */
  async #replace(path: string, what: string): Promise<Open> {
    const { problem, movedTo } = await setDamagedAside(path, what);
    if (movedTo === undefined) throw new Error(problem.replace(`${path} `, ''));
    const opened = await this.#openOnce(path);
    let events = 0;
    for (const part of salvage(movedTo)) {
      opened.store.restore(part);
      opened.store.shrink(opened.mostBytes);
      events += part.rows.length;
    }
    this.#say('error', `${problem}; ${events} events could be read from it`);
    return opened;
  }

  /** @returns whether the error means that the file is damaged, and another has taken its place */
  async #isReplaced(error: unknown): Promise<boolean> {
    if (!isDamage(error) || this.#open?.written !== 'disk' || this.#settings.stateDir === undefined)
      return false;
    this.close();
    const path = historyFile(this.#settings.stateDir);
    try {
      this.#open = await this.#replace(
        path,
        `is damaged (${error instanceof Error ? error.message : error})`,
      );
      return true;
    } catch (failed) {
      const why = whyNot(failed);
      if (this.#outage.begin(why)) this.#say('error', `${path} ${why}; the history is kept in memory`);
      this.#reopenAt = this.#uptime() + REOPEN_MS;
      return false;
    }
  }
}

/** A database that cannot be used must not stay open: it would be locked for us too. */
function storeIn(database: DatabaseSync): Store {
  try {
    return new Store(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function whyNot(error: unknown): string {
  if (error instanceof UnfitFileError) return error.message;
  return `cannot be used (${sqliteReason(error) ?? systemReason(error)})`;
}
