/** Has the store open: in the state directory, or in memory while that cannot be used. */
import { OutageLog } from '../../base/outage-log.ts';
import { systemReason } from '../../host/state-errors.ts';
import { isDamage, openDatabase, sqliteReason, UnfitFileError } from './database.ts';
import { historyFile, logOf, prepareFile, removeDamaged, setDamagedAside, stampOf } from './file.ts';
import type { Batch, Change, HistorySettings, Upkeep } from './history.ts';
import { mostFileBytes } from './retention.ts';
import { isRewrite, Store } from './store.ts';

/** How long until a file that cannot be used is opened again, ms. */
const REOPEN_MS = 10_000;
/** What the history may take while it is in memory. */
const MOST_MEMORY_BYTES = 8 * 1024 ** 2;
/** Phones that were forgotten or got another udid while the history is in memory. */
const MOST_MISSED = 10_000;

/** SQLite's header: sqlite.org/fileformat.html. */
const LEAST_BYTES = 100;

interface Open {
  store: Store;
  /** Else in memory. */
  isFile: boolean;
  /** Of the file, and of SQLite's log. */
  stamp?: string;
}

export interface StoreOpenerOptions {
  say(level: 'info' | 'error', message: string): void;
  /** The file was found to be whole by this process, which closed it. */
  isWhole?: boolean;
  /** ms; nobody can set it. */
  uptime?(): number;
}

export class StoreOpener {
  #settings: HistorySettings;
  readonly #say: StoreOpenerOptions['say'];
  readonly #uptime: () => number;
  readonly #outage = new OutageLog();
  #open: Open | undefined;
  /** Of the file, while the history is in memory. */
  #missed: Change[] = [];
  #reopenAt = 0;
  #isWhole: boolean;
  /** What is wrong with the file that was open: it is set aside before it is opened again. */
  #damage: string | undefined;
  /** The last batch could not be written. */
  #isFailing = false;

  constructor(settings: HistorySettings, options: StoreOpenerOptions) {
    const { say, isWhole = false, uptime = () => performance.now() } = options;
    this.#settings = settings;
    this.#say = say;
    this.#uptime = uptime;
    this.#isWhole = isWhole;
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
      if (!this.#isDamaged(error)) throw error;
      return question((await this.#opened()).store);
    }
  }

  /**
   * @returns whether it is kept: in the file, or in memory where no file is wanted
   * @throws {Error} SQLite's: nothing of the batch is written, and it may be tried again
   */
  async write(batch: Batch, upkeep?: Upkeep): Promise<boolean> {
    const { store, isFile } = await this.#opened();
    const { stateDir, isStopgap, days, maxMegabytes } = this.#settings;
    const mostBytes = isFile ? mostFileBytes(maxMegabytes) : MOST_MEMORY_BYTES;
    this.#isFailing = true;
    try {
      store.write(batch);
    } catch (error) {
      this.#isDamaged(error);
      throw error;
    }
    this.#isFailing = false;
    await this.#eraseElsewhere(batch, isFile);
    try {
      store.shrink(mostBytes);
      if (upkeep !== undefined) store.upkeep({ days, mostBytes, ...upkeep });
    } catch (error) {
      this.#isDamaged(error); // else the next one does it
    }
    return isFile || (stateDir === undefined && !isStopgap);
  }

  /** What is to be erased is also in a file that cannot be used now, and in one that was set aside. */
  async #eraseElsewhere({ changes }: Batch, isFile: boolean): Promise<void> {
    const { stateDir } = this.#settings;
    if (!isFile) {
      const rewrites = changes.filter(isRewrite);
      this.#missed = [...this.#missed, ...rewrites].slice(-MOST_MISSED);
    } else if (stateDir !== undefined && changes.some(({ kind }) => kind === 'forget'))
      await removeDamaged(historyFile(stateDir));
  }

  /** Closes a file that is damaged: another takes its place when the history is needed next. */
  #isDamaged(error: unknown): boolean {
    if (!isDamage(error) || !this.#open?.isFile) return false;
    this.close();
    this.#damage = `is damaged (${error instanceof Error ? error.message : error})`;
    return true;
  }

  use(settings: HistorySettings): void {
    if (settings.stateDir !== this.#settings.stateDir) {
      if (this.#open?.isFile) this.close(); // what is in memory moves into the file
      this.#reopenAt = 0;
      this.#isWhole = false;
      this.#damage = undefined;
    }
    this.#settings = settings;
  }

  /** Closes the file until the next question or batch. @returns false where its memory is the only copy, or a batch failed */
  rest(): boolean {
    if (!this.#open?.isFile || this.#isFailing) return false;
    this.close();
    this.#isWhole = true;
    return true;
  }

  close(): void {
    this.#open?.store.close();
    this.#open = undefined;
    this.#missed = [];
    this.#reopenAt = 0;
  }

  async #opened(): Promise<Open> {
    const { stateDir } = this.#settings;
    if (stateDir !== undefined) {
      const path = historyFile(stateDir);
      // somebody moved or removed it, or SQLite's log: what is written there is lost
      if (this.#open?.isFile && this.#open.stamp !== (await stampsOf(path))) this.close();
      if (!this.#open?.isFile && this.#uptime() >= this.#reopenAt) await this.#tryFile(path);
    }
    this.#open ??= { store: new Store(openDatabase(':memory:')), isFile: false };
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
    let damage = this.#damage;
    this.#damage = undefined;
    if (damage === undefined)
      try {
        return await this.#openOnce(path);
      } catch (error) {
        if (!isDamage(error)) throw error;
        damage = error instanceof UnfitFileError ? error.message : 'is damaged';
      }
    // it stays for who wants to look into it
    const { problem, movedTo } = await setDamagedAside(path, damage);
    if (movedTo === undefined) throw new Error(problem.replace(`${path} `, ''));
    const opened = await this.#openOnce(path);
    this.#say('error', `${problem}; a new history begins`);
    return opened;
  }

  async #openOnce(path: string): Promise<Open> {
    const bytes = await prepareFile(path);
    const isWhole = this.#isWhole;
    this.#isWhole = false;
    const store = new Store(openDatabase(path, { isWhole }));
    // SQLite takes such a file for a new one, whatever was in it before
    if (bytes !== undefined && bytes < LEAST_BYTES)
      this.#say('error', `${path} was cut off (it had ${bytes} bytes); a new history begins`);
    return { store, isFile: true, stamp: await stampsOf(path) };
  }
}

/** Of the file and of SQLite's log beside it. */
const stampsOf = async (path: string): Promise<string> =>
  `${await stampOf(path)}, ${await stampOf(logOf(path))}`;

function whyNot(error: unknown): string {
  if (error instanceof UnfitFileError) return error.message;
  return `cannot be used (${sqliteReason(error) ?? systemReason(error)})`;
}
