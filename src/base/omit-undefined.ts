/** The same object type without its `undefined` values: a key is there with a value, or it is not there. */
export type OmitUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the keys whose value is `undefined`: absent means unknown, everywhere in hostnode. */
export function omitUndefined<T extends object>(values: T): OmitUndefined<T> {
  const there: Record<string, unknown> = {};
  // no list of the keys: this is called for each value of each phone
  for (const key in values) {
    const value = values[key];
    if (value !== undefined) there[key] = value;
  }
  return there as OmitUndefined<T>;
}
