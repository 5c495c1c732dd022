const collator = new Intl.Collator('en', { numeric: true });

/** Compares texts with their numbers as numbers, for `sort`: `1-1.4`, `1-2.3`, `1-2.10`; `bay 9`, `bay 10`. */
export const naturalOrder = (one: string, other: string): number => collator.compare(one, other);
