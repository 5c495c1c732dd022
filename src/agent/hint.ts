/** A flag that one side raises and the other waits for. Raised twice before anybody looked, it is seen once. */
export class Hint {
  #raised = false;
  #wake: (() => void) | undefined;

  raise(): void {
    this.#raised = true;
    this.#wake?.();
  }

  /** Waits until it is raised, `ms` have passed or the signal fires, and lowers it. Never throws. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#raised && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', this.#wake, { once: true });
      });
      if (this.#wake) signal.removeEventListener('abort', this.#wake);
      this.#wake = undefined;
    }
    this.#raised = false;
  }
}
