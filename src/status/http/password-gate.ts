/**
 * Slows down guessing from any number of addresses, without locking out anybody who knows the password. While many
 * wrong ones arrive, passwords wait in a queue. Clients that sent the right one before do not wait; those with the
 * fewest wrong ones come next; those with none wait a few seconds at most.
 *
 * A right password waits like a wrong one: otherwise the delay would reveal it before the answer.
 */
import { clientOf } from './client-address.ts';
import { LoginThrottle } from './login-throttle.ts';

export type Verdict =
  | 'right'
  | 'wrong'
  /** Too many wrong ones from this client within a minute. */
  | 'tooMany'
  /** Too many from all clients: this one was not checked. */
  | 'busy';

/** Wrong passwords answered at once, and after that per second. */
const BURST = 20;
const PER_SECOND = 2;
/** After this time we check the first password of a client in any case, ms. */
const FIRST_WAIT_MS = 5_000;
/** After this time we answer `busy` to a client that was wrong before, ms. */
const WAIT_MS = 2_000;
const MOST_WAITING = 1_000;
const MOST_KNOWN = 1_000;

interface Waiting {
  readonly address: string;
  readonly isRight: () => boolean;
  readonly hasHungUp: () => boolean;
  readonly settle: (verdict: Verdict) => void;
  timer?: NodeJS.Timeout;
}

export class PasswordGate {
  readonly #now: () => number;
  readonly #wrong: LoginThrottle;
  /** Clients that have sent the right password, the latest last. */
  readonly #known = new Set<string>();
  /** In order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #turns = { left: BURST, at: 0 };
  #next: NodeJS.Timeout | undefined;

  /** @param now a monotonic clock, ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#wrong = new LoginThrottle(now);
    this.#turns.at = now();
  }

  /**
   * @param isRight compares in constant time
   * @param hasHungUp has the client disconnected?
   */
  verdict(address: string, isRight: () => boolean, hasHungUp: () => boolean): Verdict | Promise<Verdict> {
    if (this.#wrong.areTooMany(address)) return 'tooMany';
    if (this.#known.has(clientOf(address)) || (this.#waiting.size === 0 && this.#refill() >= 1))
      return this.#check(address, isRight);
    if (this.#waiting.size >= MOST_WAITING) this.#dropHungUp();
    if (this.#waiting.size >= MOST_WAITING) return 'busy';
    return new Promise((settle) => {
      const waiting: Waiting = { address, isRight, hasHungUp, settle };
      const isFirst = this.#wrong.count(address) === 0;
      waiting.timer = setTimeout(() => this.#giveUp(waiting), isFirst ? FIRST_WAIT_MS : WAIT_MS).unref();
      this.#waiting.add(waiting);
      this.#schedule();
    });
  }

  #check(address: string, isRight: () => boolean): Verdict {
    if (this.#wrong.areTooMany(address)) return 'tooMany';
    if (!isRight()) {
      this.#wrong.add(address);
      const left = this.#refill();
      this.#turns.left = Math.max(0, left - 1);
      return 'wrong';
    }
    const client = clientOf(address);
    this.#known.delete(client);
    this.#known.add(client);
    const [first] = this.#known;
    if (this.#known.size > MOST_KNOWN && first !== undefined) this.#known.delete(first);
    return 'right';
  }

  /** How many passwords we may check now. */
  #refill(): number {
    const now = this.#now();
    const { left, at } = this.#turns;
    this.#turns = { left: Math.min(BURST, left + ((now - at) / 1000) * PER_SECOND), at: now };
    return this.#turns.left;
  }

  /** Sets a timer for the next turn while the queue is not empty. */
  #schedule(): void {
    if (this.#next !== undefined || this.#waiting.size === 0) return;
    const ms = Math.ceil(((1 - Math.min(1, this.#refill())) / PER_SECOND) * 1000);
    this.#next = setTimeout(() => {
      this.#next = undefined;
      this.#takeTurns();
      this.#schedule();
    }, ms).unref();
  }

  #takeTurns(): void {
    this.#dropHungUp();
    while (this.#waiting.size > 0 && this.#refill() >= 1) {
      const count = ({ address }: Waiting) => this.#wrong.count(address);
      // among equals the latest: a flood then delays only itself
      const next = [...this.#waiting].reduce((best, each) => (count(each) <= count(best) ? each : best));
      this.#decide(next, this.#check(next.address, next.isRight));
    }
  }

  #giveUp(waiting: Waiting): void {
    const isFirst = this.#wrong.count(waiting.address) === 0;
    const mayCheck = isFirst && !waiting.hasHungUp();
    this.#decide(waiting, mayCheck ? this.#check(waiting.address, waiting.isRight) : 'busy');
  }

  #decide(waiting: Waiting, verdict: Verdict): void {
    clearTimeout(waiting.timer);
    this.#waiting.delete(waiting);
    waiting.settle(verdict);
    if (verdict !== 'right') return;
    const client = clientOf(waiting.address);
    for (const other of this.#waiting)
      if (clientOf(other.address) === client) this.#decide(other, this.#check(other.address, other.isRight));
  }

  #dropHungUp(): void {
    for (const waiting of this.#waiting) if (waiting.hasHungUp()) this.#decide(waiting, 'busy');
  }
}
