import { join } from 'node:path';
import { type JsonFile, type ReadOptions, readJsonFile, writeJsonFile } from '../host/json-file.ts';
import { HistoryRecord } from './history.ts';

export const historyPath = (stateDir: string): string => join(stateDir, 'history.json');

/** Never throws. */
export const readHistory = (stateDir: string, options?: ReadOptions): Promise<JsonFile<HistoryRecord>> =>
  readJsonFile(historyPath(stateDir), HistoryRecord, 1, options);

/** @throws {StateUnwritableError} */
export const writeHistory = (stateDir: string, record: HistoryRecord): Promise<void> =>
  writeJsonFile(historyPath(stateDir), record);
