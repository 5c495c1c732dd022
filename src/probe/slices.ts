/**
 * Runs much work in slices of the event loop: pieces of many phones one after the other, a few ms in each turn. A piece
 * that takes too long is ended.
 */
import { yieldToLoop } from '../base/time.ts';
import { endsWithin } from './limited.ts';

/** A piece of work that can be restarted. It must not throw. */
export type Piece = () => void;

interface Waiting {
  piece: Piece;
  /** How often a slice of its own was not enough for it. */
  cut: number;
  settle(isDone: boolean): void;
}

/** Time after which no further piece begins in this turn, ms. */
const SLICE_MS = 2;
/** Time limit of a slice, ms. A piece of an ordinary phone takes 0.1 ms. */
const LIMIT_MS = 20;
/** One cut may be the machine's fault: it had something else to do. */
const MAX_CUTS = 2;

export class Slices {
  readonly #waiting: Waiting[] = [];
  #isRunning = false;

  /** @returns of each piece, whether it came to its end */
  async run(pieces: readonly Piece[]): Promise<boolean[]> {
    const done = pieces.map(
      (piece) =>
        new Promise<boolean>((settle) => {
          this.#waiting.push({ piece, cut: 0, settle });
        }),
    );
    void this.#work();
    return Promise.all(done);
  }

  async #work(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await yieldToLoop();
      this.#slice();
    }
    this.#isRunning = false;
  }

  #slice(): void {
    const endAt = performance.now() + SLICE_MS;
    let done = 0;
    endsWithin(LIMIT_MS, () => {
      for (const { piece } of this.#waiting) {
        piece();
        done += 1;
        if (performance.now() >= endAt) return;
      }
    });
    for (const { settle } of this.#waiting.splice(0, done)) settle(true);
    if (done > 0) return; // a piece that was cut behind others gets a slice of its own next
    const first = this.#waiting[0];
    if (first === undefined) return;
    first.cut += 1;
    if (first.cut < MAX_CUTS) return;
    this.#waiting.shift();
    first.settle(false);
  }
}
