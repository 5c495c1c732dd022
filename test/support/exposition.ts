/** Reads Prometheus' text format, the strict way: a line that is none of it is an error. */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-z_]+)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** @throws {Error} on a line that is neither a comment nor a sample */
export function samplesOf(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
  return lines.map((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a sample: ${line}`);
    return { name, labels: labelsOf(labels), value: Number(value) };
  });
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let read = 0;
  for (let found = LABEL.exec(text); found; found = LABEL.exec(text)) {
    const [, name = '', value = ''] = found;
    labels[name] = value.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
    read = LABEL.lastIndex;
  }
  if (read !== text.length) throw new Error(`not labels: ${text}`);
  return labels;
}

/** The names that the text explains, each with its type. */
export const typesOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));

/** Every name that a query may ask for. */
export function queryableNames(text: string): Set<string> {
  const names = [...typesOf(text)].flatMap(([name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set(names);
}
