/** Chance with a seed: the same seed always gives the same story. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0;
    this.number();
  }

  /** From 0 up to 1. Source: mulberry32, public domain. */
  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.number() * (high - low);
  }

  /** A whole number, both ends included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(of: number): boolean {
    return this.number() < of;
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('there is nothing to pick from');
    return from[this.whole(0, from.length - 1)] as T;
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, by: this.number() }))
      .sort((one, other) => one.by - other.by)
      .map(({ item }) => item);
  }

  /** How often something happens that happens `mean` times on average. Source: Knuth, for small means. */
  poisson(mean: number): number {
    let count = 0;
    for (let left = Math.exp(-mean), product = this.number(); product > left; product *= this.number())
      count += 1;
    return count;
  }
}
