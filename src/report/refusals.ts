/**
 * Devices that the cloud refused. Each is sent again on its own with growing delays, a bounded number of times; after that
 * the ordinary reports carry it until it is stored. Times: ms of the monotonic clock, for the host's may be set meanwhile.
 */
import type { Logger } from '../base/log.ts';
import type { FailedDevice } from '../cloud/contract/report.ts';

interface Refusal {
  /** Why, in the cloud's words. */
  readonly message: string;
  /** How often in a row it was refused, from 1. */
  readonly count: number;
  /** How many of these answered a retry of its own. */
  readonly retries: number;
  /** When to send it again on its own; absent once only ordinary reports carry it. */
  readonly retryAtMs?: number;
}

export interface RefusalsOptions {
  /** Delay before the first retry, ms; it doubles with each further one. */
  readonly firstDelayMs: number;
  /** Retries on its own before a device goes with the ordinary reports only. */
  readonly mostRetries: number;
  readonly log: Logger;
}

/** Devices logged by name of one answer that names devices that were not sent. */
const MOST_UNSENT_NAMED = 10;

export class Refusals {
  readonly #options: RefusalsOptions;
  readonly #refused = new Map<string, Refusal>();
  /** Devices that the last answer named although they were not sent. */
  #unsent: ReadonlySet<string> = new Set();

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /** What the cloud said when it last refused this device; absent while it is stored. */
  message(udid: string): string | undefined {
    return this.#refused.get(udid)?.message;
  }

  /** When the next device is due; undefined when none is. */
  get nextAtMs(): number | undefined {
    const times = [...this.#refused.values()].flatMap(({ retryAtMs }) => retryAtMs ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** The udids to collect again and send on their own now. */
  due(nowMs = performance.now()): string[] {
    const isDue = ({ retryAtMs = Number.POSITIVE_INFINITY }: Refusal) => retryAtMs <= nowMs;
    return [...this.#refused].flatMap(([udid, refusal]) => (isDue(refusal) ? udid : []));
  }

  /**
   * Takes the cloud's answer, and logs what happened to each device. A udid that it repeats counts once, with its first
   * message. Devices that were not sent stay as they were.
   *
   * @param isKnown does this host still know the phone? A refusal of any other is forgotten
   * @returns the udids, of those sent, that the cloud refused. It stored all others
   */
  answered(
    sent: readonly string[],
    failedDevices: readonly FailedDevice[],
    isKnown: (udid: string) => boolean,
    nowMs = performance.now(),
  ): ReadonlySet<string> {
    const messages = new Map<string, string>();
    for (const { udid, message } of failedDevices) if (!messages.has(udid)) messages.set(udid, message);
    for (const udid of sent) {
      const message = messages.get(udid);
      messages.delete(udid); // those that are left were not sent
      if (message === undefined) this.#stored(udid);
      else this.#refuse(udid, message, nowMs);
    }
    for (const udid of this.#refused.keys()) if (!isKnown(udid)) this.#refused.delete(udid);
    this.#logUnsent(messages);
    return new Set(sent.filter((udid) => this.#refused.has(udid)));
  }

  #stored(udid: string): void {
    const before = this.#refused.get(udid);
    if (before === undefined) return;
    this.#refused.delete(udid);
    const { count, retryAtMs } = before;
    const fields = { udid, count, wasGivenUp: retryAtMs === undefined };
    this.#options.log.info(fields, 'the cloud stored a device that it had refused');
  }

  #refuse(udid: string, message: string, nowMs: number): void {
    const { firstDelayMs, mostRetries, log } = this.#options;
    const before = this.#refused.get(udid);
    const count = (before?.count ?? 0) + 1;
    const isDue = before?.retryAtMs !== undefined && before.retryAtMs <= nowMs;
    if (before !== undefined && !isDue) {
      this.#refused.set(udid, { ...before, message, count }); // by an ordinary report
      return;
    }
    const retries = before === undefined ? 0 : before.retries + 1;
    const isGivenUp = retries >= mostRetries;
    const retryAtMs = nowMs + firstDelayMs * 2 ** retries;
    this.#refused.set(udid, { message, count, retries, ...(!isGivenUp && { retryAtMs }) });
    if (isGivenUp)
      log.error({ udid, message, count }, 'the cloud keeps refusing a device; each report carries it');
    else if (before === undefined)
      log.warn({ udid, message }, 'the cloud refused a device; it will be sent again');
  }

  #logUnsent(messages: ReadonlyMap<string, string>): void {
    const { log } = this.#options;
    const added = [...messages].filter(([udid]) => !this.#unsent.has(udid));
    for (const [udid, message] of added.slice(0, MOST_UNSENT_NAMED))
      log.warn({ udid, message }, 'the cloud refused a device that was not sent');
    const count = added.length - MOST_UNSENT_NAMED;
    if (count > 0) log.warn({ count }, 'the cloud refused further devices that were not sent');
    this.#unsent = new Set(messages.keys());
  }
}
