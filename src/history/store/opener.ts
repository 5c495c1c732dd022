/** Has the store open: in the state directory, or in memory while that cannot be used. */
import { OutageLog } from '../../base/outage-log.ts';
import { inodeOf } from '../../host/folder.ts';
import { systemReason } from '../../host/state-errors.ts';
import { isDamage, openDatabase, sqliteReason, UnfitFileError } from './database.ts';
import { historyFile, logOf, prepareFile, removeDamaged, setDamagedAside } from './file.ts';
import type { Change, HistorySettings, Sent } from './history.ts';
import { mostFileBytes } from './retention.ts';
import { isRewrite, Store } from './store.ts';

/** How long until a file that cannot be used is opened again, ms. */
const REOPEN_MS = 10_000;
/** What the history may take while it is in memory. */
const MOST_MEMORY_BYTES = 8 * 1024 ** 2;
/** Phones that were forgotten or got another udid while the history is in memory. */
const MOST_MISSED = 10_000;

interface Open {
  store: Store;
  /** Or in memory. */
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
  readonly #fullFile = new OutageLog();
  #open: Open | undefined;
  /** Of the file, while the history is in memory. */
  #missed: Change[] = [];
  #reopenAt = 0;
  #isWhole: boolean;

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
      if (!(await this.#hasReplaced(error))) throw error;
      return question((await this.#opened()).store);
    }
  }

  /**
   * @param now ms since the epoch; absent: nothing is erased by its age
   * @param sent absent: nothing of it was written before
   * @returns whether it is kept: in the file, or in memory where no file is wanted
   * @throws {Error} SQLite's: nothing is written, and it may be tried again
   */
  async write(changes: readonly Change[], now?: number, sent?: Sent): Promise<boolean> {
    const { store, isFile } = await this.#opened();
    const { stateDir, isStopgap, days, maxMegabytes } = this.#settings;
    let isSafe: boolean;
    try {
      isSafe = store.write(changes, sent);
      if (isDamage(store.logProblem)) throw store.logProblem;
    } catch (error) {
      await this.#hasReplaced(error);
      throw error;
    }
    if (isFile) this.#tellLog(store.logProblem);
    // what is to be erased is also in a file that cannot be used now, and in one that was set aside
    if (!isFile) this.#missed = [...this.#missed, ...changes.filter(isRewrite)].slice(-MOST_MISSED);
    else if (stateDir !== undefined && changes.some(({ kind }) => kind === 'forget'))
      await removeDamaged(historyFile(stateDir));
    try {
      store.keepWithin({ days, mostBytes: isFile ? mostFileBytes(maxMegabytes) : MOST_MEMORY_BYTES, now });
    } catch (error) {
      await this.#hasReplaced(error); // else the next batch has it done
    }
    return isFile ? isSafe : stateDir === undefined && !isStopgap;
  }

  #tellLog(problem: unknown): void {
    if (problem === undefined) {
      if (this.#fullFile.end()) this.#say('info', 'the file of the history takes again what is written');
    } else if (this.#fullFile.begin(String(problem)))
      this.#say(
        'error',
        `what is new of the history is in the log beside its file only: ${sqliteReason(problem)}`,
      );
  }

  /** Where the error means that the file is damaged, another takes its place. */
  async #hasReplaced(error: unknown): Promise<boolean> {
    const { stateDir } = this.#settings;
    if (!isDamage(error) || !this.#open?.isFile || stateDir === undefined) return false;
    this.close();
    await this.#tryFile(historyFile(stateDir), `is damaged (${(error as Error).message})`);
    return true;
  }

  use(settings: HistorySettings): void {
    if (settings.stateDir !== this.#settings.stateDir) {
      if (this.#open?.isFile) this.close(); // what is in memory moves into the file
      this.#reopenAt = 0;
      this.#isWhole = false;
    }
    this.#settings = settings;
  }

  /** Closes the file until the next question or change. @returns false where its memory is the only copy */
  rest(): boolean {
    if (!this.#open?.isFile) return false;
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
      if (this.#open?.isFile && this.#open.stamp !== (await stampOf(path))) this.close();
      if (!this.#open?.isFile && this.#uptime() >= this.#reopenAt) await this.#tryFile(path);
    }
    this.#open ??= { store: new Store(openDatabase(':memory:')), isFile: false };
    return this.#open;
  }

  /** What was kept in memory meanwhile goes into the file. @param damage what is known to be wrong with that */
  async #tryFile(path: string, damage?: string): Promise<void> {
    this.#reopenAt = this.#uptime() + REOPEN_MS;
    const memory = this.#open?.store;
    try {
      const store = await this.#openOrReplace(path, damage);
      try {
        if (memory !== undefined) store.takeOver(memory, this.#missed);
      } catch (error) {
        store.close();
        throw error;
      }
      this.#open = { store, isFile: true, stamp: await stampOf(path) };
      this.#missed = [];
      memory?.close();
      if (this.#outage.end()) this.#say('info', `${path} can be used again`);
    } catch (error) {
      const why = whyNot(error);
      if (this.#outage.begin(why))
        this.#say('error', `${path} ${why}; the history is kept in memory, and is lost when the agent stops`);
    }
  }

  async #openOrReplace(path: string, known?: string): Promise<Store> {
    const opening = known === undefined ? await this.#openOnce(path).catch(damageIn) : known;
    if (typeof opening !== 'string') return opening;
    // it stays for who wants to look into it
    const { problem, movedTo } = await setDamagedAside(path, opening);
    if (movedTo === undefined) throw new Error(problem.replace(`${path} `, ''));
    const opened = await this.#openOnce(path);
    this.#say('error', `${problem}; a new history begins`);
    return opened;
  }

  async #openOnce(path: string): Promise<Store> {
    await prepareFile(path);
    const isWhole = this.#isWhole;
    this.#isWhole = false;
    return new Store(openDatabase(path, { isWhole }));
  }
}

/** @throws {Error} the same where it means no damage */
function damageIn(error: unknown): string {
  if (!isDamage(error)) throw error;
  return error instanceof UnfitFileError ? error.message : 'is damaged';
}

const stampOf = async (path: string): Promise<string> =>
  `${await inodeOf(path)}, ${await inodeOf(logOf(path))}`;

function whyNot(error: unknown): string {
  if (error instanceof UnfitFileError) return error.message;
  return `cannot be used (${sqliteReason(error) ?? systemReason(error)})`;
}
