/**
 * Waits until a phone's changes calm down: a flapping cable is one report and not twenty.
 */
export interface DebouncerOptions {
  /** How long a phone has to stay unchanged, ms. */
  quietMs: number;
  /** Longest wait after the first change, for a phone that never calms down, ms. */
  longestMs: number;
  onQuiet(udid: string): void;
}

export class Debouncer {
  readonly #options: DebouncerOptions;
  readonly #waiting = new Map<string, { since: number; timer: NodeJS.Timeout }>();

  constructor(options: DebouncerOptions) {
    this.#options = options;
  }

  /** The phone changed. `quietMs` may be longer for a change that often does not last. */
  touch(udid: string, quietMs = this.#options.quietMs): void {
    const before = this.#waiting.get(udid);
    const since = before?.since ?? performance.now();
    clearTimeout(before?.timer);
    const leftMs = this.#options.longestMs - (performance.now() - since);
    const timer = setTimeout(() => this.#quiet(udid), Math.max(0, Math.min(quietMs, leftMs)));
    this.#waiting.set(udid, { since, timer });
  }

  isWaiting(udid: string): boolean {
    return this.#waiting.has(udid);
  }

  stop(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #quiet(udid: string): void {
    this.#waiting.delete(udid);
    this.#options.onQuiet(udid);
  }
}
