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
import { type Account, askAccount, hasPerson, notWritten } from '../questions.ts';
import { fail, say } from '../terminal.ts';
import { DEFAULT_PROFILE } from './chosen-cloud.ts';
import { textOfFile } from './input-files.ts';
import { checkCloud, isWritten } from './profiles.ts';
import { CancelledError, codeOf, explained, UsageError } from './refusals.ts';

export interface LoginOptions {
  profile?: string;
  baseUrl?: string;
  username?: string;
  caFile?: string;
  allowInsecure?: boolean;
  organizationId?: number;
  /** Write it without a request to the cloud. */
  offline?: boolean;
}

export const login = (options: LoginOptions): Promise<void> =>
  explained(async () => {
    const { profile: name = DEFAULT_PROFILE, offline = false } = options;
    const { caFile, allowInsecure, organizationId } = options;
    const problems = problemsOf(options, name);
    if (problems.length > 0) throw new UsageError(problems.join('\n'));
    const file = userCloudsFile(process.env);
    const isReplaced = Object.hasOwn(await readUserProfiles(file), name);
    const account = hasPerson() ? await fromPerson(options) : await fromInput(options);
    const profile: NewProfile = omitUndefined({ ...account, caFile, allowInsecure, organizationId });
    if (!offline && !(await isAccepted(name, profile))) return;
    const { text = '' } = readPrivateFile(file);
    if (!(await isWritten(file, await withProfile(text, name, profile)))) return;
    const again = name === DEFAULT_PROFILE ? '' : ` --profile ${name}`;
    say(`${isReplaced ? 'Replaced' : 'Wrote'} the profile ${name} in ${file} (only you can read it).`);
    say('Next:', `  hostnode cloud devices list${again}`);
  });

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

async function fromPerson({ baseUrl, username }: LoginOptions): Promise<Account> {
  const account = await askAccount(omitUndefined({ baseUrl, username }));
  if (account === undefined) throw new CancelledError();
  return account;
}

/** The key from standard input, all else from the options. */
async function fromInput({ baseUrl, username }: LoginOptions): Promise<Account> {
  if (baseUrl === undefined || username === undefined)
    throw new UsageError(
      'no terminal to ask on: use --base-url and --username, with the API key on standard input',
    );
  const apiKey = (await textOfFile('-')).trim();
  const needed = mustBe('cloud.apiKey', apiKey);
  if (needed !== undefined) throw new UsageError(`the API key on standard input must be ${needed}`);
  return { baseUrl, username, apiKey };
}

/** Does the cloud accept the account? Prints why not. */
async function isAccepted(name: string, profile: NewProfile): Promise<boolean> {
  const parsed = settings.parse({ clouds: { [name]: profile } });
  const cloud = resolveProfile(name, profilesOf(parsed.clouds, undefined), process.env);
  try {
    await checkCloud(cloud);
    return true;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    fail(codeOf(error), notWritten(error));
    return false;
  }
}
