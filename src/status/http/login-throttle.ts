/** Wrong passwords of each client: one that has said several is not listened to for a while, not even where it is right. */
import { clientOf } from './client-address.ts';

/** How many a client may say in a window. */
const MOST = 10;
const WINDOW_MS = 60_000;
/** Of how many clients a window keeps a count; then it forgets the one that said its first wrong one before the others. */
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

  /** How many in this window. */
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

  /** The counts of the window that is open: nothing is kept for longer, whoever calls. */
  #inWindow(): Map<string, number> {
    if (this.#now() >= this.#until) {
      this.#counts = new Map();
      this.#until = this.#now() + WINDOW_MS;
    }
    return this.#counts;
  }
}
