/**
 * Counts the wrong passwords of each client. After too many, a client is blocked for a while, even with the right one.
 */
import { clientOf } from './client-address.ts';

/** Wrong passwords allowed per client and window. */
const MOST = 10;
const WINDOW_MS = 60_000;
/** Clients counted per window; beyond that we drop the one with the oldest first mistake. */
const MOST_CLIENTS = 10_000;

export class LoginThrottle {
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #until = 0;

  /** @param now a monotonic clock, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  areTooMany(address: string): boolean {
    return this.count(address) >= MOST;
  }

  count(address: string): number {
    return this.#inWindow().get(clientOf(address)) ?? 0;
  }

  add(address: string): void {
    const counts = this.#inWindow();
    const client = clientOf(address);
    counts.set(client, (counts.get(client) ?? 0) + 1);
    const [first] = counts.keys();
    if (counts.size > MOST_CLIENTS && first !== undefined) counts.delete(first);
  }

  /** The counts of the current window; older ones are dropped. */
  #inWindow(): Map<string, number> {
    if (this.#now() >= this.#until) {
      this.#counts = new Map();
      this.#until = this.#now() + WINDOW_MS;
    }
    return this.#counts;
  }
}
