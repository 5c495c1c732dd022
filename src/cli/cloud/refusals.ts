/** What a person reads of an error that a cloud command ends with, and the exit code. */
import { exitCode } from '../../base/exit-code.ts';
import type { Operation } from '../../cloud/contract/operation.ts';
import {
  CloudArgumentError,
  CloudError,
  CloudRefusedError,
  CloudTooLargeError,
  CloudUploadError,
} from '../../cloud/errors.ts';
import { configFailure } from '../configuration.ts';
import { CommandError, FailedError, UsageError } from '../terminal.ts';
import { problemInFlags } from './flags.ts';

export const cancelled = (): CommandError => new FailedError('cancelled: nothing was sent');

export function cloudFailure(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  if (error instanceof CloudError) return new CommandError(codeOf(error), error.message + patienceFor(error));
  return configFailure(error);
}

/**
 * Takes the errors of an operation: names the inputs that are wrong as flags.
 *
 * @param renamed for a command whose flags have other names
 */
export const inFlags =
  (operation: Operation, renamed = (words: string) => words) =>
  (error: unknown): never => {
    if (!(error instanceof CloudArgumentError)) throw error;
    const problems = error.problems.map((problem) => renamed(problemInFlags(operation, problem)));
    const [first = 'the command line is wrong', ...more] = problems;
    throw new UsageError(first, ...more);
  };

const patienceFor = ({ retryAfterMs }: CloudError): string =>
  retryAfterMs === undefined ? '' : `; it asks for ${Math.ceil(retryAfterMs / 1000)} s of patience`;

export function codeOf(error: CloudError): number {
  if (error instanceof CloudUploadError)
    return error.cause instanceof CloudError ? codeOf(error.cause) : exitCode.failed;
  const isOfThisRequest = error instanceof CloudRefusedError || error instanceof CloudTooLargeError;
  return isOfThisRequest ? exitCode.failed : exitCode.cloud;
}
