/** All test files of a worker share their modules and globals: each file leaves the clocks, the timers and the environment as it found them. */
import { afterAll, expect } from 'vitest';

const globals = () => ({
  Date,
  setTimeout,
  setInterval,
  clearTimeout,
  now: performance.now,
  dateNow: Date.now,
  random: Math.random,
  parse: JSON.parse,
  env: { ...process.env },
});
const before = globals();
/** Only in this one does a time zone count. */
const environment = process.env;

afterAll(() => {
  expect(globals(), 'what this file has changed and not restored').toEqual(before);
  expect(process.env === environment, 'process.env is another object').toBe(true);
});
