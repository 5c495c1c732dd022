/**
 * What the cloud's answer means for each device: stored, or refused and when to send it again. A refused device is
 * collected again and sent on its own with growing delays, a bounded number of times. After that the ordinary reports
 * carry it until it is stored. Pure: each answer makes a new state and the events to log.
 */
import type { FailedDevice } from '../cloud/contract/report.ts';

/** A device that the cloud refused the last time it was sent. */
export interface Refusal {
  /** Why, in the cloud's words. */
  readonly message: string;
  /** How often in a row it was refused, from 1. */
  readonly count: number;
  /** How many of these answered a retry of its own: they count against `mostRetries`. */
  readonly retries: number;
  /** When to send it again on its own, ms of the monotonic clock; absent once only ordinary reports carry it. */
  readonly retryAtMs?: number;
}

export type Refusals = ReadonlyMap<string, Refusal>;

export interface RefusalPolicy {
  /** Delay before the first retry, ms; it doubles with each further one. */
  readonly firstDelayMs: number;
  /** Retries on its own before a device goes with the ordinary reports only. */
  readonly mostRetries: number;
}

/** What happened to one device: each is logged once. */
export type RefusalEvent =
  /** Refused for the first time; it will be sent again. */
  | { kind: 'refused'; udid: string; message: string }
  /** Refused in every retry; ordinary reports carry it from now on. */
  | { kind: 'given up'; udid: string; message: string; count: number }
  /** Stored after `count` refusals; `wasGivenUp` when that was logged. */
  | { kind: 'stored'; udid: string; count: number; wasGivenUp: boolean };

/** A request, and what the cloud answered. */
export interface Answered {
  /** The udids of the request. */
  readonly sent: Iterable<string>;
  readonly failedDevices: readonly FailedDevice[];
  /** The phones that this host still knows: a refusal of any other is forgotten. Absent: all. */
  readonly known?: ReadonlySet<string>;
}

export interface ReportOutcome {
  readonly refusals: Refusals;
  /** The udids, of those sent, that the cloud refused. It stored all others. */
  readonly refused: ReadonlySet<string>;
  readonly events: readonly RefusalEvent[];
  /** Devices that the answer names and the request did not. */
  readonly unsentDevices: readonly FailedDevice[];
}

/**
 * What an answer means for each device. A udid that the answer repeats counts once, with its first message. Devices that
 * were not sent stay as they were.
 *
 * @param nowMs ms of the monotonic clock: the host's clock may be set meanwhile
 */
export function outcomeOf(
  refusals: Refusals,
  { sent, failedDevices, known }: Answered,
  nowMs: number,
  policy: RefusalPolicy,
): ReportOutcome {
  const failures = new Map(failedDevices.toReversed().map((failed) => [failed.udid, failed])); // the first of each
  const next = new Map(refusals);
  const events: RefusalEvent[] = [];
  const sentUdids = new Set(sent);
  for (const udid of sentUdids) {
    const before = refusals.get(udid);
    const failure = failures.get(udid);
    if (failure !== undefined) {
      const refusal = refuse(failure.message, before, nowMs, policy);
      next.set(udid, refusal);
      const { message, count } = refusal;
      const wasRetried = before === undefined || before.retryAtMs !== undefined;
      if (wasRetried && refusal.retryAtMs === undefined)
        events.push({ kind: 'given up', udid, message, count });
      else if (before === undefined) events.push({ kind: 'refused', udid, message });
    } else if (before !== undefined) {
      next.delete(udid);
      const wasGivenUp = before.retryAtMs === undefined;
      events.push({ kind: 'stored', udid, count: before.count, wasGivenUp });
    }
  }
  for (const udid of next.keys()) if (known?.has(udid) === false) next.delete(udid);
  const refused = new Set([...sentUdids].filter((udid) => next.has(udid)));
  const unsentDevices = failedDevices.filter(
    (failed) => failures.get(failed.udid) === failed && !sentUdids.has(failed.udid),
  );
  return { refusals: next, refused, events, unsentDevices };
}

/** Refused by an ordinary report before its retry was due: only message and count change. */
function refuse(message: string, before: Refusal | undefined, nowMs: number, policy: RefusalPolicy): Refusal {
  const count = (before?.count ?? 0) + 1;
  const isDue = before?.retryAtMs !== undefined && before.retryAtMs <= nowMs;
  if (before !== undefined && !isDue) return { ...before, message, count };
  const retries = before === undefined ? 0 : before.retries + 1;
  if (retries >= policy.mostRetries) return { message, count, retries };
  return { message, count, retries, retryAtMs: nowMs + policy.firstDelayMs * 2 ** retries };
}

/**
 * The udids to collect again and send on their own now.
 *
 * @param nowMs ms of the monotonic clock
 */
export const dueRefusals = (refusals: Refusals, nowMs: number): string[] =>
  [...refusals]
    .filter(([, { retryAtMs }]) => retryAtMs !== undefined && retryAtMs <= nowMs)
    .map(([udid]) => udid);

/** When the next device is due, ms of the monotonic clock; undefined when none is. */
export function nextRefusalDueMs(refusals: Refusals): number | undefined {
  const times = [...refusals.values()].flatMap(({ retryAtMs }) => retryAtMs ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
