/** The same object type without its `undefined` values: a key is there with a value, or it is not there. */
export type OmitUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the keys whose value is `undefined`: absent means unknown, everywhere in hostnode. */
export function omitUndefined<T extends object>(values: T): OmitUndefined<T> {
  const there: Record<string, unknown> = {};
  for (const key of Object.keys(values)) {
    const value = values[key as keyof T];
    if (value !== undefined) there[key] = value;
  }
  return there as OmitUndefined<T>;
}
