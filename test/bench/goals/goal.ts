/** A figure, and what it must not exceed. */
export interface Goal {
  /** What was measured. */
  what: string;
  value: number;
  /** Of the value and the bound: `×`, `ms`, `MB`, `%`, … */
  unit: string;
  atMost?: number;
  atLeast?: number;
  /** What the value was made of. */
  detail?: string;
}

export const isMet = ({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Goal): boolean => value <= atMost && value >= atLeast;

/** `goal …: value  (at most …)  ok`. */
export function goalLine(goal: Goal): string {
  const { what, value, unit, atMost, atLeast, detail } = goal;
  const bound = atMost !== undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  const made = detail === undefined ? '' : `; ${detail}`;
  return `goal ${what}: ${rounded(value)} ${unit}  (${bound} ${unit}${made})  ${isMet(goal) ? 'ok' : 'NOT'}`;
}

/** Three digits that count. */
export const rounded = (value: number): string => String(Number(value.toPrecision(3)));
