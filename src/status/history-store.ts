/** Keeps the history across restarts, in `history.json` of the state directory. */
import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import { withDiskTimeout } from '../host/disk-timeout.ts';
import { type JsonFile, type ReadOptions, readJsonFile, writeJsonFile } from '../host/json-file.ts';
import type { Unread } from '../host/unread.ts';
import { HistoryRecord } from './history.ts';

export const historyPath = (stateDir: string): string => join(stateDir, 'history.json');

/** Never throws. */
export const readHistory = (stateDir: string, options?: ReadOptions): Promise<JsonFile<HistoryRecord>> =>
  readJsonFile(historyPath(stateDir), HistoryRecord, 1, options);

/** @throws {StateUnwritableError} */
export const writeHistory = (stateDir: string, record: HistoryRecord): Promise<void> =>
  writeJsonFile(historyPath(stateDir), record);

export interface HistoryKeeperOptions {
  /** Holds the history. */
  statusModel: { readonly record: HistoryRecord; join(earlier: HistoryRecord): void };
  /** The file, if it could not be read at the start. */
  unread?: Unread<HistoryRecord>;
  log: Logger;
}

export class HistoryKeeper {
  readonly #options: HistoryKeeperOptions;
  #writing: Promise<void> | undefined;

  constructor(options: HistoryKeeperOptions) {
    this.#options = options;
  }

  /**
   * Writes the history for the next run. Never throws, and waits at most `DISK_TIMEOUT_MS` for a disk that hangs. The
   * roster already logs a failing disk, so this does not.
   */
  async keep(stateDir: string): Promise<void> {
    const { statusModel, log } = this.#options;
    if (!(await this.mayWrite())) return;
    this.#writing ??= writeHistory(stateDir, statusModel.record)
      .catch((error) => log.debug({ err: error }, 'cannot write the history'))
      .finally(() => {
        this.#writing = undefined;
      });
    await withDiskTimeout(this.#writing);
  }

  /** Reads an unreadable history again; it must not be overwritten until then. Never throws. */
  async mayWrite(): Promise<boolean> {
    const { statusModel, unread } = this.#options;
    return unread?.tryAgain((earlier) => statusModel.join(earlier)) ?? true;
  }
}
