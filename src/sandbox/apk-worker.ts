/**
 * The thread that reads uploaded files: one that never ends, or takes all memory, costs only this thread. Bundled as
 * apk-worker.cjs.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { readApk } from './apk.ts';

// what it throws ends the thread
readApk(workerData).then((read) => parentPort?.postMessage(read));
