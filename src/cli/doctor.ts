/** `hostnode doctor`: looks at everything that can be wrong on a host, and says how to mend it. It changes nothing. */
import { hostname } from 'node:os';
import { withServiceEnvironment } from '../config/service-environment.ts';
import { examine } from '../doctor/examination.ts';
import { exitCodeOf, reportLines } from '../doctor/report.ts';
import { present } from '../present.ts';
import { version } from '../version.ts';
import type { ConfigOption } from './configuration.ts';
import { ProgressLine, say, terminalWidth } from './terminal.ts';

export interface DoctorOptions extends ConfigOption {
  json?: boolean;
}

export async function doctor({ json = false, config: file }: DoctorOptions): Promise<void> {
  const progress = new ProgressLine();
  progress.show('looking …');
  const env = withServiceEnvironment(process.env, file);
  const examination = { env, root: '/', uid: process.getuid?.() ?? 0, ...present({ file }) };
  const groups = await examine(examination).finally(() => progress.clear());
  const code = exitCodeOf(groups);
  if (json) say(JSON.stringify({ version, hostname: hostname(), exitCode: code, groups }, null, 2));
  else say(...reportLines(groups, terminalWidth(process.stdout)));
  process.exitCode = code;
  // unref: an end that nothing keeps from coming comes by itself
  process.stdout.write('', () => setTimeout(() => endAs(code), GRACE_MS).unref());
}

/** How long what still runs after the report has to end. */
const GRACE_MS = 500;

/**
 * Ends this process although a thread of it waits for a disk that does not answer: `process.exit` would wait for that
 * thread. Another program takes the process over, which ends all its threads, and does nothing but end.
 */
function endAs(code: number): void {
  process.execve?.(process.execPath, ['node', '-e', `process.exitCode = ${code}`], {});
}
