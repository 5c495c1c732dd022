/**
 * Whether two that have told of themselves can be one phone. A serial number alone is a claim: cheap phones share one, and
 * whoever is on the network can say any. Boot ids alone are none: the containers of one host share its boot id and uptime.
 */
import type { IdentityFacts } from './identity.ts';

/** What a phone has told of itself, as far as it is known. */
export interface Signs {
  identity?: IdentityFacts;
  bootId?: string;
  /** When its boot began, seconds: by the same clock in both that are compared. */
  startedAt?: number;
  /** The connection broke off since it told this: it may have rebooted. */
  isStale?: boolean;
}

/** `unknown`: nothing contradicts, and nothing proves it. */
export type Sameness = 'same' | 'other' | 'unknown';

/** Clock drift and rounding between two readings of the uptime, seconds. */
export const UPTIME_SLACK_SECONDS = 120;

/** What no boot and no update changes. */
const OF_THE_MAKE = ['model', 'brand', 'manufacturer', 'cpuAbi'] as const;
/** What stays for a boot. */
const OF_THE_SYSTEM = ['androidRelease', 'sdk'] as const;

/** Do these contradict each other, whatever boot each is of? What only one of them says is no contradiction. */
export function isOtherMake(a: IdentityFacts | undefined, b: IdentityFacts | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.serialNumber !== b.serialNumber || a.isEmulator !== b.isEmulator || differ(a, b, OF_THE_MAKE);
}

/**
 * `same` takes the same make in the same boot: the boot id, or where one of them tells none the moment at which it began.
 * Another boot of the same make is `other`, or `unknown` where one may have rebooted since it told of its own.
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

/** @returns undefined where one of the moments is not known */
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
