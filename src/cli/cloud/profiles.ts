/** `hostnode cloud login`, `logout`, `whoami` and `profiles`: the accounts that are saved, and the one that counts. */
import { resolve } from 'node:path';
import * as z from 'zod';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { allowed } from '../../base/schema.ts';
import { CloudError } from '../../cloud/errors.ts';
import { checkAccount } from '../../cloud/roots.ts';
import { withoutSecrets } from '../../config/checks.ts';
import { checkBaseUrl, profileName } from '../../config/cloud.ts';
import { mustBe } from '../../config/first-file.ts';
import type { CloudConfig } from '../../config/load.ts';
import {
  type NewProfile,
  profilesOf,
  readUserProfiles,
  resolveProfile,
  userCloudsFile,
  withoutProfile,
  withProfile,
} from '../../config/profiles.ts';
import { settings } from '../../config/schema.ts';
import { readPrivateFile } from '../../config/secrets.ts';
import { notWritten, writeNewFiles } from '../output-files.ts';
import { type Account, apiKeyFromInput, askAccount, hasPerson, notAccepted } from '../questions.ts';
import { CommandError, say, UsageError } from '../terminal.ts';
import { type AnswerOptions, checkFields, sayAnswer } from './answer.ts';
import { allProfiles, type CloudOptions, chosenCloud, DEFAULT_PROFILE, withClient } from './chosen-cloud.ts';
import { cancelled, codeOf } from './refusals.ts';

const text = z.string().optional();
const Shown = z.object({
  profile: text,
  baseUrl: text,
  username: text,
  organizationId: z.int().optional(),
  from: text,
});

const checkCloud = (cloud: CloudConfig): Promise<void> =>
  checkAccount(cloud.baseUrl, (baseUrl, query) =>
    withClient({ ...cloud, baseUrl }, (client) => client.devices.list(query)),
  );

export async function whoami(options: CloudOptions & AnswerOptions): Promise<void> {
  checkFields(Shown, options);
  const { cloud, name } = await chosenCloud(options);
  await checkCloud(cloud);
  const { baseUrl, username, organizationId } = cloud;
  await sayAnswer(omitUndefined({ profile: name, baseUrl, username, organizationId }), Shown, options);
}

export async function profiles(options: CloudOptions & AnswerOptions): Promise<void> {
  checkFields(z.array(Shown), options);
  const found = Object.entries(await allProfiles(options)).map(
    ([profile, { baseUrl, username, organizationId, from }]) =>
      omitUndefined({ profile, baseUrl: baseUrl && withoutSecrets(baseUrl), username, organizationId, from }),
  );
  await sayAnswer(found, z.array(Shown), options);
}

type LoginOptions = CloudOptions<'allowInsecure' | 'offline', 'baseUrl' | 'username' | 'caFile'> & {
  organizationId?: number;
};

export async function login(options: LoginOptions): Promise<void> {
  const { profile: name = DEFAULT_PROFILE, offline = false } = options;
  const { caFile, allowInsecure, organizationId } = options;
  const [problem, ...more] = problemsOf(options, name);
  if (problem !== undefined) throw new UsageError(problem, ...more);
  const file = userCloudsFile(process.env);
  const isReplaced = Object.hasOwn(await readUserProfiles(file), name);
  const account = hasPerson() ? await askAccount(options) : await fromInput(options);
  if (account === undefined) throw cancelled();
  const ca = caFile === undefined ? undefined : resolve(caFile); // other commands run in other folders
  const profile: NewProfile = omitUndefined({ ...account, caFile: ca, allowInsecure, organizationId });
  if (!offline) await mustBeAccepted(name, profile);
  const { text = '' } = readPrivateFile(file);
  await writeProfiles(file, await withProfile(text, name, profile));
  const again = name === DEFAULT_PROFILE ? '' : ` --profile ${name}`;
  say(`${isReplaced ? 'Replaced' : 'Wrote'} the profile ${name} in ${file} (only you can read it).`);
  say('Next:', `  hostnode cloud devices list${again}`);
}

function problemsOf(
  { baseUrl, username, organizationId, allowInsecure = false }: LoginOptions,
  name: string,
): string[] {
  const isName = profileName.safeParse(name).success;
  const address = baseUrl === undefined ? undefined : checkBaseUrl(baseUrl, allowInsecure);
  const user = username === undefined ? undefined : mustBe('cloud.username', username);
  const id = organizationId === undefined ? undefined : mustBe('cloud.organizationId', organizationId);
  return [
    ...(isName ? [] : [`--profile: must be ${allowed(profileName)}`]),
    ...(address && 'mustBe' in address ? [`--base-url: must be ${address.mustBe}`] : []),
    ...(user === undefined ? [] : [`--username: must be ${user}`]),
    ...(id === undefined ? [] : [`--organization-id: must be ${id}`]),
  ];
}

async function fromInput({ baseUrl, username }: LoginOptions): Promise<Account> {
  if (baseUrl === undefined || username === undefined)
    throw new UsageError(
      'no terminal to ask on: use --base-url and --username, with the API key on standard input',
    );
  return { baseUrl, username, apiKey: await apiKeyFromInput() };
}

async function mustBeAccepted(name: string, profile: NewProfile): Promise<void> {
  const parsed = settings.parse({ clouds: { [name]: profile } });
  const cloud = resolveProfile(name, profilesOf(parsed.clouds), process.env);
  await checkCloud(cloud).catch((error: unknown) => {
    throw error instanceof CloudError ? new CommandError(codeOf(error), notAccepted(error)) : error;
  });
}

export async function logout({ profile: name = DEFAULT_PROFILE }: { profile?: string }): Promise<void> {
  const file = userCloudsFile(process.env);
  if (!Object.hasOwn(await readUserProfiles(file), name))
    throw new UsageError(`${file} has no profile ${JSON.stringify(name)}`);
  await writeProfiles(file, await withoutProfile(readPrivateFile(file).text ?? '', name));
  say(`Removed the profile ${name} from ${file}; its API key is still valid in the cloud.`);
}

const writeProfiles = (path: string, text: string): Promise<void> =>
  writeNewFiles([{ path, text, mode: 0o600, folderMode: 0o700 }], true).catch(notWritten('file'));
