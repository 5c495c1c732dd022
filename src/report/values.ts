/** Single values on their way into the cloud's shape: readable, or left out. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { phoneText } from '../facts/phone-text.ts';

/** The shape `T` with every key spelled out, so that none is forgotten: what may be absent may be `undefined`. */
export type Spelled<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K];
};

/** An object without its `undefined` values; `undefined` when nothing is left. */
export function presentSome<T extends object>(values: T) {
  const kept = omitUndefined(values);
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** Foreign text made printable; `undefined` when nothing is left of it. */
export const text = (value: string | undefined): string | undefined => phoneText(value, 'name');

/** A number as the nearest integer; `undefined` for one that JSON cannot carry exactly. */
export function whole(value: number | undefined): number | undefined {
  const rounded = Math.round(value ?? Number.NaN);
  return Number.isSafeInteger(rounded) ? rounded : undefined;
}
