/** `hostnode doctor`: checks everything that can be wrong on a host, and says how to fix it. It changes nothing. */
import { hostname } from 'node:os';
import { exitCode } from '../base/exit-code.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Line, Style } from '../base/styled-text.ts';
import { version } from '../base/version.ts';
import { quantity } from '../base/words.ts';
import { withServiceEnvironment } from '../config/service-environment.ts';
import type { CheckResult, Status } from '../doctor/check.ts';
import { type Area, examine, type Group } from '../doctor/examination.ts';
import { type Block, behind, fitted, paragraph } from './columns.ts';
import type { ConfigOptions } from './configuration.ts';
import { ProgressLine, say, sayJson, terminalWidth } from './terminal.ts';

export async function doctor({ json, config: file }: ConfigOptions<'json'>): Promise<void> {
  const progress = new ProgressLine();
  progress.show('checking …');
  const env = withServiceEnvironment(process.env, file);
  const groups = await examine({ env, ...omitUndefined({ file }) }).finally(() => progress.clear());
  const code = exitCodeOf(groups);
  if (json) sayJson({ version, hostname: hostname(), exitCode: code, groups });
  else say(...reportLines(groups, terminalWidth(process.stdout)));
  endSoon(code);
}

/** Root causes first: the first area with a failure gives the exit code. */
const codes: readonly (readonly [Area, number])[] = [
  ['configuration', exitCode.config],
  ['adb', exitCode.adb],
  ['cloud', exitCode.cloud],
  ['host', exitCode.failed],
];

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
/** With less room beside the names, in columns of the terminal, what is seen goes below them. */
const LEAST_BESIDE = 20;
const INDENT = '    ';

export function reportLines(groups: readonly Group[], width = 110): Line[] {
  const all = groups.flatMap(({ findings }) => findings);
  const nameWidth = Math.min(24, Math.max(0, ...all.map(({ name }) => name.length)));
  const lines = groups.flatMap(({ title, findings }): Block[] => [
    [{ text: title, style: 'bold' }],
    ...findings.map((result) => resultLines(result, nameWidth)),
    '',
  ]);
  const count = (wanted: Status) => all.filter(({ status }) => status === wanted).length;
  const warnings = quantity(count('warning'), 'warning');
  const sum = `${count('failed')} failed, ${warnings}, ${count('ok')} ok, ${count('skipped')} skipped`;
  return fitted([...lines, paragraph(sum)], width);
}

const resultLines =
  ({ name, status, seen, said, remedy }: CheckResult, nameWidth: number): Block =>
  (width) => {
    const [mark, style] = signs[status];
    const sign = { text: ` ${mark} ${status.padEnd(SIGN_WIDTH - 2)} `, style };
    const named = { text: `${name.padEnd(nameWidth)}  ` };
    const beside = ' '.repeat(sign.text.length + nameWidth + 2);
    const isBeside = width - beside.length >= LEAST_BESIDE;
    const indent = isBeside ? beside : INDENT;
    const first = isBeside
      ? [behind([sign, named], seen)]
      : [behind(sign, name), behind({ text: indent }, seen)];
    const lines = [
      ...first,
      ...(said === undefined ? [] : [behind({ text: indent }, `the cloud says: ${said}`)]),
      ...(remedy === undefined ? [] : [behind({ text: `${indent}→ ` }, remedy)]),
    ];
    return fitted(lines, width);
  };

/** Ends this process with this exit code once its output is written. */
export function endSoon(code: number): void {
  process.exitCode = code;
  // unref: without a hung thread the process ends by itself
  process.stdout.write('', () => setTimeout(() => endAs(code), GRACE_MS).unref());
}

const GRACE_MS = 500;

/**
 * Ends this process even if one of its threads waits for a dead disk: `process.exit` would wait for that thread.
 * execve replaces the process, which ends all its threads; the new program only exits.
 */
function endAs(code: number): void {
  process.execve?.(process.execPath, ['node', '-e', `process.exitCode = ${code}`], {});
}
