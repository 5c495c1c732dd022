/** The thread that reads uploaded files: one that never ends, or takes all memory, costs only this thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { readApk } from './apk.ts';

parentPort?.postMessage(await readApk(workerData));
