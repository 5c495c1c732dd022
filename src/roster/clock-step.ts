/** Detects that the host's clock was set, and adjusts the times in the roster; and that the host slept, or this process stood still. */
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { sleptMs } from '../base/clock.ts';
import { attempt } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Roster } from './roster.ts';

/** Slewing, or a busy machine between two readings, causes smaller steps, ms. */
const LEAST_MS = 60_000;
/** It is checked so often, ms. */
const EVERY_MS = 10_000;
/** Without a check for so long this process got no processor, as one that is stopped or frozen; a busy machine takes less, ms. */
const LEAST_PAUSE_MS = 30_000;

export class ClockStep {
  readonly #roster: Pick<Roster, 'clockSet'>;
  readonly #log: Logger;
  #bootedAt = bootedAt();
  #sleptMs = sleptMs();
  readonly #readSleeps: () => number;
  #sleeps: number;
  /** When a sleep was noticed that the kernel had not counted yet, by the monotonic clock, ms. */
  #sleptAt = Number.NEGATIVE_INFINITY;
  /** By the monotonic clock, ms; absent while nothing checks it again and again. */
  #checkedAt: number | undefined;
  readonly #listeners: ((byMs: number, at: number) => void)[] = [];
  readonly #sleepListeners: ((forMs: number) => void)[] = [];
  readonly #pauseListeners: ((forMs: number) => void)[] = [];

  constructor(roster: Pick<Roster, 'clockSet'>, log: Logger, readSleeps = sleepsOfKernel) {
    this.#roster = roster;
    this.#log = log;
    this.#readSleeps = readSleeps;
    this.#sleeps = readSleeps();
  }

  /**
   * Calls `listener` after the clock was set by `byMs`, and the roster adjusted; forward is positive. `at`, ms since the
   * epoch, is the beginning of a sleep or a pause that is noticed with it: what follows those is by the same clock.
   */
  onStep(listener: (byMs: number, at: number) => void): void {
    this.#listeners.push(listener);
  }

  /** `forMs` is 0 for less than five seconds. */
  onSleep(listener: (forMs: number) => void): void {
    this.#sleepListeners.push(listener);
  }

  /** Calls `listener` after this process did nothing for so long while the host was awake. */
  onPause(listener: (forMs: number) => void): void {
    this.#pauseListeners.push(listener);
  }

  /** Checks it every ten seconds, until the signal fires. */
  watch(signal: AbortSignal): void {
    this.#checkedAt = performance.now();
    const timer = setInterval(() => this.check(), EVERY_MS).unref();
    const end = () => {
      clearInterval(timer);
      this.#checkedAt = undefined;
    };
    signal.addEventListener('abort', end, { once: true });
  }

  /** Call it before any comparison by age. */
  check(): void {
    const pausedMs = this.#pausedMs();
    const asleepMs = sleptMs() - this.#sleptMs;
    this.#sleptMs += asleepMs;
    this.#checkStep(pausedMs + asleepMs);
    if (pausedMs > 0) this.#paused(pausedMs);
    this.#checkSleep(asleepMs);
  }

  #pausedMs(): number {
    if (this.#checkedAt === undefined) return 0;
    const now = performance.now();
    const forMs = now - this.#checkedAt;
    this.#checkedAt = now;
    return forMs < LEAST_PAUSE_MS ? 0 : forMs;
  }

  #checkStep(agoMs: number): void {
    const now = bootedAt();
    const byMs = now - this.#bootedAt;
    this.#bootedAt = now;
    if (Math.abs(byMs) < LEAST_MS) return;
    const at = Date.now();
    this.#roster.clockSet(byMs, at);
    this.#log.warn({ bySeconds: Math.round(byMs / 1000) }, 'the clock of this host was set');
    for (const listener of this.#listeners) listener(Math.round(byMs), Math.round(at - agoMs));
  }

  #checkSleep(forMs: number): void {
    const sleeps = this.#readSleeps();
    const isCounted = sleeps > this.#sleeps;
    if (!Number.isNaN(sleeps)) this.#sleeps = sleeps;
    // the kernel counts a sleep a moment after it is over, and a hibernation never
    const isKnown = performance.now() - this.#sleptAt < EVERY_MS;
    if (forMs > 0 && !isCounted) this.#sleptAt = performance.now();
    if (forMs === 0 && (!isCounted || isKnown)) return;
    this.#log.info({ forSeconds: Math.round(forMs / 1000) }, 'this host has slept');
    for (const listener of this.#sleepListeners) listener(Math.round(forMs));
  }

  #paused(forMs: number): void {
    this.#log.warn(
      { forSeconds: Math.round(forMs / 1000) },
      'hostnode stood still: it was stopped, frozen, or got no processor',
    );
    for (const listener of this.#pauseListeners) listener(Math.round(forMs));
  }
}

/** When the host booted, ms since the epoch by its current clock. The uptime includes sleep, and nobody can set it. */
export const bootedAt = (): number => Date.now() - uptime() * 1000;

/** How often the host has slept, however shortly, as Linux counts it from 5.4 on (kernel/power/main.c); else NaN. */
const sleepsOfKernel = (): number =>
  Number(attempt(() => readFileSync('/sys/power/suspend_stats/success', 'utf8')));
