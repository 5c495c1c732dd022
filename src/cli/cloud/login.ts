/** `hostnode cloud login`: writes an account into the user's own file of clouds, for `hostnode cloud --profile`. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { allowed } from '../../base/schema.ts';
import { CloudError } from '../../cloud/errors.ts';
import { checkBaseUrl, profileName } from '../../config/cloud.ts';
import { mustBe } from '../../config/first-file.ts';
import {
  type NewProfile,
  profilesOf,
  readUserProfiles,
  resolveProfile,
  userCloudsFile,
  withProfile,
} from '../../config/profiles.ts';
import { settings } from '../../config/schema.ts';
import { readPrivateFile } from '../../config/secrets.ts';
import { type Account, apiKeyFromInput, askAccount, hasPerson, notAccepted } from '../questions.ts';
import { CommandError, say, UsageError } from '../terminal.ts';
import { DEFAULT_PROFILE } from './chosen-cloud.ts';
import { checkCloud, writeProfiles } from './profiles.ts';
import { cancelled, codeOf } from './refusals.ts';

export interface LoginOptions {
  profile?: string;
  baseUrl?: string;
  username?: string;
  caFile?: string;
  allowInsecure?: boolean;
  organizationId?: number;
  offline?: boolean;
}

export async function login(options: LoginOptions): Promise<void> {
  const { profile: name = DEFAULT_PROFILE, offline = false } = options;
  const { caFile, allowInsecure, organizationId } = options;
  const [problem, ...more] = problemsOf(options, name);
  if (problem !== undefined) throw new UsageError(problem, ...more);
  const file = userCloudsFile(process.env);
  const isReplaced = Object.hasOwn(await readUserProfiles(file), name);
  const account = hasPerson() ? await askAccount(options) : await fromInput(options);
  if (account === undefined) throw cancelled();
  const profile: NewProfile = omitUndefined({ ...account, caFile, allowInsecure, organizationId });
  if (!offline) await mustBeAccepted(name, profile);
  const { text = '' } = readPrivateFile(file);
  await writeProfiles(file, await withProfile(text, name, profile));
  const again = name === DEFAULT_PROFILE ? '' : ` --profile ${name}`;
  say(`${isReplaced ? 'Replaced' : 'Wrote'} the profile ${name} in ${file} (only you can read it).`);
  say('Next:', `  hostnode cloud devices list${again}`);
}

function problemsOf({ baseUrl, username, allowInsecure = false }: LoginOptions, name: string): string[] {
  const isName = profileName.safeParse(name).success;
  const address = baseUrl === undefined ? undefined : checkBaseUrl(baseUrl, allowInsecure);
  const user = username === undefined ? undefined : mustBe('cloud.username', username);
  return [
    ...(isName ? [] : [`--profile: must be ${allowed(profileName)}`]),
    ...(address && 'mustBe' in address ? [`--base-url: must be ${address.mustBe}`] : []),
    ...(user === undefined ? [] : [`--username: must be ${user}`]),
  ];
}

/** The key from standard input, all else from the options. */
async function fromInput({ baseUrl, username }: LoginOptions): Promise<Account> {
  if (baseUrl === undefined || username === undefined)
    throw new UsageError(
      'no terminal to ask on: use --base-url and --username, with the API key on standard input',
    );
  return { baseUrl, username, apiKey: await apiKeyFromInput() };
}

/** @throws {CommandError} the cloud does not accept the account */
async function mustBeAccepted(name: string, profile: NewProfile): Promise<void> {
  const parsed = settings.parse({ clouds: { [name]: profile } });
  const cloud = resolveProfile(name, profilesOf(parsed.clouds), process.env);
  await checkCloud(cloud).catch((error: unknown) => {
    throw error instanceof CloudError ? new CommandError(codeOf(error), notAccepted(error)) : error;
  });
}
