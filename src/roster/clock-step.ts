/** Detects that the host's clock was set, and adjusts the times in the roster. */
import { uptime } from 'node:os';
import type { Logger } from '../base/log.ts';
import type { Roster } from './roster.ts';

export interface ClockStepOptions {
  roster: Pick<Roster, 'clockSet'>;
  log: Logger;
}

/** Slewing, or a busy machine between two readings, causes smaller steps, ms. */
const LEAST_MS = 60_000;

export class ClockStep {
  readonly #options: ClockStepOptions;
  #bootedAt = bootedAt();
  readonly #listeners: ((byMs: number) => void)[] = [];

  constructor(options: ClockStepOptions) {
    this.#options = options;
  }

  /** Calls `listener` after the clock was set by `byMs`, and the roster adjusted; forward is positive. */
  onStep(listener: (byMs: number) => void): void {
    this.#listeners.push(listener);
  }

  /** Call it before any comparison by age. */
  check(): void {
    const { roster, log } = this.#options;
    const now = bootedAt();
    const byMs = now - this.#bootedAt;
    this.#bootedAt = now;
    if (Math.abs(byMs) < LEAST_MS) return;
    roster.clockSet(byMs, Date.now());
    log.warn({ bySeconds: Math.round(byMs / 1000) }, 'the clock of this host was set');
    for (const listener of this.#listeners) listener(Math.round(byMs));
  }
}

/** When the host booted, ms since the epoch by its current clock. The uptime includes sleep, and nobody can set it. */
export const bootedAt = (): number => Date.now() - uptime() * 1000;
