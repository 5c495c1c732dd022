/** Runs code with a time limit, so that it cannot hold the event loop longer. */
import { Script } from 'node:vm';
import { hasCode } from '../../src/base/errors.ts';

/** The script can only reach globals, and V8's time limit holds only for what a script runs. */
const KEY = Symbol.for('hostnode.limited');
const globals = globalThis as { [KEY]?: () => void };
const script = new Script(`globalThis[Symbol.for('hostnode.limited')]()`);

/**
 * Runs `work`. V8 ends it after its time limit, even within a regular expression, and `work` cannot catch that. Only a
 * single call of Node's or V8's own code runs to its end first.
 *
 * @returns whether it ended by itself
 * @throws what `work` throws
 */
export function endsWithin(limitMs: number, work: () => void): boolean {
  globals[KEY] = work;
  try {
    script.runInThisContext({ timeout: limitMs, displayErrors: false });
    return true;
  } catch (error) {
    if (hasCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) return false;
    throw error;
  } finally {
    delete globals[KEY];
  }
}
