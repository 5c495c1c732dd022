/** The results of all checks, in groups: the text for a terminal, and the exit code. */
import { exitCode } from '../base/exit-code.ts';
import type { Line, Span, Style } from '../base/styled-text.ts';
import { quantity } from '../base/words.ts';
import { wrapped } from '../base/wrapped.ts';
import type { ShownResult, Status } from './check.ts';

/** The subject of a group; it decides the exit code of a failure. */
export type Area = 'configuration' | 'adb' | 'cloud' | 'host';

export interface Group {
  readonly title: string;
  readonly area: Area;
  /** As `doctor --json` calls them. */
  readonly findings: readonly ShownResult[];
}

/** Root causes first: the first area with a failure gives the exit code. */
const codes: readonly (readonly [Area, number])[] = [
  ['configuration', exitCode.config],
  ['adb', exitCode.adb],
  ['cloud', exitCode.cloud],
  ['host', exitCode.failed],
];

/** 0 if nothing failed; else the code of the area to fix first. */
export function exitCodeOf(groups: readonly Group[]): number {
  const hasFailed = (area: Area) =>
    groups.some((group) => group.area === area && group.findings.some(({ status }) => status === 'failed'));
  return codes.find(([area]) => hasFailed(area))?.[1] ?? exitCode.ok;
}

const signs: Readonly<Record<Status, readonly [sign: string, style: Style]>> = {
  ok: ['✔', 'green'],
  warning: ['!', 'yellow'],
  failed: ['✖', 'red'],
  skipped: ['–', 'dim'],
};
const SIGN_WIDTH = 10;

/** Lines for a terminal, wrapped to `width` columns. */
export function reportLines(groups: readonly Group[], width = 110): Line[] {
  const names = groups.flatMap(({ findings }) => findings.map(({ name }) => name.length));
  const nameWidth = Math.min(24, Math.max(0, ...names));
  const lines = groups.flatMap(({ title, findings }) => [
    [{ text: title, style: 'bold' } as const],
    ...findings.flatMap((result) => resultLines(result, nameWidth, width)),
    '',
  ]);
  return [...lines, summaryOf(groups)];
}

function resultLines(
  { name, status, seen, said, remedy }: ShownResult,
  nameWidth: number,
  width: number,
): Line[] {
  const [mark, style] = signs[status];
  const sign: Span = { text: ` ${mark} ${status.padEnd(SIGN_WIDTH - 2)} `, style };
  const indent = ' '.repeat(SIGN_WIDTH + nameWidth + 4);
  const room = Math.max(30, width - indent.length);
  const [first = '', ...rest] = wrapped(seen, room);
  const words = said === undefined ? [] : wrapped(`the cloud says: ${said}`, room);
  const [remedyFirst, ...remedyRest] = remedy === undefined ? [] : wrapped(`→ ${remedy}`, room - 2);
  return [
    [sign, { text: `${name.padEnd(nameWidth)}  `.padEnd(indent.length - sign.text.length) + first }],
    ...[...rest, ...words].map((line) => indent + line),
    ...(remedyFirst === undefined ? [] : [indent + remedyFirst]),
    ...remedyRest.map((line) => `${indent}  ${line}`),
  ];
}

function summaryOf(groups: readonly Group[]): string {
  const count = (wanted: Status) =>
    groups.flatMap(({ findings }) => findings).filter(({ status }) => status === wanted).length;
  const warnings = quantity(count('warning'), 'warning');
  return `${count('failed')} failed, ${warnings}, ${count('ok')} ok, ${count('skipped')} skipped`;
}
