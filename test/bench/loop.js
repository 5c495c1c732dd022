/**
 * Loaded before the program: says at its end for how long its event loop was held at most, ms: until SIGUSR2, and in each
 * half minute from then on. What counts is the processor time of the main thread. Wall time, which is said beside it, also
 * has what the machine gave to others: while this thread was ready to run, slept (its timer came late), or waited for a
 * thread that collects garbage with it.
 */
import { writeFileSync } from 'node:fs';

/** Belongs to each reading. */
const EVERY_MS = 1;
const WINDOW_MS = 30_000;

const windows = [];
let from = Number.NEGATIVE_INFINITY;
const begin = () => {
  from = performance.now();
  windows.push({ ownMs: 0, wallMs: 0 });
};
begin();
let isStart = true;
let last = { at: from, cpu: process.threadCpuUsage() };
setInterval(() => {
  const now = { at: performance.now(), cpu: process.threadCpuUsage() };
  if (!isStart && now.at - from >= WINDOW_MS) begin();
  const longest = windows.at(-1);
  const wallMs = Math.max(0, now.at - last.at - EVERY_MS);
  // the kernel counts in ticks of up to 4 ms
  const ownMs = Math.min(wallMs, (now.cpu.user - last.cpu.user + now.cpu.system - last.cpu.system) / 1000);
  longest.wallMs = Math.max(longest.wallMs, wallMs);
  longest.ownMs = Math.max(longest.ownMs, ownMs);
  last = now;
}, EVERY_MS).unref();

process.on('SIGUSR2', () => {
  isStart = false;
  begin();
});
process.on('exit', () => {
  const [start, ...steady] = windows.slice(0, -1); // the last one has the end of the program
  writeFileSync(process.env.BENCH_LOOP_FILE, JSON.stringify({ start, steady }));
});
