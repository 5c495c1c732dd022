/**
 * Much work in slices of the event loop: pieces of many phones one after the other, a few ms in each turn, and a piece
 * that does not end is ended.
 */
import { yieldToLoop } from '../base/time.ts';
import { endsWithin } from './limited.ts';

/** A piece of work that can be begun anew. It must not throw. */
export type Piece = () => void;

interface Waiting {
  piece: Piece;
  /** How often a slice of its own was not enough for it. */
  cut: number;
  settle(isDone: boolean): void;
}

/** No further piece is begun in this turn after so long, ms. */
const SLICE_MS = 8;
/** What is begun is ended after so long, ms. A piece of an honest phone takes a tenth of one. */
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
    if (done > 0) return; // who was cut short behind others has a slice of its own next
    const first = this.#waiting[0];
    if (first === undefined) return;
    first.cut += 1;
    if (first.cut < MAX_CUTS) return;
    this.#waiting.shift();
    first.settle(false);
  }
}
