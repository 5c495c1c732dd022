/**
 * Loaded before the program: says at its end for how long its event loop was held at most, ms: until SIGUSR2, and from
 * then on. What the machine gave to others meanwhile, while the program was ready to run, is said beside it and does not
 * count: the second figure of the kernel's schedstat (Documentation/scheduler/sched-stats.rst), of the main thread.
 */
import { openSync, readSync, writeFileSync } from 'node:fs';

/** Belongs to each reading. */
const EVERY_MS = 1;

const text = Buffer.alloc(100);
const file = openSync('/proc/self/schedstat', 'r');
/** For how long this thread has been ready and did not run, since its start, ms. */
const waitedMs = () =>
  Number(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ')[1]) / 1e6;

const longest = { ownMs: 0, wallMs: 0 };
let last = { at: performance.now(), waitedMs: waitedMs() };
setInterval(() => {
  const now = { at: performance.now(), waitedMs: waitedMs() };
  const wallMs = Math.max(0, now.at - last.at - EVERY_MS);
  longest.wallMs = Math.max(longest.wallMs, wallMs);
  longest.ownMs = Math.max(longest.ownMs, wallMs - (now.waitedMs - last.waitedMs));
  last = now;
}, EVERY_MS).unref();

let start = { ...longest };
process.on('SIGUSR2', () => {
  start = { ...longest };
  Object.assign(longest, { ownMs: 0, wallMs: 0 });
});
process.on('exit', () => {
  writeFileSync(process.env.BENCH_LOOP_FILE, JSON.stringify({ start, steady: longest }));
});
