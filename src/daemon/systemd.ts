/**
 * Reports readiness, health and progress to systemd (sd_notify(3)). Neither readiness nor the watchdog depends on the
 * cloud.
 */
import { fstatSync, writeSync } from 'node:fs';
import type { AdbAt } from '../adb/remedy.ts';
import type { Agent } from '../agent/agent.ts';
import type { Environment } from '../base/environment.ts';
import { attempt } from '../base/errors.ts';
import { pause } from '../base/time.ts';
import { NOTIFY_FD } from '../config/environment.ts';
import type { Finding } from '../diagnosis/finding.ts';
import { statusLine } from './status-line.ts';

const standardTiming = {
  /** The daemon is ready after this time even if adb has not answered, ms. */
  readyWithinMs: 15_000,
  statusEveryMs: 10_000,
  /** Longest time without a host, at the start and in a reload, before the daemon counts as hung, ms. */
  withoutHostMs: 60_000,
};

interface WatchedHost {
  readonly agent: Pick<Agent, 'isProgressing' | 'state' | 'firstListing'>;
  readonly adbAt: AdbAt;
  readonly findings: readonly Finding[];
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

  /** @param watchdogMs systemd restarts the daemon after this silence; without a watchdog never */
  constructor(notify: Notify, watchdogMs = Number.POSITIVE_INFINITY, timing = standardTiming) {
    this.#notify = notify;
    this.#timing = timing;
    const everyMs = Math.min(timing.statusEveryMs, watchdogMs / 3);
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

/** The watchdog's time limit, ms; undefined if systemd does not watch this process (sd_watchdog_enabled(3)). */
export function watchdogMsOf(
  { WATCHDOG_USEC = '', WATCHDOG_PID }: Environment,
  pid = process.pid,
): number | undefined {
  const isMeant = WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid);
  return isMeant && /^[1-9]\d*$/.test(WATCHDOG_USEC) ? Number(WATCHDOG_USEC) / 1000 : undefined;
}

/** The first descriptor that systemd passes. */
const FIRST_HANDED_OVER = 3;

/** Sends assignments such as `READY=1`. */
type Notify = (...assignments: string[]) => void;

/**
 * To the systemd that started this process, through a descriptor that was opened before Node started: a datagram socket
 * connected to `$NOTIFY_SOCKET`, which Node itself cannot open. Without one it sends nothing.
 *
 * HOSTNODE_NOTIFY_FD has its number (set by the opener in hostnode.service), or systemd passes it under the name
 * `notify` (`OpenFile=…:notify`, systemd 253; LISTEN_PID, LISTEN_FDNAMES: sd_listen_fds(3)).
 */
export function openNotify(env: Environment, pid = process.pid): Notify {
  const fd = given(env[NOTIFY_FD]) ?? handedOver(env, pid);
  return fd !== undefined && isSocket(fd) ? notifyOver(fd) : () => {};
}

export function notifyOver(fd: number): Notify {
  return (...assignments) => {
    try {
      writeSync(fd, `${assignments.join('\n')}\n`);
    } catch {
      // EAGAIN: systemd is busy; the next message repeats it. Nothing here may stop the agent.
    }
  };
}

const given = (text = ''): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

function handedOver({ LISTEN_PID, LISTEN_FDNAMES = '' }: Environment, pid: number): number | undefined {
  const place = LISTEN_FDNAMES.split(':').indexOf('notify');
  return place < 0 || LISTEN_PID !== String(pid) ? undefined : FIRST_HANDED_OVER + place;
}

const isSocket = (fd: number): boolean => attempt(() => fstatSync(fd).isSocket()) ?? false;
