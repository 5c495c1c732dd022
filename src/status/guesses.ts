/** Wrong passwords: an address that has said several is not listened to for a while, not even where it is right. */

/** How many an address may say in a window. */
const MOST = 10;
const WINDOW_MS = 60_000;

export class WrongGuesses {
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #until = 0;

  /** @param now a monotonic clock, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  areTooMany(address: string): boolean {
    return (this.#inWindow().get(address) ?? 0) >= MOST;
  }

  add(address: string): void {
    const counts = this.#inWindow();
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }

  /** The counts of the window that is open: nothing is kept for longer, whoever calls. */
  #inWindow(): Map<string, number> {
    if (this.#now() >= this.#until) {
      this.#counts = new Map();
      this.#until = this.#now() + WINDOW_MS;
    }
    return this.#counts;
  }
}
