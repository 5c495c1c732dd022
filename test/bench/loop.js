/**
 * Loaded before the program: says at its end for how long its event loop was held at most, ms: until SIGUSR2, and from
 * then on.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Belongs to each reading. */
const RESOLUTION_MS = 1;

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const longestMs = () => Math.max(0, delay.max / 1e6 - RESOLUTION_MS);

let startMs = 0;
process.on('SIGUSR2', () => {
  startMs = longestMs();
  delay.reset();
});
process.on('exit', () => {
  writeFileSync(process.env.BENCH_LOOP_FILE, JSON.stringify({ startMs, steadyMs: longestMs() }));
});
