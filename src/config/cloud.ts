/** `cloud`, and `clouds`, further ones for the command line: their schema, and the checks that it cannot express. */
import * as z from 'zod';
import type { Environment } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { text, whole } from '../base/schema.ts';
import { checkRoot } from '../cloud/roots.ts';
import { DEBUG_LEAKS, proxyProblems, quotedAddress, readAuthorities } from './address.ts';
import {
  credentialFile,
  isMissing,
  type KeyFile,
  keyIn,
  noSuchFile,
  readCredential,
  readKeyFile,
  Secret,
} from './secrets.ts';
import { isService } from './service-environment.ts';

/** How to reach a cloud, and who we are there. */
const account = {
  baseUrl: text().exactOptional().meta({
    description: "The v1 root of the cloud's API; hostnode appends /devices.",
    allowed: 'an https:// address without user, query or fragment',
    example: 'https://cloud.example.com/v1',
  }),
  v2BaseUrl: text().exactOptional().meta({
    description:
      "The v2 root of the cloud's API, for hostnode cloud. When unset: baseUrl with v2 in place of v1 at its end.",
    allowed: 'an https:// address without user, query or fragment',
    example: 'https://cloud.example.com/v2',
  }),
  username: z
    .string()
    .regex(/^[^:\p{Cc}]+$/u)
    .exactOptional()
    .meta({
      description: "The account's user name or email address.",
      allowed: 'text without ":" (HTTP Basic authentication ends the name at a colon)',
      example: 'lab@example.com',
      secret: true, // a rejected value may have the key after its colon
    }),
  apiKey: z
    .string()
    .regex(/^\P{Cc}+$/u)
    .exactOptional()
    .meta({
      description: "The account's API key. We recommend apiKeyFile instead.",
      allowed: 'one line of text',
      example: 'your-api-key',
      secret: true,
    }),
  apiKeyFile: text().exactOptional().meta({
    description:
      'The file with the API key; only its owner may read it (chmod 600). Under systemd use the credential "cloud-api-key" instead.',
    example: '/etc/hostnode/cloud-api-key',
  }),
  allowInsecure: z.boolean().default(false).meta({
    description:
      'Allow a plain http:// address other than this host. The API key then crosses the network unencrypted.',
  }),
  caFile: text().exactOptional().meta({
    description: 'CA certificates (PEM) to trust instead of the system CAs.',
    example: '/etc/hostnode/ca.pem',
  }),
  untagMethod: z.enum(['DEL', 'DELETE']).default('DEL').meta({
    description:
      'The HTTP method with which hostnode cloud removes a tag: DEL, as the API writes it, or DELETE.',
  }),
  storageVendor: z
    .string()
    .regex(/^[A-Za-z\d]{1,40}$/)
    .exactOptional()
    .meta({
      description:
        "The vendor's part of the storage's header x-VENDOR-tagging, for an upload whose URL does not show it.",
      allowed: 'up to 40 letters and digits',
      example: 'amz',
    }),
  connectTimeoutSeconds: whole(1, 300).default(5).meta({ description: 'Seconds to wait for a connection.' }),
  requestTimeoutSeconds: whole(1, 600)
    .default(20)
    .meta({ description: 'Seconds to wait for a whole request, including the answer.' }),
};

export const cloud = z
  .strictObject({
    ...account,
    refusedRetries: whole(0, 100).default(5).meta({
      description:
        'How often to send a rejected device again on its own. After that hostnode logs it once and sends it with each ordinary report.',
    }),
  })
  .meta({ description: 'The device cloud. Without baseUrl hostnode reports nothing.' });

const profile = z.strictObject(account);
/** How to reach a cloud of `clouds`, as it is written. */
export type ProfileSettings = z.infer<typeof profile>;

/** The name of a profile. */
export const profileName = z
  .string()
  .regex(/^[A-Za-z\d][\w.-]{0,63}$/)
  .meta({ allowed: 'up to 64 letters, digits and . _ -, starting with a letter or digit' });

export const clouds = z.record(profileName, profile).default({}).meta({
  description:
    'Further clouds by name, for `hostnode cloud --profile NAME`; each has the keys of cloud but refusedRetries. The agent does not use them.',
  allowed: 'a section of names, each with the keys of cloud (in the environment: as JSON)',
  secret: true, // the keys in it
});

/** How to reach the cloud and who we are there. */
export interface CloudConfig
  extends Omit<ProfileSettings, 'baseUrl' | 'username' | 'apiKey' | 'apiKeyFile' | 'caFile' | 'untagMethod'>,
    Partial<Pick<z.infer<typeof cloud>, 'untagMethod' | 'refusedRetries'>> {
  /** Without a slash at its end: `${baseUrl}/devices` is an address. */
  readonly baseUrl: string;
  readonly username: string;
  readonly apiKey: Secret;
  readonly caFile?: string;
  /** The content of `caFile`, PEM. */
  readonly ca?: string;
}

