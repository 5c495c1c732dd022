/** How fine the readings of a phone are kept: one sample of each five minutes for a week, then one of each hour. */

export const SAMPLE_MS = 5 * 60_000;
/** Older samples than this are thinned, ms. */
export const FINE_MS = 7 * 86_400_000;
export const OLD_SAMPLE_MS = 3_600_000;

/** The begin of the five minutes since the epoch in which a moment lies. */
export const bucketOf = (at: number): number => Math.floor(at / SAMPLE_MS) * SAMPLE_MS;
