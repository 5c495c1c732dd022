/** What is wrong as lines for a person: failures of adb and the cloud, with what to do; why there are no phones. */
import { remedyFor } from '../adb/remedy.ts';
import { AdbUnavailableError, hasCode } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { quantity } from '../base/words.ts';
import { CloudError, type CloudTrouble } from '../cloud/errors.ts';
import type { Config } from '../config/load.ts';
import { readHostKind } from '../host/host-kind.ts';
import type { PhonesOnUsb } from '../host/usb-sight.ts';
import { isOneThere } from '../status/host-status.ts';
import { NoAgentError } from '../status/http/client.ts';
import { configFailure } from './configuration.ts';
import { CommandError, FailedError } from './terminal.ts';

/** @param what failed because of it, if that is not clear */
export function troubleLines(
  what: string | undefined,
  { failure, said, remedy }: CloudTrouble,
): [string, ...string[]] {
  return [
    what === undefined ? failure : `${what}: ${failure}`,
    ...(said === undefined ? [] : [`  the cloud says: ${said}`]),
    ...(remedy === undefined ? [] : [`  → ${remedy}`]),
  ];
}

/** What a person reads of an error that ends a command; undefined: a bug. */
export function failureOf(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  if (error instanceof NoAgentError) return new FailedError(error.message);
  if (error instanceof CloudError)
    return new CommandError(exitCode.cloud, ...troubleLines(undefined, error.trouble));
  if (hasCode(error, 'ENOENT') && (error as NodeJS.ErrnoException).syscall === 'uv_cwd')
    return new FailedError('the current folder was removed: change to another one');
  return configFailure(error);
}

/** Takes the errors of work with the adb server of this configuration: says what to do where it cannot be reached. */
export const adbFailure =
  ({ adb: { host, port } }: Pick<Config, 'adb'>) =>
  (error: unknown): never => {
    if (!(error instanceof AdbUnavailableError)) throw error;
    const remedy = remedyFor(error, { host, port, hostKind: readHostKind('/', process.env) });
    throw new CommandError(exitCode.adb, error.message, `  → ${remedy}`);
  };

export function whyNoPhones({ entries, ignored }: { entries: number; ignored: number }, onUsb?: PhonesOnUsb) {
  if (entries === 0) return `No phones: adb lists none. ${isOneThere(onUsb)}`;
  if (ignored > 0) return `No phones: the configuration ignores ${quantity(ignored, 'phone')}`;
  return 'No phones: all that adb lists has been offline for long, or has no name';
}
