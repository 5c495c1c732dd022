/** The tail of the agent's log, where journald has it: `journalctl` with fixed arguments. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../../base/environment.ts';
import { hasCode } from '../../base/errors.ts';

const LINES = 5000;
const LIMIT_MS = 8_000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * @returns oldest first; a line that is JSON as an object, any other as text
 * @throws an error that says why there is no log
 */
export async function readJournal(env: NodeJS.ProcessEnv): Promise<unknown[]> {
  const lines = (await printed(env)).split('\n').filter((line) => line !== '');
  if (lines.length === 0 || lines[0]?.startsWith('-- No entries'))
    throw new Error('journald has no log of hostnode');
  return lines.map(parsed);
}

async function printed(env: NodeJS.ProcessEnv): Promise<string> {
  const args = ['--unit=hostnode', `--lines=${LINES}`, '--output=cat', '--no-pager', '--quiet'];
  try {
    const options = { timeout: LIMIT_MS, maxBuffer: MOST_BYTES, env: childEnvironment(env) };
    return (await promisify(execFile)('journalctl', args, options)).stdout;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new Error('journalctl is not installed here');
    if (hasCode(error, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'))
      throw new Error('journald’s log lines are too long');
    throw new Error('journalctl failed');
  }
}

function parsed(line: string): unknown {
  if (!line.startsWith('{')) return line;
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}
