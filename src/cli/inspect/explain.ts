/** Explanations on the terminal: each command once, and below it its fields with their source lines. */
import { visible } from '../../base/printable.ts';
import { elsewhere } from '../../report/sources.ts';
import type { Explanation } from './explanation.ts';

/**
 * @param title names the phone
 * @returns lines
 */
export function explanationLines(title: string, explanations: readonly Explanation[]): string[] {
  const width = Math.max(...explanations.map(({ field }) => field.length));
  const groups = Map.groupBy(explanations, ({ sources, why }) =>
    sources.length > 0 ? sources.map(({ name }) => name).join() : `?${why}`,
  );
  return [visible(title), ...[...groups.values()].flatMap((group) => groupLines(group, width)), ''];
}

function groupLines(group: readonly Explanation[], width: number): string[] {
  const lines = ['', ...(group[0]?.sources ?? []).map(({ name, command }) => `  ${heading(name, command)}`)];
  for (const [index, { field, value, why, sources }] of group.entries()) {
    lines.push(`    ${field.padEnd(width)}  ${visible(why === undefined ? shown(value) : `– ${why}`)}`);
    const raw = rawLines(sources);
    const next = group[index + 1];
    // fields from the same lines share them
    if (next === undefined || rawLines(next.sources).join() !== raw.join()) lines.push(...raw);
  }
  return lines;
}

const heading = (name: string, command: string): string =>
  isElsewhere(name) ? `${elsewhere[name]}${command && `  (${command})`}` : `${name}  $ ${visible(command)}`;

const isElsewhere = (name: string): name is keyof typeof elsewhere => name in elsewhere;

const rawLines = (sources: Explanation['sources']): string[] =>
  sources.flatMap(({ name, text }) =>
    text === undefined || text === ''
      ? []
      : text.split('\n').map((line) => `      ${sources.length > 1 ? `${name} ` : ''}│ ${visible(line)}`),
  );

function shown(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(empty)' : value;
  return Array.isArray(value) && value.every((each) => typeof each !== 'object')
    ? value.join(', ')
    : JSON.stringify(value);
}
