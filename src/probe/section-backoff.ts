/**
 * A section or command that hangs, or cannot be read, twice in a row rests for some rounds: each try at a hung service
 * ties up one more thread of it on the phone. The rest doubles with each further failure, from 2 rounds to 64.
 */
const FAILURES_BEFORE_REST = 2;
const LONGEST_REST_ROUNDS = 64;

export class SectionBackoff {
  #round = 0;
  readonly #failed = new Map<string, { times: number; untilRound: number }>();

  nextRound(): void {
    this.#round += 1;
  }

  isResting(name: string): boolean {
    return (this.#failed.get(name)?.untilRound ?? 0) > this.#round;
  }

  failed(name: string): void {
    const times = (this.#failed.get(name)?.times ?? 0) + 1;
    const beyond = times - FAILURES_BEFORE_REST;
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
