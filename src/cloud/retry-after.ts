/** The longest delay that we accept, ms; a longer one is the server's mistake. */
const LONGEST_MS = 3_600_000;

/** An HTTP date as ms since the epoch; NaN for any other text. */
export const parseHttpDate = (text: string): number =>
  /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3): whole seconds, or a date.
 *
 * @param nowMs ms since the epoch, by the clock of the date
 * @returns the delay in ms, 0 to one hour; undefined for no header or an invalid one
 */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_MS);
}
