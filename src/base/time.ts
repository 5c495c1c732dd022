/** Sleeping, waiting and limits. */
import { setImmediate, setTimeout as waitFor } from 'node:timers/promises';

/** Node's timers hold no more than these 24 days: a longer one fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits for `ms`. Throws an `AbortError` when the signal fires. */
export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  waitFor(ms, undefined, signal && { signal });

/** Waits for `ms`, or less if the signal fires. Never throws. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> => wait(ms, signal).catch(() => {});

/** Resolves after `ms` and keeps no process alive. */
export const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());

/**
 * Waits at most `ms` for work. The work itself continues.
 *
 * @returns undefined also on a time-out
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const { promise: tooLong, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other caller gets. So work for many phones runs phone by phone, and holds
 * the loop no longer than one phone takes.
 */
export function yieldToLoop(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

let lastLongTurn: Promise<void> = Promise.resolve();

/**
 * The same for work that goes on and on, one caller after the other: however many there are, they take a third of the
 * time together.
 *
 * @param tookMs how long the caller has just worked
 */
export function yieldLong(tookMs: number): Promise<void> {
  lastLongTurn = lastLongTurn.then(() => wait(3 * tookMs));
  return lastLongTurn;
}

/**
 * A signal that fires after a time, or when another signal fires, whichever is first. Declare it with `using`: then it
 * leaves no timer and no listener behind.
 *
 * `AbortSignal.any` of `AbortSignal.timeout` means the same, but Node may collect the time-out before it fires
 * (nodejs/node#57736), and may keep what was listened to for as long as the process lives (nodejs/node#64476).
 */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;

  /** @param ms the time; when it is over the reason is a `TimeoutError` */
  constructor(ms: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DOMException(`not within ${ms} ms`, 'TimeoutError'));
    }, ms).unref();
    outer?.addEventListener('abort', this.#onOuter, { once: true });
    if (outer?.aborted) this.#onOuter();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #onOuter = (): void => this.#controller.abort(this.#outer?.reason);

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#onOuter);
  }
}
