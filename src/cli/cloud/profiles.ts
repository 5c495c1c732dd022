/** `hostnode cloud whoami`, `profiles` and `logout`: the accounts that are saved, and the one that counts. */
import { dirname } from 'node:path';
import * as z from 'zod';
import { ConfigError } from '../../base/errors.ts';
import { exitCode } from '../../base/exit-code.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { checkAccount } from '../../cloud/account.ts';
import type { CloudConfig } from '../../config/load.ts';
import { readUserProfiles, userCloudsFile, withoutProfile } from '../../config/profiles.ts';
import { readPrivateFile } from '../../config/secrets.ts';
import { Folder } from '../../host/folder.ts';
import { writeFileWhole } from '../../host/json-file.ts';
import { StateUnwritableError } from '../../host/state-errors.ts';
import { CommandError, say, UsageError } from '../terminal.ts';
import { type AnswerOptions, checkFields, sayAnswer } from './answer.ts';
import { allProfiles, type CloudOption, chosenCloud, DEFAULT_PROFILE, withClient } from './chosen-cloud.ts';

const text = z.string().optional();
const Account = z.object({
  profile: text,
  baseUrl: text,
  username: text,
  organizationId: z.int().optional(),
  from: text,
});

/** @throws {CloudError} the cloud does not accept the account */
export const checkCloud = (cloud: CloudConfig): Promise<void> =>
  checkAccount(cloud.baseUrl, (baseUrl, query) =>
    withClient({ ...cloud, baseUrl }, (client) => client.devices.list(query)),
  );

/** Prints the account that counts, once the cloud has accepted it. */
export async function whoami(options: CloudOption & AnswerOptions): Promise<void> {
  checkFields(Account, options);
  const { cloud, name } = await chosenCloud(options);
  await checkCloud(cloud);
  const { baseUrl, username, organizationId } = cloud;
  await sayAnswer(omitUndefined({ profile: name, baseUrl, username, organizationId }), Account, options);
}

/** Prints all accounts that have a name, without their keys. */
export async function profiles(options: CloudOption & AnswerOptions): Promise<void> {
  checkFields(z.array(Account), options);
  const found = Object.entries(await allProfiles(options)).map(
    ([profile, { baseUrl, username, organizationId, from }]) =>
      omitUndefined({ profile, baseUrl, username, organizationId, from }),
  );
  await sayAnswer(found, z.array(Account), options);
}

/** Removes an account, with its key, from the user's own file. */
export async function logout({ profile: name = DEFAULT_PROFILE }: { profile?: string }): Promise<void> {
  const file = userCloudsFile(process.env);
  if (!Object.hasOwn(await readUserProfiles(file), name))
    throw new UsageError(`${file} has no profile ${JSON.stringify(name)}`);
  await writeProfiles(file, await withoutProfile(readPrivateFile(file).text ?? '', name));
  say(`Removed the profile ${name} from ${file}; its API key is still valid in the cloud.`);
}

/** Writes the user's own file. */
export async function writeProfiles(file: string, text: string): Promise<void> {
  try {
    await (await Folder.open(dirname(file), { make: true })).close();
    await writeFileWhole(file, text);
  } catch (error) {
    if (error instanceof ConfigError || !(error instanceof Error)) throw error;
    const namesFile = error instanceof StateUnwritableError;
    const why = namesFile ? error.message : `cannot write ${file}: ${error.message}`;
    throw new CommandError(exitCode.failed, why);
  }
}
