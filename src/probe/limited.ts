/** Runs code with a time limit: whatever it does, it holds the event loop no longer. */
import { Script } from 'node:vm';
import { hasCode } from '../base/errors.ts';

/** Where the script finds what it is to run: only what runs within it can be ended. */
const PLACE = Symbol.for('hostnode.limited');
const shelf = globalThis as { [PLACE]?: () => void };
const script = new Script(`globalThis[Symbol.for('hostnode.limited')]()`);

/**
 * Runs this. V8 ends it after its time limit, in the middle of a regular expression too, and nothing in it can catch that.
 * Only a single call of Node's or V8's own code comes to its end first.
 *
 * @returns whether it came to its own end
 * @throws what it throws
 */
export function endsWithin(limitMs: number, work: () => void): boolean {
  shelf[PLACE] = work;
  try {
    script.runInThisContext({ timeout: limitMs, displayErrors: false });
    return true;
  } catch (error) {
    if (hasCode(error, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) return false;
    throw error;
  } finally {
    delete shelf[PLACE];
  }
}
