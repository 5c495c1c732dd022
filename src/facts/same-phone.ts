/**
 * Decides whether two connections lead to one phone. A serial number alone proves nothing: cheap phones share one, and
 * a network device can claim any. Nor does a boot id alone: the containers of one host share its boot id and uptime.
 */
import type { IdentityFacts } from './identity.ts';

export interface Signs {
  identity?: IdentityFacts;
  bootId?: string;
  /** When it booted, seconds; both sides of a comparison use the same clock. */
  startedAt?: number;
  /** The connection broke off since then: it may have rebooted. */
  isStale?: boolean;
}

/** `unknown`: no contradiction, but no proof. */
export type Sameness = 'same' | 'other' | 'unknown';

/** Clock drift and rounding between two readings of the uptime, seconds. */
export const UPTIME_SLACK_SECONDS = 120;

/** Facts that no reboot and no update changes. */
const OF_THE_MAKE = ['model', 'brand', 'manufacturer', 'cpuAbi'] as const;
/** Facts that stay the same within a boot. */
const OF_THE_SYSTEM = ['androidRelease', 'sdk'] as const;

/** Do these contradict each other in any boot? A fact that only one of them has is no contradiction. */
export function isOtherMake(a: IdentityFacts | undefined, b: IdentityFacts | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.serialNumber !== b.serialNumber || a.isEmulator !== b.isEmulator || differ(a, b, OF_THE_MAKE);
}

/**
 * `same` requires the same make and the same boot: by boot id, or by start time if one has no boot id. Another boot of
 * the same make is `other`, or `unknown` if one may have rebooted since.
 */
export function compare(a: Signs, b: Signs): Sameness {
  if (isOtherMake(a.identity, b.identity)) return 'other';
  const another = a.isStale || b.isStale ? 'unknown' : 'other';
  const began = beganTogether(a, b);
  if (a.bootId !== undefined && b.bootId !== undefined) {
    if (a.bootId !== b.bootId) return another;
    return began === false || isOtherSystem(a.identity, b.identity) ? 'other' : 'same';
  }
  if (began === undefined) return 'unknown';
  if (!began) return another;
  return isOtherSystem(a.identity, b.identity) ? 'other' : 'same';
}

/** @returns undefined if one of the times is unknown */
function beganTogether(a: Signs, b: Signs): boolean | undefined {
  if (a.startedAt === undefined || b.startedAt === undefined) return undefined;
  return Math.abs(a.startedAt - b.startedAt) <= UPTIME_SLACK_SECONDS;
}

const isOtherSystem = (a: IdentityFacts | undefined, b: IdentityFacts | undefined): boolean =>
  a !== undefined && b !== undefined && differ(a, b, OF_THE_SYSTEM);

const differ = <K extends keyof IdentityFacts>(
  a: IdentityFacts,
  b: IdentityFacts,
  keys: readonly K[],
): boolean => keys.some((key) => a[key] !== undefined && b[key] !== undefined && a[key] !== b[key]);
