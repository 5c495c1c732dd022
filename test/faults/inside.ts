/**
 * Loaded into the agent before its program, for a soak: at SIGUSR2 it writes down what the process holds once nothing
 * is kept that nobody needs (`node --expose-gc`), into the file that `$HELD` names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { queryObjects } from 'node:v8';

/** What a process holds, from inside. */
export interface Held {
  heapBytes: number;
  /** Sockets, servers, timers, requests to the system that are under way. */
  resources: number;
  /** Of the process itself: for signals, for its end. */
  listeners: number;
  /** Socket objects, open or not. */
  sockets: number;
  abortSignals: number;
}

function held(): Held {
  globalThis.gc?.();
  return {
    sockets: queryObjects(Socket, { format: 'count' }),
    abortSignals: queryObjects(AbortSignal, { format: 'count' }),
    heapBytes: process.memoryUsage().heapUsed,
    resources: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

const { HELD: file = '' } = process.env;
process.on('SIGUSR2', () => {
  writeFileSync(`${file}.draft`, JSON.stringify(held()));
  renameSync(`${file}.draft`, file);
});
