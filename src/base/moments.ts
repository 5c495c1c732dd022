/** Things that happened, in the order of time. `at`: ms since the epoch. */

interface At {
  at: number;
}

/** Compares, for `sort`: the oldest first. */
export const byTime = (one: At, other: At): number => one.at - other.at;

/** Those that follow each other so soon are together. @param sorted oldest first */
export function runsOf<T extends At>(sorted: readonly T[], gapMs: number): [T, ...T[]][] {
  const runs: [T, ...T[]][] = [];
  for (const [index, each] of sorted.entries())
    if (each.at - (sorted[index - 1]?.at ?? Number.NEGATIVE_INFINITY) <= gapMs) runs.at(-1)?.push(each);
    else runs.push([each]);
  return runs;
}

/** Each at least so long after the last one of these. @param sorted oldest first */
export function spaced<T extends At>(sorted: readonly T[], gapMs: number): T[] {
  const found: T[] = [];
  for (const each of sorted)
    if (each.at - (found.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= gapMs) found.push(each);
  return found;
}

/** Are there so many of them within this time? @param sorted oldest first */
export const areDense = (
  sorted: readonly At[],
  { least, withinMs }: { least: number; withinMs: number },
): boolean =>
  sorted.some(
    ({ at }, index) => (sorted[index + least - 1]?.at ?? Number.POSITIVE_INFINITY) - at <= withinMs,
  );
