/** A server that fails for longer gets no more time than this, in units of `recoveryMs`. */
const LONGEST_RECOVERY = 3;

/**
 * How long to wait for missing phones after the adb server failed or was replaced: it lists its phones one by one. All
 * times are ms of the monotonic clock.
 */
export class Recovery {
  readonly #recoveryMs: number;
  #failingSince: number | undefined;
  /** When it first answered since the last failure or replacement. */
  #answeringSince: number | undefined;
  /** When it first answered since the last failure: a server that is replaced again and again gets no more time. */
  #recoveringSince: number | undefined;

  /** @param recoveryMs how long to wait after the first answer */
  constructor(recoveryMs: number) {
    this.#recoveryMs = recoveryMs;
  }

  /** True from a failure or replacement until `end`. */
  get isOpen(): boolean {
    return this.#failingSince !== undefined;
  }

  /** The server answers, but may be another one since `at`. */
  begin(at: number): void {
    this.#failingSince ??= at;
    this.#answeringSince = undefined;
  }

  /**
   * The server did not answer a request that began at `at`.
   *
   * @returns for how long it has been failing, ms
   */
  failed(at: number): number {
    this.begin(at);
    this.#recoveringSince = undefined;
    return performance.now() - (this.#failingSince ?? at);
  }

  /** The server has answered. May we still wait for phones that its list lacks? */
  mayWait(): boolean {
    const now = performance.now();
    this.#answeringSince ??= now;
    this.#recoveringSince ??= now;
    return (
      now - this.#answeringSince < this.#recoveryMs &&
      now - this.#recoveringSince < LONGEST_RECOVERY * this.#recoveryMs
    );
  }

  end(): void {
    this.#failingSince = undefined;
    this.#answeringSince = undefined;
    this.#recoveringSince = undefined;
  }
}
