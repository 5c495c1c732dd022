/** Questions to a person on the terminal. Loads the prompts only where one is asked. */
import { CancelledError } from './refusals.ts';

export const hasPerson = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

/** stdout is for results. */
const output = process.stderr;

/** @throws {CancelledError} at any answer but yes */
export async function confirmed(message: string): Promise<void> {
  const { confirm } = await import('@clack/prompts');
  if ((await confirm({ message, initialValue: false, output })) !== true) throw new CancelledError();
}

/**
 * A secret, typed without echo.
 *
 * @throws {CancelledError} the person gives up
 */
export async function askSecret(message: string): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const validate = (value: string | undefined) => (value ? undefined : 'Must be non-empty text');
  const answer = await password({ message, mask: '', validate, output });
  if (isCancel(answer)) throw new CancelledError();
  return answer;
}
