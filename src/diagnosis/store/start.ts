/** Starts the history with the questions of the findings. */
import { isBuilt } from '../../base/version.ts';
import type { FindingsQuestions } from '../questions.ts';
import { HistoryThread, type HistoryThreadOptions } from './thread.ts';

const WORKER = new URL(isBuilt ? './history-worker.cjs' : './history-worker.ts', import.meta.url);

export const startHistory = (options: Omit<HistoryThreadOptions, 'file'>): HistoryThread<FindingsQuestions> =>
  new HistoryThread({ file: WORKER, ...options });
