/** Loaded before the program: says at its end for how long its event loop was held at most, ms, its start left out. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Belongs to each reading. */
const RESOLUTION_MS = 1;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

// it has started when it opens its first connection
const reset = () => {
  unsubscribe('net.client.socket', reset);
  setImmediate(() => delay.reset());
};
subscribe('net.client.socket', reset);

process.on('exit', () => {
  writeFileSync(process.env.BENCH_LOOP_FILE, String(Math.max(0, delay.max / 1e6 - RESOLUTION_MS)));
});
