/**
 * Applies the outcome of each report to what this host keeps about its devices: the roster's marks, what counts as
 * reported, the retries, the log.
 */
import type { DeviceInfo, DevicesAnswer, FailedDevice } from '../cloud/contract/report.ts';
import type { PhoneWatcher } from '../diagnosis/events/watcher.ts';
import {
  dueRefusals,
  nextRefusalDueMs,
  outcomeOf,
  type Refusals,
  type ReportOutcome,
} from '../report/outcome.ts';
import { type AgentServices, inBackground } from './options.ts';
import type { ReportSource } from './report-source.ts';

export interface DeviceOutcomesOptions
  extends Pick<AgentServices, 'roster' | 'observer' | 'timing' | 'refusedRetries' | 'log'> {
  source: Pick<ReportSource, 'forget'>;
  watcher: Pick<PhoneWatcher, 'look'>;
  /** Collects refused devices again, and reports them. */
  retry(udids: readonly string[]): Promise<void>;
}

/** A timer may fire a little before its time; what comes due meanwhile goes with it, ms. */
const TIMER_SLACK_MS = 20;
/** Devices logged by name of one answer that names devices that were not sent. */
const MOST_UNSENT_NAMED = 10;
/** Node's timers take no more than 24 days, ms. */
const LONGEST_TIMER_MS = 86_400_000;

export class DeviceOutcomes {
  readonly #options: DeviceOutcomesOptions;
  #refusals: Refusals = new Map();
  /** Devices that the last answer named although they were not sent. */
  #unsentDevices: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: DeviceOutcomesOptions) {
    this.#options = options;
  }

  /** Applies the answer to a report. A name that the cloud no longer needs, or never stored, is forgotten here too. */
  apply(sent: readonly DeviceInfo[], { failedDevices }: DevicesAnswer): { stored: number; refused: number } {
    const { roster, source, watcher, refusedRetries, timing, observer } = this.#options;
    const before = this.#refusals;
    const outcome = outcomeOf(
      before,
      {
        sent: sent.map(({ udid }) => udid),
        failedDevices,
        known: new Set(roster.devices.map(({ udid }) => udid)),
      },
      performance.now(),
      { firstDelayMs: timing.firstRefusalDelayMs, mostRetries: refusedRetries },
    );
    const { refusals, refused } = outcome;
    this.#refusals = refusals;
    this.#log(outcome);
    this.#plan();
    roster.phones.stored(sent.filter(({ udid }) => !refused.has(udid)));
    roster.phones.refused(refused);
    watcher.look(
      sent.map(({ udid }) => udid),
      (udid) => this.messageOf(udid),
    );
    for (const { udid } of sent) {
      if (roster.get(udid) === undefined) source.forget(udid);
      if (before.has(udid) !== refused.has(udid)) observer.changed(udid);
    }
    return { stored: sent.length - refused.size, refused: refused.size };
  }

  /** Why the cloud refused this device when it was last sent. */
  messageOf(udid: string): string | undefined {
    return this.#refusals.get(udid)?.message;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #log({ events, unsentDevices }: ReportOutcome): void {
    const { log } = this.#options;
    for (const { kind, ...event } of events) {
      if (kind === 'refused') log.warn(event, 'the cloud refused a device; it will be sent again');
      else if (kind === 'given up')
        log.error(event, 'the cloud keeps refusing a device; each report carries it');
      else log.info(event, 'the cloud stored a device that it had refused');
    }
    this.#logUnsentDevices(unsentDevices);
  }

  #logUnsentDevices(unsentDevices: readonly FailedDevice[]): void {
    const { log } = this.#options;
    const added = unsentDevices.filter(({ udid }) => !this.#unsentDevices.has(udid));
    for (const { udid, message } of added.slice(0, MOST_UNSENT_NAMED))
      log.warn({ udid, message }, 'the cloud refused a device that was not sent');
    const count = added.length - MOST_UNSENT_NAMED;
    if (count > 0) log.warn({ count }, 'the cloud refused further devices that were not sent');
    this.#unsentDevices = new Set(unsentDevices.map(({ udid }) => udid));
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const dueMs = nextRefusalDueMs(this.#refusals);
    if (dueMs === undefined || this.#isStopped) return;
    const delayMs = Math.min(Math.max(0, dueMs - performance.now()), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#retryDue(), delayMs + TIMER_SLACK_MS);
  }

  #retryDue(): void {
    const due = dueRefusals(this.#refusals, performance.now());
    if (due.length === 0) this.#plan();
    else inBackground(this.#options.retry(due), this.#options.log);
  }
}
