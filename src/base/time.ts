/**
 * A signal that fires when a time is over or another signal fires, whichever is first. To be disposed of when what it
 * limits has ended: it leaves nothing behind.
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
