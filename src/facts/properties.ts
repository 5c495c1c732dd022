/**
 * System properties, as `getprop` prints them: `[key]: [value]`, one after the other.
 *
 * Source: AOSP toolbox getprop.c (until 6.0) and toybox getprop.c. They escape nothing: a value may contain line breaks
 * and brackets, so it ends at the last line that ends with `]` before the next property.
 */
import { plainText } from './phone-text.ts';

/** Values by key, in printed order; '' for an empty property. */
export type Properties = ReadonlyMap<string, string>;

/** Skips lines before the first property (an echoed prompt, a warning). Never throws. */
export function parseProperties(text: string): Properties {
  const plain = plainText(text);
  const properties = new Map<string, string>();
  const starts = [...plain.matchAll(/^\[([^\]\n\r\u2028\u2029]+)\]: \[/gm)];
  for (const [i, start] of starts.entries()) {
    const key = start[1] ?? '';
    const value = untilBracket(plain.slice(start.index + start[0].length, starts[i + 1]?.index));
    if (value !== undefined && !properties.has(key)) properties.set(key, value);
  }
  return properties;
}

/** The part before the last `]` that ends a line; undefined if there is none: the value was cut short. */
function untilBracket(rest: string): string | undefined {
  const end = rest.endsWith(']') ? rest.length - 1 : rest.lastIndexOf(']\n');
  return end < 0 ? undefined : rest.slice(0, end);
}
