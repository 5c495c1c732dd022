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
import { sayError } from '../terminal.ts';
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
    process.exitCode = explain(error, operation);
  }
}

/** @returns the exit code */
function explain(error: unknown, operation: Operation | undefined): number {
  if (error instanceof CloudArgumentError) {
    const problems = error.problems.map((each) =>
      operation === undefined ? each : problemInFlags(operation, each),
    );
    const [first = 'the command line is wrong', ...more] = problems;
    sayError(first, ...more);
    return exitCode.usage;
  }
  if (error instanceof UsageError || error instanceof CancelledError) {
    sayError(error.message);
    return error instanceof UsageError ? exitCode.usage : exitCode.failed;
  }
  if (!(error instanceof CloudError)) throw error;
  const { retryAfterMs } = error;
  const wait =
    retryAfterMs === undefined ? '' : `; it asks for ${Math.ceil(retryAfterMs / 1000)} s of patience`;
  sayError(error.message + wait);
  return codeOf(error);
}

/** The cloud refuses this one request, or cannot be used at all. */
export function codeOf(error: CloudError): number {
  if (error instanceof CloudUploadError)
    return error.cause instanceof CloudError ? codeOf(error.cause) : exitCode.failed;
  const isOfThisRequest = error instanceof CloudRefusedError || error instanceof CloudTooLargeError;
  return isOfThisRequest ? exitCode.failed : exitCode.cloud;
}
