/** A phone that will soon have no storage left. */
import { DAY_MS, HOUR_MS } from '../../base/calendar.ts';
import { slope } from '../../base/statistics.ts';
import { quantity } from '../../base/words.ts';
import type { HistorySample } from '../../history/events/event.ts';
import { eachPhone } from '../context.ts';
import { FREE_STORAGE } from '../remedies.ts';
import type { Rule, RuleContext } from '../rule.ts';

/** At this fill level a phone stops installing and updating apps. */
export const FULL_RATIO = 0.95;

/** The trend of so many days, at least so many known. */
const DAYS = { looked: 7, known: 4 };
/** Of a day that counts, readings cover so much: else it is not known how low it has come. */
const COVERED_MS = 12 * HOUR_MS;
/** Said so many days before. */
const AHEAD_DAYS = 7;
/** Less a day is no trend, part of the whole. */
const LEAST_RISE = 0.002;

/** One day, counted back from now: 0 is today. `bytes`: the least that was used; tests fill up and are cleaned. */
interface Floor {
  daysAgo: number;
  bytes: number;
  at: number;
}

export const storageFilling: Rule = {
  code: 'STORAGE_FILLING',
  severity: 'minor',
  sign: 'storage filling',
  plural: 'will soon have no storage left',
  explains: ['storage'],
  evaluate: eachPhone(({ udid, storage: { usedBytes, totalBytes } = { totalBytes: 0 } }, context) => {
    const { now, samplesOf } = context;
    // what is full already is a present problem
    if (usedBytes === undefined || usedBytes >= totalBytes * FULL_RATIO) return undefined;
    if (!seemsToFill(udid, { usedBytes, totalBytes }, context)) return undefined;
    const floors = floorsOf(samplesOf(udid, now.at - DAYS.looked * DAY_MS), now.at);
    const perDay = trendOf(floors);
    const last = floors.at(-1);
    if (perDay === undefined || last === undefined || perDay < totalBytes * LEAST_RISE) return undefined;
    const days = (totalBytes * FULL_RATIO - last.bytes) / perDay;
    if (days > AHEAD_DAYS) return undefined;
    const left = quantity(Math.max(1, Math.round(days)), 'day');
    return {
      certainty: 'likely',
      title: (name) =>
        `The storage of ${name} will be full in about ${left}: it grows by ${gigabytes(perDay)} a day`,
      remedy: FREE_STORAGE,
      since: floors[0]?.at ?? now.at,
    };
  }),
};

/**
 * Has it grown fast enough since this hour of some days ago? So all readings of a week are read of few phones only. Half
 * of what it takes is enough here: one hour says little.
 */
function seemsToFill(
  udid: string,
  { usedBytes, totalBytes }: { usedBytes: number; totalBytes: number },
  { now, samplesOf }: RuleContext,
): boolean {
  return [5, 4, 3].some((days) => {
    const then = now.at - days * DAY_MS;
    const samples = samplesOf(udid, then - HOUR_MS, { until: then + HOUR_MS });
    const least = Math.min(...samples.map(({ storageUsedBytes = usedBytes }) => storageUsedBytes));
    const perDay = (usedBytes - least) / days;
    return samples.length > 0 && perDay * 2 * AHEAD_DAYS >= totalBytes * FULL_RATIO - usedBytes;
  });
}

/** Oldest first. */
function floorsOf(samples: readonly HistorySample[], now: number): Floor[] {
  const days = Map.groupBy(samples, ({ at }) => Math.floor((now - at) / DAY_MS));
  const floors: Floor[] = [];
  for (let daysAgo = DAYS.looked - 1; daysAgo >= 0; daysAgo -= 1) {
    const known = (days.get(daysAgo) ?? []).filter(({ storageUsedBytes }) => storageUsedBytes !== undefined);
    const [first, last] = [known[0]?.at ?? 0, known.at(-1)?.at ?? 0];
    if (last - first < COVERED_MS) continue;
    const bytes = Math.min(...known.map(({ storageUsedBytes = 0 }) => storageUsedBytes));
    floors.push({ daysAgo, bytes, at: first });
  }
  return floors;
}

/** Bytes a day, of all days or of the last ones, whichever is less; undefined where too little is known. */
function trendOf(floors: readonly Floor[]): number | undefined {
  if (floors.length < DAYS.known || (floors.at(-1)?.daysAgo ?? 9) > 1) return undefined;
  const points = floors.map(({ daysAgo, bytes }) => ({ x: -daysAgo, y: bytes }));
  return Math.min(slope(points) ?? 0, slope(points.slice(-3)) ?? 0);
}

const gigabytes = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`;
