/** An order that looks like none and is the same for the same seed. */

/** Numbers from 0 to below 1 (mulberry32). */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** All of them in some order, then all in another one, without end. */
export function* shuffles<T>(all: readonly T[], seed: number): Generator<T, void> {
  const random = randomNumbers(seed);
  while (all.length > 0) {
    const left = [...all];
    while (left.length > 0) yield* left.splice(Math.floor(random.next().value * left.length), 1);
  }
}
