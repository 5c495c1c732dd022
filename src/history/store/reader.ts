/** Reads the history while no agent runs. */
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import type { HistoryEvent } from '../events/event.ts';
import { openDatabase } from './database.ts';
import { historyFile, logOf } from './file.ts';
import type { EventQuery } from './history.ts';
import { Store } from './store.ts';

/**
 * Reads a copy: SQLite must write to read the log of an agent that was killed, and nothing in the state directory is to
 * change.
 *
 * @returns newest first; undefined if there is no history, or it is no file
 * @throws {UnfitFileError} it is damaged, or a newer hostnode wrote it
 * @throws {Error} SQLite's or the file system's
 */
export async function readEvents(stateDir: string, query: EventQuery): Promise<HistoryEvent[] | undefined> {
  const path = historyFile(stateDir);
  if (!(await isFile(path))) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-history-'));
  try {
    const copy = historyFile(folder);
    await copyFile(path, copy);
    if (await isFile(logOf(path))) await copyFile(logOf(path), logOf(copy));
    const store = new Store(openDatabase(copy));
    const events = store.events(query);
    store.close();
    return events;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Who opens a pipe waits for ever. */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false;
    throw error;
  }
}
