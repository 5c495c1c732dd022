/** Notices that the host's clock was set: what the agent has timed by it moves along. */
import { uptime } from 'node:os';
import type { Logger } from '../base/log.ts';
import type { Roster } from './roster.ts';

export interface ClockStepOptions {
  roster: Pick<Roster, 'clockSet'>;
  log: Logger;
}

/** A clock that is slewed, or a busy machine between two readings, moves it by less, ms. */
const LEAST_MS = 60_000;

export class ClockStep {
  readonly #options: ClockStepOptions;
  #bootedAt = bootedAt();

  constructor(options: ClockStepOptions) {
    this.#options = options;
  }

  /** To be called before anything is judged by its age. */
  look(): void {
    const { roster, log } = this.#options;
    const now = bootedAt();
    const byMs = now - this.#bootedAt;
    this.#bootedAt = now;
    if (Math.abs(byMs) < LEAST_MS) return;
    roster.clockSet(byMs, Date.now());
    log.warn({ bySeconds: Math.round(byMs / 1000) }, 'the clock of this host was set');
  }
}

/** When the host was booted, by its clock as it is now: the time since then counts sleep, and cannot be set. */
const bootedAt = (): number => Date.now() - uptime() * 1000;
