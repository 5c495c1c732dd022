import { join } from 'node:path';
import { type JsonFile, readJsonFile, writeJsonFile } from '../state/json-file.ts';
import { HistoryRecord } from './history.ts';

const NAME = 'history.json';

/** Never throws. */
export const readHistory = (stateDir: string): Promise<JsonFile<HistoryRecord>> =>
  readJsonFile(join(stateDir, NAME), HistoryRecord, 1);

/** @throws {StateUnwritableError} */
export const writeHistory = (stateDir: string, record: HistoryRecord): Promise<void> =>
  writeJsonFile(join(stateDir, NAME), record);
