/**
 * Reports readiness, health and progress to systemd. Neither readiness nor the watchdog depends on the cloud.
 */

import type { AdbAt } from '../adb/remedy.ts';
import type { ActiveAgent } from '../agent/active-agent.ts';
import type { Agent } from '../agent/agent.ts';
import type { Environment } from '../base/environment.ts';
import { pause } from '../base/time.ts';
import type { Finding } from '../diagnosis/finding.ts';
import type { Notifier } from './sd-notify.ts';
import { statusLine } from './status-line.ts';

export interface ServiceTiming {
  /** The daemon is ready after this time even if adb has not answered, ms. */
  readyWithinMs: number;
  statusEveryMs: number;
}

const standardServiceTiming: ServiceTiming = {
  readyWithinMs: 15_000,
  statusEveryMs: 10_000,
};

type WatchedAgent = Pick<Agent, 'isProgressing' | 'view'>;

export class Service {
  readonly #notifier: Notifier;
  readonly #timer: NodeJS.Timeout;
  readonly #active: ActiveAgent<WatchedAgent>;
  readonly #adbAt: () => AdbAt;
  readonly #findings: () => readonly Finding[];
  #isReady = false;
  #isStopping = false;

  /**
   * @param adbAt the adb server in force
   * @param findings those of this host now
   * @param watchdogMs systemd restarts the daemon after this silence; absent without a watchdog
   */
  constructor(
    notifier: Notifier,
    active: ActiveAgent<WatchedAgent>,
    adbAt: () => AdbAt,
    watchdogMs?: number,
    timing = standardServiceTiming,
    findings: () => readonly Finding[] = () => [],
  ) {
    this.#notifier = notifier;
    this.#active = active;
    this.#adbAt = adbAt;
    this.#findings = findings;
    const everyMs = Math.min(timing.statusEveryMs, (watchdogMs ?? Number.POSITIVE_INFINITY) / 3);
    this.#timer = setInterval(() => this.#tick(), everyMs).unref();
    void pause(timing.readyWithinMs).then(() => this.#ready());
  }

  readyAfter(firstListing: Promise<void>): void {
    void firstListing.then(() => this.#ready());
  }

  reloading(): void {
    this.#notifier.reloading();
  }

  /** A reload has ended, successful or not. */
  reloaded(): void {
    this.#isReady = true;
    if (!this.#isStopping) this.#notifier.ready(this.#status());
  }

  stopping(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
    this.#notifier.stopping();
  }

  #ready(): void {
    if (!this.#isReady) this.reloaded();
  }

  #tick(): void {
    const status = this.#status();
    if (this.#active.isProgressing) this.#notifier.alive(status);
    else this.#notifier.status(`hangs; ${status}`);
  }

  #status(): string {
    const { agent } = this.#active;
    return agent === undefined ? 'starting' : statusLine(agent.view, this.#adbAt(), this.#findings());
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
