/** `hostnode doctor`: checks everything that can be wrong on a host, and says how to fix it. It changes nothing. */
import { hostname } from 'node:os';
import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import { withServiceEnvironment } from '../config/service-environment.ts';
import { examine } from '../doctor/examination.ts';
import { exitCodeOf, reportLines } from '../doctor/report.ts';
import type { ConfigOption } from './configuration.ts';
import { ProgressLine, say, sayJson, terminalWidth } from './terminal.ts';

export async function doctor({ json, config: file }: ConfigOption & { json?: boolean }): Promise<void> {
  const progress = new ProgressLine();
  progress.show('checking …');
  const env = withServiceEnvironment(process.env, file);
  const examination = { env, root: '/', uid: process.getuid?.() ?? 0, ...omitUndefined({ file }) };
  const groups = await examine(examination).finally(() => progress.clear());
  const code = exitCodeOf(groups);
  if (json) sayJson({ version, hostname: hostname(), exitCode: code, groups });
  else say(...reportLines(groups, terminalWidth(process.stdout)));
  endSoon(code);
}

/** Ends this process with this exit code once its output is written. */
export function endSoon(code: number): void {
  process.exitCode = code;
  // unref: without a hung thread the process ends by itself
  process.stdout.write('', () => setTimeout(() => endAs(code), GRACE_MS).unref());
}

/** Grace period after the report, ms. */
const GRACE_MS = 500;

/**
 * Ends this process even if one of its threads waits for a dead disk: `process.exit` would wait for that thread.
 * execve replaces the process, which ends all its threads; the new program only exits.
 */
function endAs(code: number): void {
  process.execve?.(process.execPath, ['node', '-e', `process.exitCode = ${code}`], {});
}
