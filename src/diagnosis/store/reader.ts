/** Reads the history while no agent runs. Makes and changes nothing in the state directory. */
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { openDatabase, openReadOnly } from './database.ts';
import { historyFile, logOf } from './file.ts';
import { Store } from './store.ts';

/** Reads the store; it cannot be written. */
export class HistoryReader implements AsyncDisposable {
  readonly store: Pick<Store, 'events' | 'samples' | 'uptime' | 'lastStates'>;
  readonly #end: () => Promise<void>;

  private constructor(store: Store, end: () => Promise<void>) {
    this.store = store;
    this.#end = end;
  }

  /**
   * @returns undefined if there is no history, or it is no file
   * @throws {UnfitFileError} it is damaged, or a newer hostnode wrote it
   * @throws {Error} SQLite's or the file system's
   */
  static async open(stateDir: string): Promise<HistoryReader | undefined> {
    const path = historyFile(stateDir);
    if ((await sizeOf(path)) === undefined) return undefined;
    if (!(await sizeOf(logOf(path)))) {
      const store = new Store(openReadOnly(path));
      return new HistoryReader(store, async () => store.close());
    }
    // the agent was killed: SQLite must write to read its log
    const folder = await mkdtemp(join(tmpdir(), 'hostnode-history-'));
    const end = () => rm(folder, { recursive: true, force: true });
    try {
      const copy = historyFile(folder);
      await copyFile(path, copy);
      await copyFile(logOf(path), logOf(copy));
      const store = new Store(openDatabase(copy));
      return new HistoryReader(store, async () => {
        store.close();
        await end();
      });
    } catch (error) {
      await end();
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() ? stats.size : undefined; // who opens a pipe waits for ever
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}
