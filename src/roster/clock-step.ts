/** Detects that the host's clock was set, and adjusts the times in the roster; and that the host slept, or this process stood still. */
import { uptime } from 'node:os';
import type { Logger } from '../base/log.ts';
import type { Roster } from './roster.ts';

/** Slewing, or a busy machine between two readings, causes smaller steps, ms. */
const LEAST_MS = 60_000;
/** The kernel counts in hundredths of a second. A shorter sleep loses no phone, ms. */
const LEAST_SLEEP_MS = 5_000;
/** It is checked so often, ms. */
const EVERY_MS = 10_000;
/** Without a check for so long this process got no processor, as one that is stopped or frozen; a busy machine takes less, ms. */
const LEAST_PAUSE_MS = 30_000;

export class ClockStep {
  readonly #roster: Pick<Roster, 'clockSet'>;
  readonly #log: Logger;
  #bootedAt = bootedAt();
  #sleptMs = sleptMs();
  /** By the monotonic clock, ms; absent while nothing checks it again and again. */
  #checkedAt: number | undefined;
  readonly #listeners: ((byMs: number) => void)[] = [];
  readonly #sleepListeners: ((forMs: number) => void)[] = [];
  readonly #pauseListeners: ((forMs: number) => void)[] = [];

  constructor(roster: Pick<Roster, 'clockSet'>, log: Logger) {
    this.#roster = roster;
    this.#log = log;
  }

  /** Calls `listener` after the clock was set by `byMs`, and the roster adjusted; forward is positive. */
  onStep(listener: (byMs: number) => void): void {
    this.#listeners.push(listener);
  }

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
    this.#checkPause();
    const forMs = sleptMs() - this.#sleptMs;
    this.#sleptMs += forMs;
    if (forMs >= LEAST_SLEEP_MS) for (const listener of this.#sleepListeners) listener(Math.round(forMs));
    const now = bootedAt();
    const byMs = now - this.#bootedAt;
    this.#bootedAt = now;
    if (Math.abs(byMs) < LEAST_MS) return;
    this.#roster.clockSet(byMs, Date.now());
    this.#log.warn({ bySeconds: Math.round(byMs / 1000) }, 'the clock of this host was set');
    for (const listener of this.#listeners) listener(Math.round(byMs));
  }

  #checkPause(): void {
    if (this.#checkedAt === undefined) return;
    const now = performance.now();
    const forMs = now - this.#checkedAt;
    this.#checkedAt = now;
    if (forMs < LEAST_PAUSE_MS) return;
    this.#log.warn(
      { forSeconds: Math.round(forMs / 1000) },
      'hostnode stood still: it was stopped, frozen, or got no processor',
    );
    for (const listener of this.#pauseListeners) listener(Math.round(forMs));
  }
}

/** When the host booted, ms since the epoch by its current clock. The uptime includes sleep, and nobody can set it. */
export const bootedAt = (): number => Date.now() - uptime() * 1000;

/** For how long the host has slept, ms, from any origin: the clock of this process stands still meanwhile. */
const sleptMs = (): number => uptime() * 1000 - performance.now();
