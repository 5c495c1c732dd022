/** Has adb's list read again for the callers that wait for it. */

/** One reading of the list, for the callers that waited when it began. */
export interface ListReading {
  /** Somebody waits for it. */
  isWanted: boolean;
  /** @param isTaken the agent has the new list; false: it could not be read */
  done(isTaken: boolean): void;
  /** It may be incomplete, so the agent does not take it: the callers wait for the next reading. */
  heldBack(): void;
}

export class FreshList {
  #waiting: ((isTaken: boolean) => void)[] = [];
  #wake: (() => void) | undefined;
  /** It was taken in this turn of the event loop. */
  #isFresh = false;

  /**
   * Has the list read again, together with the other callers that wait for it.
   *
   * @returns true once the agent has a list whose reading began after this call; at once if it has just taken one, or
   *   nobody tracks the list. False if the list could not be read, or the tracker has ended
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
  track(wake: () => void): void {
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
