/**
 * Reports readiness, health and progress to systemd. Neither readiness nor the watchdog depends on the cloud.
 */

import type { AdbAt } from '../adb/remedy.ts';
import type { Agent } from '../agent/agent.ts';
import type { Environment } from '../base/environment.ts';
import { pause } from '../base/time.ts';
import type { Finding } from '../diagnosis/finding.ts';
import type { Notify } from './sd-notify.ts';
import { statusLine } from './status-line.ts';

const standardTiming = {
  /** The daemon is ready after this time even if adb has not answered, ms. */
  readyWithinMs: 15_000,
  statusEveryMs: 10_000,
  /** Longest time without a host, at the start and in a reload, before the daemon counts as hung, ms. */
  withoutHostMs: 60_000,
};

/** What systemd shows of a host. */
export interface WatchedHost {
  readonly agent: Pick<Agent, 'isProgressing' | 'state' | 'firstListing'>;
  readonly adbAt: AdbAt;
  readonly findings: readonly Finding[];
}

export interface ServiceOptions {
  /** systemd restarts the daemon after this silence, ms; absent without a watchdog. */
  watchdogMs?: number | undefined;
  timing?: typeof standardTiming;
}

export class Service {
  readonly #notify: Notify;
  readonly #timing: typeof standardTiming;
  readonly #timer: NodeJS.Timeout;
  #host: WatchedHost | undefined;
  /** By the monotonic clock, ms. */
  #withoutHostSince = performance.now();
  #isReady = false;
  #isStopping = false;

  constructor(notify: Notify, { watchdogMs, timing = standardTiming }: ServiceOptions = {}) {
    this.#notify = notify;
    this.#timing = timing;
    const everyMs = Math.min(timing.statusEveryMs, (watchdogMs ?? Number.POSITIVE_INFINITY) / 3);
    this.#timer = setInterval(() => this.#tick(), everyMs).unref();
    void pause(timing.readyWithinMs).then(() => this.#ready());
  }

  /** This host runs from now on; undefined: none does. */
  runs(host: WatchedHost | undefined): void {
    this.#host = host;
    this.#withoutHostSince = performance.now();
    void host?.agent.firstListing.then(() => this.#ready());
  }

  /** The configuration is being read again, until `reloaded`. */
  reloading(): void {
    this.#notify('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
  }

  /** A reload has ended, successful or not. */
  reloaded(): void {
    this.#isReady = true;
    if (!this.#isStopping) this.#notify('READY=1', this.#status());
  }

  stopping(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
    this.#notify('STOPPING=1', 'STATUS=stopping');
  }

  #ready(): void {
    if (!this.#isReady) this.reloaded();
  }

  #tick(): void {
    if (this.#isProgressing) this.#notify('WATCHDOG=1', this.#status());
    else this.#notify(this.#status('hangs; '));
  }

  get #isProgressing(): boolean {
    const withoutHostMs = performance.now() - this.#withoutHostSince;
    return this.#host?.agent.isProgressing ?? withoutHostMs < this.#timing.withoutHostMs;
  }

  #status(prefix = ''): string {
    if (this.#host === undefined) return `STATUS=${prefix}starting`;
    const { agent, adbAt, findings } = this.#host;
    return `STATUS=${prefix}${statusLine(agent.state, adbAt, findings)}`;
  }
}

/**
 * The watchdog's time limit, ms; undefined if systemd does not watch this process (sd_watchdog_enabled(3)).
 */
export function watchdogMsOf(
  { WATCHDOG_USEC = '', WATCHDOG_PID }: Environment,
  pid = process.pid,
): number | undefined {
  const isMeant = WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid);
  return isMeant && /^[1-9]\d*$/.test(WATCHDOG_USEC) ? Number(WATCHDOG_USEC) / 1000 : undefined;
}
