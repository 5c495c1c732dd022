/** Checks of `cloud` that the schema cannot express: the address, the source of the key, keys that belong together. */
import { X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { ConfigError, throwIfPassing } from '../base/errors.ts';
import { proxyEnvironment } from '../cloud/proxy.ts';
import { checkRoot } from '../cloud/roots.ts';
import type { ProfileSettings } from './cloud-settings.ts';
import { CREDENTIAL_NAME, decryptKey, encryptedForm } from './encrypted-credential.ts';
import { isMissing, type KeyFile, noSuchFile, readKeyFile } from './key-file.ts';
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

const DEBUG_LEAKS = 'NODE_DEBUG: must not be set; with it Node prints each request and the API key in it';

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

/** Problems of the proxy that the environment names for this address, not of other protocols' proxies. */
function proxyProblems(url: string, env: Environment): readonly string[] {
  try {
    proxyEnvironment(new URL(url).protocol, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

/** The parts of a rejected address that cannot hold a key; undefined if it does not parse. */
function withoutSecrets(baseUrl: string): string | undefined {
  const url = URL.parse(baseUrl);
  if (url === null || url.host === '') return undefined;
  const user = url.username === '' && url.password === '' ? '' : '***@';
  // a slash in a key looks like the end of the host
  const path = url.pathname.includes('@') ? '/***' : url.pathname.replace(/\/$/, '');
  return `${url.protocol}//${user}${url.host}${path}${url.search === '' ? '' : '?***'}`.slice(0, 200);
}

/** Each certificate of a PEM text; the last may be cut off. */
const certificate = /-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g;

/** The certificates, or why we cannot use them. TLS itself skips a broken one silently. */
function readAuthorities(file: string): { ca: string } | { problem: string } {
  try {
    const ca = readFileSync(file, 'utf8');
    const certificates = ca.match(certificate) ?? [];
    if (certificates.length === 0) return { problem: `${file}: contains no PEM certificate` };
    return certificates.every(isCertificate)
      ? { ca }
      : { problem: `${file}: contains a broken or truncated PEM certificate` };
  } catch (error) {
    throwIfPassing(file, error);
    return { problem: `${file}: cannot be read (${error instanceof Error ? error.message : error})` };
  }
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

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
  const file = credential === undefined ? undefined : credentialFile(env, credential);
  if (file === undefined) return {};
  return file === credential || directory ? readKeyFile(file, directory) : decryptKey(file, env);
}

/** The file of systemd's credential; in a shell, the file from which the service gets it, plain or encrypted. */
export function credentialFile(env: Environment, credential: string): string | undefined {
  if (env.CREDENTIALS_DIRECTORY) return join(env.CREDENTIALS_DIRECTORY, CREDENTIAL_NAME);
  return isService(env) ? undefined : [credential, encryptedForm(credential)].find(isReadable);
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
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
    const shown = withoutSecrets(value ?? '');
    const quoted = shown === undefined ? '' : ` = ${JSON.stringify(shown)}`;
    problems.push(`${name}.${key}${quoted} (${where(key)}): must be ${checked.mustBe}`);
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
