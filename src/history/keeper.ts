/** Keeps the store open: in the state directory, or in memory while that cannot be used. */
import { join } from 'node:path';
import { OutageLog } from '../base/outage-log.ts';
import { setAside } from '../host/reading.ts';
import type { Batch } from './change.ts';
import { isDamage, openDatabase, resultCode, UnfitFileError } from './database.ts';
import { prepareFile, stampOf } from './file.ts';
import type { HistorySettings, Reply, Written } from './message.ts';
import { Store } from './store.ts';

export type Say = (level: Extract<Reply, { kind: 'said' }>['level'], message: string) => void;

/** How long until a file that cannot be used is opened again, ms. */
const REOPEN_MS = 60_000;

export const historyFile = (stateDir: string): string => join(stateDir, 'history.sqlite');

export class Keeper {
  #settings: HistorySettings;
  readonly #say: Say;
  readonly #outage = new OutageLog();
  #open: { store: Store; written: Written; stamp?: string | undefined } | undefined;
  #reopenAt = 0;

  constructor(settings: HistorySettings, say: Say) {
    this.#settings = settings;
    this.#say = say;
  }

  /** Never throws: without a usable file it is one in memory. */
  async store(): Promise<Store> {
    return (await this.#opened()).store;
  }

  /** @throws {Error} SQLite's: nothing of the batch is written, and it may be tried again */
  async write(batch: Batch): Promise<Written> {
    const { store, written } = await this.#opened();
    store.write(batch);
    return written;
  }

  async use(settings: HistorySettings): Promise<void> {
    const hasMoved = settings.stateDir !== this.#settings.stateDir;
    this.#settings = settings;
    if (hasMoved) this.close();
  }

  close(): void {
    this.#open?.store.close();
    this.#open = undefined;
    this.#reopenAt = 0;
  }

  async #opened() {
    const path = this.#settings.stateDir === undefined ? undefined : historyFile(this.#settings.stateDir);
    if (this.#open?.stamp !== undefined && path !== undefined && this.#open.stamp !== (await stampOf(path)))
      this.close(); // somebody moved or removed it
    const isDue =
      this.#open === undefined || (this.#open.written === 'memory' && performance.now() >= this.#reopenAt);
    if (path !== undefined && isDue) await this.#openFile(path);
    this.#open ??= { store: new Store(openDatabase(':memory:')), written: 'memory' };
    return this.#open;
  }

  async #openFile(path: string): Promise<void> {
    this.#reopenAt = performance.now() + REOPEN_MS;
    try {
      const opened = await this.#openOrReplace(path);
      const former = this.#open?.store;
      this.#open = opened;
      former?.close();
      if (this.#outage.end()) this.#say('info', `${path} can be written again`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (this.#outage.begin(why)) this.#say('error', `${path} ${why}; the history is kept in memory`);
    }
  }

  async #openOrReplace(path: string) {
    try {
      return await this.#openOnce(path);
    } catch (error) {
      if (!isDamage(error)) throw error;
      const what = error instanceof UnfitFileError ? error.message : 'is damaged';
      const aside = await setAside(path, 'damaged', what);
      this.#say('error', aside.problem);
      if (aside.mustStay) throw error;
      return await this.#openOnce(path);
    }
  }

  async #openOnce(path: string) {
    await prepareFile(path);
    const store = new Store(openDatabase(path));
    return { store, written: 'disk' as const, stamp: await stampOf(path) };
  }
}

export { resultCode };
