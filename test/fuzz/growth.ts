/**
 * Does the work grow faster than the input? A piece is repeated to a length where the square of it is minutes, and
 * the CPU time of the thread is compared with that of a quarter of the length. Only work that is long and grows by more
 * than twice the length does is said, so that a busy machine says nothing.
 */
import { spelt, type Text } from './texts.ts';

/** Characters. */
const FULL = 64 * 1024;
const QUARTER = FULL / 4;
/** What grows with the input alone needs a few ms for a full one, µs. */
const LONG_US = 150_000;
/** A quarter of the input takes a quarter of the time; the square of it a sixteenth. */
const MOST_TIMES = 8;
const REPEATS = 3;

/**
 * Does it once with a full input, and more often where that took long.
 *
 * @param measure does the work and says what it took
 * @throws what the work throws
 */
export function checkGrowth(
  texts: readonly Text[],
  work: (texts: string[]) => unknown,
  measure: (work: () => unknown) => number = microseconds,
): void {
  const at = (length: number) => {
    const given = texts.map((text) => spelt(text, length));
    return () => measure(() => work(given));
  };
  const [full, quarter] = [at(FULL), at(QUARTER)];
  if (full() < LONG_US) return;
  const least = (once: () => number) => Math.min(...Array.from({ length: REPEATS }, once));
  const [long, short] = [least(full), least(quarter)];
  if (long < LONG_US || long < MOST_TIMES * short) return;
  throw new Error(
    `the work grows faster than the input: ${short} µs for ${QUARTER} characters, ${long} µs for ${FULL}`,
  );
}

function microseconds(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
