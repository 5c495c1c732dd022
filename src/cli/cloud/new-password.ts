/** The password of a new user: from the environment, or from a person, so that it is in no list of processes. */
import { inputsOf } from '../../cloud/contract/inputs.ts';
import type { Operation } from '../../cloud/contract/operation.ts';
import { CloudArgumentError } from '../../cloud/errors.ts';
import { prepare } from '../../cloud/request.ts';
import { NEW_USER_PASSWORD } from '../../config/environment.ts';
import { sayError } from '../terminal.ts';
import { askSecret, hasPerson } from './questions.ts';
import { UsageError } from './refusals.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * The input with the secret that it needs and that no option gave.
 *
 * @throws {CloudArgumentError} something else is wrong: nobody is asked then
 * @throws {UsageError} there is nobody to ask
 */
export async function withPassword(operation: Operation, input: Values): Promise<Values> {
  const secret = inputsOf(operation).find(({ isSecret }) => isSecret);
  if (secret === undefined) return input;
  const { name } = secret;
  if (input[name] !== undefined) {
    sayError(
      `--${name}: other users of this host can see it in the list of processes; ${NEW_USER_PASSWORD} hides it, or the question on a terminal`,
    );
    return input;
  }
  if (isComplete(operation, input)) return input; // single sign-on
  prepare(operation, { ...input, [name]: 'any' });
  const password = process.env[NEW_USER_PASSWORD];
  if (password) return { ...input, [name]: password };
  if (hasPerson()) return { ...input, [name]: await askSecret('Password of the new user (it is not shown)') };
  throw new UsageError(
    `no password: set ${NEW_USER_PASSWORD}, or use a terminal, where you are asked for it`,
  );
}

function isComplete(operation: Operation, input: Values): boolean {
  try {
    prepare(operation, input);
    return true;
  } catch (error) {
    if (!(error instanceof CloudArgumentError)) throw error;
    return false;
  }
}
