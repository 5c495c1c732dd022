/** Checks of `cloud` that the schema cannot express: the address, the source of the key, keys that belong together. */
import type { Environment } from '../base/environment.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { checkRoot } from '../cloud/roots.ts';
import { DEBUG_LEAKS, proxyProblems, quotedAddress } from './address.ts';
import { readAuthorities } from './authorities.ts';
import type { ProfileSettings } from './cloud-settings.ts';
import { credentialFile, readCredential } from './credential.ts';
import { isMissing, type KeyFile, keyIn, noSuchFile, readKeyFile } from './key-file.ts';
import type { Settings } from './schema.ts';
import { Secret } from './secret.ts';
import { isService } from './service-environment.ts';

/** How to reach the cloud and who we are there. */
export interface CloudConfig
  extends Omit<ProfileSettings, 'baseUrl' | 'username' | 'apiKey' | 'apiKeyFile' | 'caFile' | 'untagMethod'>,
    Partial<Pick<Settings['cloud'], 'untagMethod' | 'refusedRetries'>> {
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
