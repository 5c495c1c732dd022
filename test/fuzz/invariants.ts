/** What must hold of what a reader returns or throws. */
import assert from 'node:assert/strict';
import { checkGrowth } from './growth.ts';
import { spelt, type Text } from './texts.ts';

type Class = abstract new (...args: never[]) => Error;

/** What the work returns; undefined where it threw one of these errors. Any other is a finding. */
export function orError<T>(work: () => T, ...classes: Class[]): T | undefined {
  try {
    return work();
  } catch (error) {
    if (classes.some((each) => error instanceof each)) return undefined;
    throw error;
  }
}

/** The same for work that takes a while. */
export async function orRejection<T>(work: () => Promise<T>, ...classes: Class[]): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (classes.some((each) => error instanceof each)) return undefined;
    throw error;
  }
}

/** Reads texts, each as it stands; and where a piece is repeated, longer and longer. */
export function checkTexts(texts: readonly Text[], read: (texts: string[]) => unknown): void {
  if (texts.some((text) => typeof text !== 'string')) checkGrowth(texts, read);
  else read(texts.map((text) => spelt(text, 0)));
}

export function inRange(what: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined) return;
  assert.ok(Number.isFinite(value) && value >= least && value <= most, `${what} is ${value}`);
}

export function wholeInRange(what: string, value: number | undefined, least: number, most: number): void {
  inRange(what, value, least, most);
  assert.ok(value === undefined || Number.isSafeInteger(value), `${what} is ${value}`);
}

const unprintable = /[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** One harmless line of bounded length. */
export function printableLine(what: string, text: string, longest: number): void {
  assert.ok(text.length <= longest, `${what} has ${text.length} characters`);
  assert.ok(
    text.isWellFormed() && !unprintable.test(text),
    `${what} is not printable: ${JSON.stringify(text)}`,
  );
}

/** Calls back for each text and number in a value, with where it stands; refuses what JSON cannot carry. */
export function visit(
  value: unknown,
  on: { text?(where: string, text: string): void; number?(where: string, number: number): void },
  where = 'it',
): void {
  if (typeof value === 'string') on.text?.(where, value);
  else if (typeof value === 'number') {
    assert.ok(Number.isFinite(value), `${where} is ${value}`);
    on.number?.(where, value);
  } else if (typeof value === 'object' && value !== null) {
    const prototype = Object.getPrototypeOf(value);
    assert.ok(
      prototype === Object.prototype || prototype === Array.prototype || prototype === null,
      `${where} is no plain object`,
    );
    for (const [key, part] of Object.entries(value)) visit(part, on, `${where}.${key}`);
  } else
    assert.ok(
      value === undefined || value === null || typeof value === 'boolean',
      `${where} is ${typeof value}`,
    );
}

/** Nobody has put anything into what all objects have. */
export function nothingInherited(): void {
  const found: string[] = [];
  for (const key in {}) found.push(key);
  assert.deepEqual(found, [], 'the prototype of all objects was written to');
}
