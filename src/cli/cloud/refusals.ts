/** Says why a cloud command failed, and sets the exit code. */
import { HostNodeError } from '../../base/errors.ts';
import { exitCode } from '../../base/exit-code.ts';
import type { Operation } from '../../cloud/contract/operation.ts';
import {
  CloudArgumentError,
  CloudError,
  CloudRefusedError,
  CloudTooLargeError,
  CloudUploadError,
} from '../../cloud/errors.ts';
import { orExplain } from '../configuration.ts';
import { fail } from '../terminal.ts';
import { problemInFlags } from './flags.ts';

/** The command line is wrong: nothing was sent. */
export class UsageError extends HostNodeError {
  readonly code = 'CLOUD_COMMAND_WRONG';
}

/** The person does not want it: nothing was sent. */
export class CancelledError extends HostNodeError {
  readonly code = 'CLOUD_COMMAND_CANCELLED';

  constructor() {
    super('cancelled: nothing was sent');
  }
}

/**
 * Runs `work`; prints a failure that a person can do something about.
 *
 * @param operation names the inputs that are wrong as flags
 */
export async function explained(work: () => Promise<void>, operation?: Operation): Promise<void> {
  try {
    await orExplain(work);
  } catch (error) {
    if (error instanceof CloudArgumentError) {
      const inFlags = (problem: string) => (operation ? problemInFlags(operation, problem) : problem);
      const [first = 'the command line is wrong', ...more] = error.problems.map(inFlags);
      fail(exitCode.usage, first, ...more);
    } else if (error instanceof UsageError) fail(exitCode.usage, error.message);
    else if (error instanceof CancelledError) fail(exitCode.failed, error.message);
    else if (error instanceof CloudError) fail(codeOf(error), error.message + patienceFor(error));
    else throw error;
  }
}

const patienceFor = ({ retryAfterMs }: CloudError): string =>
  retryAfterMs === undefined ? '' : `; it asks for ${Math.ceil(retryAfterMs / 1000)} s of patience`;

/** The cloud refuses this one request, or cannot be used at all. */
export function codeOf(error: CloudError): number {
  if (error instanceof CloudUploadError)
    return error.cause instanceof CloudError ? codeOf(error.cause) : exitCode.failed;
  const isOfThisRequest = error instanceof CloudRefusedError || error instanceof CloudTooLargeError;
  return isOfThisRequest ? exitCode.failed : exitCode.cloud;
}
