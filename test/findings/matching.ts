/** Readings as the history would give them. */
import type { HistorySample, SampleFilter } from '../../src/history/events/event.ts';

/** Those since a moment for which the filter holds. */
export const matching = (
  samples: readonly HistorySample[] = [],
  since: number,
  { until = Number.POSITIVE_INFINITY, isFull, leastDecicelsius }: SampleFilter = {},
): HistorySample[] =>
  samples.filter(
    (sample) =>
      sample.at >= since &&
      sample.at <= until &&
      (isFull === undefined || sample.isFull === true) &&
      (leastDecicelsius === undefined || (sample.temperatureDecicelsius ?? -9999) >= leastDecicelsius),
  );
