/** Detects that the host's clock was set, and adjusts the times in the roster; and that the host slept. */
import { uptime } from 'node:os';
import type { Logger } from '../base/log.ts';
import type { Roster } from './roster.ts';

/** Slewing, or a busy machine between two readings, causes smaller steps, ms. */
const LEAST_MS = 60_000;
/** The kernel counts in hundredths of a second. A shorter sleep loses no phone, ms. */
const LEAST_SLEEP_MS = 5_000;

export class ClockStep {
  readonly #roster: Pick<Roster, 'clockSet'>;
  readonly #log: Logger;
  #bootedAt = bootedAt();
  #sleptMs = sleptMs();
  readonly #listeners: ((byMs: number) => void)[] = [];
  readonly #sleepListeners: ((forMs: number) => void)[] = [];

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

  /** Call it before any comparison by age. */
  check(): void {
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
}

/** When the host booted, ms since the epoch by its current clock. The uptime includes sleep, and nobody can set it. */
export const bootedAt = (): number => Date.now() - uptime() * 1000;

/** For how long the host has slept, ms, from any origin: the clock of this process stands still meanwhile. */
const sleptMs = (): number => uptime() * 1000 - performance.now();
