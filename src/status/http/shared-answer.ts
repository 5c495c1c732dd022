/** One text for all who ask within a moment: made once at a time, however many ask. */
export class SharedAnswer {
  readonly #make: () => Promise<string>;
  readonly #freshMs: number;
  readonly #now: () => number;
  #answer: Promise<Buffer> | undefined;
  /** When the answer is too old; undefined while it is being made. */
  #freshUntil: number | undefined;

  /**
   * @param freshMs an answer, or a failure, is good for that time after it was made
   * @param now a monotonic clock, ms
   */
  constructor(make: () => Promise<string>, freshMs = 1_000, now = () => performance.now()) {
    this.#make = make;
    this.#freshMs = freshMs;
    this.#now = now;
  }

  /** Rejects with what `make` fails with. */
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
