/** Has adb's list read again for the callers that wait for it. */

/** One reading of the list, for those who wanted it when it began. */
export interface ListReading {
  isWanted: boolean;
  /** It was read and taken; or it could not be read. */
  done(isTaken: boolean): void;
  /** It was read and is not yet taken for the whole: they go on waiting. */
  heldBack(): void;
}

export class FreshList {
  #waiting: ((isTaken: boolean) => void)[] = [];
  #wake: (() => void) | undefined;
  /** It has just been read: nobody had a turn since. */
  #isFresh = false;

  /**
   * Has the list read again, together with others who want it.
   *
   * @returns whether a list was taken that began to be read after this call; true at once where it was just taken, or nobody
   *   follows it, false where it could not be read, or is followed no longer
   */
  async read(): Promise<boolean> {
    const wake = this.#wake;
    if (wake === undefined || this.#isFresh) return true;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      wake();
    });
  }

  /** @param wake has the list read soon */
  follow(wake: () => void): void {
    this.#wake = wake;
  }

  /** The list begins to be read. */
  begin(): ListReading {
    const served = this.#waiting.splice(0);
    return {
      isWanted: served.length > 0,
      done: (isTaken) => {
        this.#isFresh = isTaken;
        setImmediate(() => {
          this.#isFresh = false;
        });
        for (const resolve of served) resolve(isTaken);
      },
      heldBack: () => void this.#waiting.unshift(...served),
    };
  }

  end(): void {
    this.#wake = undefined;
    this.begin().done(false);
  }
}
