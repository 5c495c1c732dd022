/**
 * A section or command that hangs, or cannot be read, twice in a row rests for some rounds: each try at a hung service ties up one
 * more thread of it on the phone. The rest doubles with each further failure, from 2 rounds to 64.
 */
const FAILURES_BEFORE_REST = 2;
const LONGEST_REST_ROUNDS = 64;
/** More are not counted: the rest is the longest by then. */
const MOST_TIMES = 10;

/** By name, how often in a row it failed. */
export type FailedTimes = Readonly<Record<string, number>>;

export class SectionBackoff {
  readonly #failuresBeforeRest: number;
  #round = 0;
  readonly #failed = new Map<string, { times: number; untilRound: number }>();

  /** @param failed of an earlier run: they rest again, as they would after the last of these failures */
  constructor(failuresBeforeRest = FAILURES_BEFORE_REST, failed: FailedTimes = {}) {
    this.#failuresBeforeRest = failuresBeforeRest;
    for (const [name, times] of Object.entries(failed)) this.#rest(name, times);
  }

  /** Empty while none has failed. */
  get failedTimes(): FailedTimes {
    return Object.fromEntries(Array.from(this.#failed, ([name, { times }]) => [name, times]));
  }

  nextRound(): void {
    this.#round += 1;
  }

  isResting(name: string): boolean {
    return (this.#failed.get(name)?.untilRound ?? 0) > this.#round;
  }

  failed(name: string): void {
    this.#rest(name, (this.#failed.get(name)?.times ?? 0) + 1);
  }

  #rest(name: string, failures: number): void {
    const times = Math.min(failures, MOST_TIMES);
    const beyond = times - this.#failuresBeforeRest;
    const restRounds = beyond < 0 ? 0 : Math.min(2 ** (beyond + 1), LONGEST_REST_ROUNDS);
    this.#failed.set(name, { times, untilRound: restRounds === 0 ? 0 : this.#round + 1 + restRounds });
  }

  succeeded(name: string): void {
    this.#failed.delete(name);
  }

  clear(): void {
    this.#failed.clear();
  }
}
