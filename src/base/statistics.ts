/** What is usual among numbers of which some are wrong. */

/** The middle one, or the mean of both; undefined for none. */
export function median(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/**
 * The slope of points by Theil and Sen: the median of the slopes of all pairs. A third of the points may be wrong. For
 * some dozens of points: its time grows with their square.
 *
 * @returns undefined for less than two points
 */
export function slope(points: readonly { x: number; y: number }[]): number | undefined {
  const slopes = points.flatMap((one, index) =>
    points
      .slice(index + 1)
      .flatMap((other) => (other.x === one.x ? [] : [(other.y - one.y) / (other.x - one.x)])),
  );
  return median(slopes);
}
