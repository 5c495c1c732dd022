/** A target: one reader of foreign input, how its inputs are made, and what must hold of each. */
import type * as fc from 'fast-check';

export interface Target {
  readonly name: string;
  readonly inputs: fc.Arbitrary<unknown>;
  /** Before the first input; what it returns is called after the last one. */
  open?(): Promise<() => Promise<void>>;
  /** Throws, or rejects with, what does not hold. */
  check(input: unknown): void | Promise<void>;
}

/** A target whose inputs have a type of their own. */
export const target = <I>(parts: {
  name: string;
  inputs: fc.Arbitrary<I>;
  open?(): Promise<() => Promise<void>>;
  check(input: I): void | Promise<void>;
}): Target => parts as Target;

/** What a worker is asked to do. */
export interface Order {
  target: string;
  seed: number;
  /** One input alone. */
  path?: string;
  /** For how long, ms. */
  forMs: number;
}

/** What does not hold, and for which input. */
export interface Finding {
  target: string;
  seed: number;
  /** fast-check's way to the input: its number, then the steps of its shrinking. */
  path: string;
  what: string;
  /** The input as source text. */
  input: string;
}

/** What came of an order. */
export interface Outcome {
  /** Inputs that were tried, those of the shrinking left out. */
  runs: number;
  finding?: Finding;
}

/** What the worker tells while it works, as 32-bit numbers in shared memory. */
export const progressOf = (memory: SharedArrayBuffer) => ({
  /** [inputs begun in this order, 1 while an input is made smaller] */
  cells: new Int32Array(memory),
});
export const PROGRESS_BYTES = 8;
