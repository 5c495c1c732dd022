/** Follows the devices that the cloud refused: when each is to be sent again, and what is worth saying. */

import type { Logger } from '../base/log.ts';
import type { DeviceInfo, DevicesAnswer, FailedDevice } from '../cloud/contract.ts';
import { dueRefusals, keepRefusals, nextRefusalDueMs, type Refusals, settle } from '../report/refusals.ts';

export interface RefusedDevicesOptions {
  /** Retries on its own before a device goes with the ordinary reports only. */
  mostRetries: number;
  /** Before the first of them, ms; it doubles with each further one. */
  firstDelayMs: number;
  /** These are to be sent again now. Never throws. */
  onDue(udids: readonly string[]): Promise<void>;
  log: Logger;
}

/** A timer may fire a little before its time; what comes due meanwhile goes with it, ms. */
const TIMER_SLACK_MS = 20;
/** So many devices that were not sent are named, of one answer. */
const MOST_STRANGERS_NAMED = 10;
/** Node's timers take no more than 24 days, ms. */
const LONGEST_TIMER_MS = 86_400_000;

export class RefusedDevices {
  readonly #options: RefusedDevicesOptions;
  #refusals: Refusals = new Map();
  /** Devices that the last answer named although they were not sent. */
  #unsentDevices: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: RefusedDevicesOptions) {
    this.#options = options;
  }

  /**
   * Takes the answer to a report.
   *
   * @param known the phones of this host; a refusal of any other is forgotten
   * @returns the udids, of those sent, that were refused
   */
  settle(
    sent: readonly DeviceInfo[],
    { failedDevices }: DevicesAnswer,
    known: ReadonlySet<string>,
  ): ReadonlySet<string> {
    const { log, firstDelayMs, mostRetries } = this.#options;
    const udids = sent.map(({ udid }) => udid);
    const policy = { firstDelayMs, mostRetries };
    const { refusals, events, unsentDevices } = settle(
      this.#refusals,
      udids,
      failedDevices,
      performance.now(),
      policy,
    );
    this.#refusals = keepRefusals(refusals, known);
    for (const { kind, ...event } of events) {
      if (kind === 'refused') log.warn(event, 'the cloud refused a device; it will be sent again');
      else if (kind === 'given up')
        log.error(event, 'the cloud keeps refusing a device; each report carries it');
      else log.info(event, 'the cloud stored a device that it had refused');
    }
    this.#logUnsentDevices(unsentDevices);
    this.#plan();
    return new Set(udids.filter((udid) => this.#refusals.has(udid)));
  }

  get udids(): Iterable<string> {
    return this.#refusals.keys();
  }

  /** Why the cloud refused this device when it was last sent. */
  messageOf(udid: string): string | undefined {
    return this.#refusals.get(udid)?.message;
  }

  /** Nothing is sent again any more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #logUnsentDevices(unsentDevices: readonly FailedDevice[]): void {
    const { log } = this.#options;
    const news = unsentDevices.filter(({ udid }) => !this.#unsentDevices.has(udid));
    for (const { udid, message } of news.slice(0, MOST_STRANGERS_NAMED))
      log.warn({ udid, message }, 'the cloud refused a device that was not sent');
    const count = news.length - MOST_STRANGERS_NAMED;
    if (count > 0) log.warn({ count }, 'the cloud refused further devices that were not sent');
    this.#unsentDevices = new Set(unsentDevices.map(({ udid }) => udid));
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const dueMs = nextRefusalDueMs(this.#refusals);
    if (dueMs === undefined || this.#isStopped) return;
    const delayMs = Math.min(Math.max(0, dueMs - performance.now()), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => void this.#retry(), delayMs + TIMER_SLACK_MS);
  }

  async #retry(): Promise<void> {
    const due = dueRefusals(this.#refusals, performance.now());
    if (due.length === 0) this.#plan();
    else await this.#options.onDue(due);
  }
}