/** The cloud's configuration; absent if none is set or it is wrong. */
export interface ResolvedCloud {
  readonly cloud?: CloudConfig;
  readonly problems: readonly string[];
  /** systemd started us without the key. It may come later; until then we report nothing. */
  readonly isKeyAwaited?: boolean;
}

/** Every way to give the key. */
export const setTheKey =
  'set cloud.apiKeyFile (HOSTNODE_CLOUD_API_KEY_FILE), HOSTNODE_CLOUD_API_KEY or, under systemd, the credential cloud-api-key';

/**
 * The address without a slash at its end, or what it must be.
 *
 * @param name of the section: `cloud`, `clouds.lab`
 */
export const checkBaseUrl = (baseUrl: string, isInsecureAllowed: boolean, name = 'cloud') =>
  checkRoot(baseUrl, {
    isInsecureAllowed,
    insecure: `https://, or ${name}.allowInsecure true`,
    credentials: `${name}.username and ${name}.apiKey`,
  });

/**
 * The key from the setting, the named file or the systemd credential, in this order. In a shell, from the file from
 * which the service gets its credential.
 */
function findKey(
  { apiKey, apiKeyFile }: ProfileSettings,
  env: Environment,
  credential: string | undefined,
): KeyFile {
  if (apiKey !== undefined) return { key: apiKey };
  const directory = env.CREDENTIALS_DIRECTORY;
  if (apiKeyFile !== undefined) {
    const found = readKeyFile(apiKeyFile, directory);
    return isMissing(found) ? { problem: noSuchFile(apiKeyFile) } : found;
  }
  if (credential === undefined) return {};
  const ours = { name: 'cloud-api-key', stored: credential } as const;
  const file = credentialFile(env, ours);
  if (file === undefined) return {};
  const { text, problem } = readCredential(file, ours, env);
  return text === undefined ? omitUndefined({ problem }) : keyIn(text, file);
}

/** Where the settings of a cloud come from. */
export interface CloudSource {
  /** `cloud`, or the name of a profile: `clouds.lab`. */
  readonly name: string;
  readonly env: Environment;
  /** True if a key, e.g. `baseUrl`, is set but invalid or misspelt: then it does not count as missing. */
  refused(key: string): boolean;
  /** Names the source of a key, for the lines of problems. */
  where(key: string): string;
  /** The file from which the service gets its credential. A profile has none, and no variables. */
  readonly credential?: string;
}

/** What sets a key of the agent's cloud besides the file. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  baseUrl: 'HOSTNODE_CLOUD_BASE_URL or ',
  username: 'HOSTNODE_CLOUD_USERNAME or ',
};

/** Checks and completes the settings of a cloud. */
export function resolveCloud(
  settings: ProfileSettings & Pick<CloudConfig, 'refusedRetries'>,
  { name, env, refused, where, credential }: CloudSource,
): ResolvedCloud {
  const { apiKey, apiKeyFile, baseUrl, username, caFile, ...rest } = settings;
  const isProfile = credential === undefined;
  const meant = [baseUrl, username, apiKey, apiKeyFile].some((value) => value !== undefined);
  if (!isProfile && !meant && !refused('baseUrl')) return { problems: [] };

  const problems = env.NODE_DEBUG ? [DEBUG_LEAKS] : [];
  const missing = (key: string, remedy = `set ${isProfile ? '' : ELSEWHERE[key]}${name}.${key}`) => {
    if (!refused(key)) problems.push(`${name}.${key}: missing; ${remedy}`);
  };
  const address = (key: 'baseUrl' | 'v2BaseUrl'): string | undefined => {
    const value = settings[key];
    const checked = value === undefined ? undefined : checkBaseUrl(value, rest.allowInsecure, name);
    if (checked === undefined || 'url' in checked) return checked?.url;
    problems.push(`${name}.${key}${quotedAddress(value ?? '')} (${where(key)}): must be ${checked.mustBe}`);
    return undefined;
  };

  const url = address('baseUrl');
  if (baseUrl === undefined) missing('baseUrl');
  if (url !== undefined) problems.push(...proxyProblems(url, env));
  address('v2BaseUrl');
  if (username === undefined) missing('username');

  const found = findKey(settings, env, credential);
  if (found.problem !== undefined) problems.push(`${name}.apiKeyFile: ${found.problem}`);
  // a person may store the credential after the service has started
  const isKeyAwaited = !isProfile && isMissing(found) && isService(env);
  if (isMissing(found) && !isKeyAwaited && !refused('apiKeyFile')) {
    missing('apiKey', isProfile ? `set ${name}.apiKey or ${name}.apiKeyFile` : setTheKey);
  }
  const authorities = caFile === undefined ? {} : readAuthorities(caFile);
  if ('problem' in authorities) problems.push(`${name}.caFile (${where('caFile')}): ${authorities.problem}`);

  if (isKeyAwaited) return { problems, isKeyAwaited };
  if (problems.length > 0 || !url || !username || !found.key) return { problems };
  return {
    cloud: {
      ...rest,
      ...(caFile !== undefined && { caFile, ...authorities }),
      baseUrl: url,
      username,
      apiKey: new Secret(found.key),
    },
    problems,
  };
}
