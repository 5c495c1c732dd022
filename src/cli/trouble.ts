/** Failures of adb and the cloud as lines for a person: what happened, the cloud's words, and what to do. */
import { remedyFor } from '../adb/remedy.ts';
import type { AdbUnavailableError } from '../base/errors.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { Config } from '../config/load.ts';
import { readHostKind } from '../host/host-kind.ts';

const doThis = (remedy: string): string => `  → ${remedy}`;

/** @param what failed because of it, if that is not clear */
export function troubleLines(
  what: string | undefined,
  { failure, said, remedy }: CloudTrouble,
): [string, ...string[]] {
  return [
    what === undefined ? failure : `${what}: ${failure}`,
    ...(said === undefined ? [] : [`  the cloud says: ${said}`]),
    ...(remedy === undefined ? [] : [doThis(remedy)]),
  ];
}

export async function adbTroubleLines(
  error: AdbUnavailableError,
  { adb: { host, port } }: Pick<Config, 'adb'>,
): Promise<[string, string]> {
  const hostKind = await readHostKind('/', process.env);
  return [error.message, doThis(remedyFor(error, { host, port, hostKind }))];
}
