/** One text for all requests within a moment; only one is built at a time. */
export class SharedAnswer {
  readonly #make: () => Promise<string>;
  readonly #freshMs: number;
  readonly #now: () => number;
  #answer: Promise<Buffer> | undefined;
  /** When the answer expires; undefined while it is being built. */
  #freshUntil: number | undefined;

  /**
   * @param freshMs how long an answer or a failure is reused
   * @param now a monotonic clock, ms
   */
  constructor(make: () => Promise<string>, freshMs = 1_000, now = () => performance.now()) {
    this.#make = make;
    this.#freshMs = freshMs;
    this.#now = now;
  }

  /** Rejects with the error of `make`. */
  get(): Promise<Buffer> {
    const isOld = this.#freshUntil !== undefined && this.#now() >= this.#freshUntil;
    if (this.#answer !== undefined && !isOld) return this.#answer;
    this.#freshUntil = undefined;
    const made = this.#make().then((text) => Buffer.from(text));
    const keep = () => {
      this.#freshUntil = this.#now() + this.#freshMs;
    };
    made.then(keep, keep);
    this.#answer = made;
    return made;
  }
}
