/** `cloud`, and `clouds`, further ones for the command line: their schema, and the checks that it cannot express. */
import * as z from 'zod';
import { checkRoot } from '../cloud/roots.ts';
import { checkWay, type Source, usableAddress } from './checks.ts';
import { address, authorities, flag, path, section, shaped, whole } from './kinds.ts';
import { type Content, isMissing, oneLine, readCredential, readNamedFile, Secret } from './secrets.ts';
import { isService } from './service-environment.ts';

/** How to reach a cloud, and who we are there. */
const account = {
  baseUrl: address(
    "The v1 root of the cloud's API; hostnode appends /devices.",
    'https://cloud.example.com/v1',
  ),
  v2BaseUrl: address(
    "The v2 root of the cloud's API, for hostnode cloud. When unset: baseUrl with v2 in place of v1 at its end.",
    'https://cloud.example.com/v2',
  ),
  username: shaped(/^[^:\p{Cc}]+$/u, 'text without ":" (HTTP Basic authentication ends the name at a colon)')
    .exactOptional()
    .meta({
      description: "The account's user name or email address.",
      example: 'lab@example.com',
      secret: true, // a rejected value may have the key after its colon
    }),
  apiKey: shaped(/^\P{Cc}+$/u, 'one line of text')
    .exactOptional()
    .meta({
      description: "The account's API key. We recommend apiKeyFile instead.",
      example: 'your-api-key',
      secret: true,
    }),
  apiKeyFile: path(
    'The file with the API key; only its owner may read it (chmod 600). Under systemd use the credential "cloud-api-key" instead.',
    '/etc/hostnode/cloud-api-key',
  ),
  allowInsecure: flag(
    false,
    'Allow a plain http:// address other than this host. The API key then crosses the network unencrypted.',
  ),
  caFile: authorities,
  untagMethod: z.enum(['DEL', 'DELETE']).default('DEL').meta({
    description:
      'The HTTP method with which hostnode cloud removes a tag: DEL, as the API writes it, or DELETE.',
  }),
  storageVendor: shaped(/^[A-Za-z\d]{1,40}$/, 'up to 40 letters and digits')
    .exactOptional()
    .meta({
      description:
        "The vendor's part of the storage's header x-VENDOR-tagging, for an upload whose URL does not show it.",
      example: 'amz',
    }),
  organizationId: z.int().positive().exactOptional().meta({
    description: 'The id of your organization, for `hostnode cloud groups list`: the API does not tell it.',
    allowed: 'a whole number above 0',
    example: 2,
  }),
  connectTimeoutSeconds: whole(1, 300, 5, 'Seconds to wait for a connection.'),
  requestTimeoutSeconds: whole(1, 600, 20, 'Seconds to wait for a whole request, including the answer.'),
};

export const cloud = section('The device cloud. Without baseUrl hostnode reports nothing.', {
  ...account,
  refusedRetries: whole(
    0,
    100,
    5,
    'How often to send a rejected device again on its own. After that hostnode logs it once and sends it with each ordinary report.',
  ),
  readBack: flag(
    true,
    'Read about once an hour what the cloud has of the phones of this host; what differs is CLOUD_DISAGREES. Ask once of a phone that is lost whether it is booked.',
  ),
  reservationUdids: shaped(/^[A-Za-z_]\w{0,63}$/, 'up to 64 letters, digits and _, not starting with a digit')
    .exactOptional()
    .meta({
      description:
        'For `hostnode drain --terminate`: the name of the list of udids in the body of DELETE /v2/reservations/terminate, which the API does not show.',
      example: 'device_udids',
    }),
});

const profile = z.strictObject(account);
/** How to reach a cloud of `clouds`, as it is written. */
export type ProfileSettings = z.infer<typeof profile>;

export const profileName = z
  .string()
  .regex(/^[A-Za-z\d][\w.-]{0,63}$/)
  .meta({ allowed: 'up to 64 letters, digits and . _ -, starting with a letter or digit' });

export const clouds = z.record(profileName, profile).default({}).meta({
  description:
    'Further clouds by name, for `hostnode cloud --profile NAME`; each has the keys of cloud but refusedRetries, readBack and reservationUdids. The agent does not use them.',
  allowed: 'a section of names, each with the keys of cloud (in the environment: as JSON)',
  secret: true, // the keys in it
});

/** Of the agent alone. */
type AgentKeys = 'refusedRetries' | 'readBack' | 'reservationUdids';

/** How to reach the cloud and who we are there. */
export interface CloudConfig
  extends Omit<ProfileSettings, 'baseUrl' | 'username' | 'apiKey' | 'apiKeyFile' | 'caFile' | 'untagMethod'>,
    Partial<Pick<z.infer<typeof cloud>, 'untagMethod' | AgentKeys>> {
  /** Without a slash at its end: `${baseUrl}/devices` is an address. */
  readonly baseUrl: string;
  readonly username: string;
  /** Empty if only root can read it, and that was allowed. */
  readonly apiKey: Secret;
  readonly caFile?: string;
  /** The content of `caFile`, PEM. */
  readonly ca?: string;
}

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

/** The settings of a cloud, and what sets them. */
export interface CloudSource extends Source {
  /** True if a key, e.g. `baseUrl`, is set but invalid or misspelt: then it does not count as missing. */
  refused(key: string): boolean;
  /** The file from which the service gets the key. A profile has none, and no variables. */
  readonly credential?: string;
}

/** The key from the setting, the named file or the credential, in this order. */
function findKey({ apiKey, apiKeyFile }: ProfileSettings, source: CloudSource): Content {
  if (apiKey !== undefined) return { text: apiKey };
  if (apiKeyFile !== undefined) return oneLine(readNamedFile(apiKeyFile, source.env));
  if (source.credential === undefined) return {};
  return oneLine(readCredential({ name: 'cloud-api-key', stored: source.credential }, source));
}

/** What sets a key of the agent's cloud besides the file. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  baseUrl: 'HOSTNODE_CLOUD_BASE_URL or ',
  username: 'HOSTNODE_CLOUD_USERNAME or ',
};

/**
 * Checks and completes the settings of a cloud.
 *
 * @returns no `cloud` if none is set or one has a problem. `isKeyAwaited`: systemd started us without the key, and it may
 *   come later; until then we report nothing
 */
export function resolveCloud(
  settings: ProfileSettings & Pick<CloudConfig, AgentKeys>,
  source: CloudSource,
): { cloud?: CloudConfig; isKeyAwaited?: boolean } {
  const { name, env, problems, refused, credential } = source;
  const { apiKey, apiKeyFile, baseUrl, v2BaseUrl, username, caFile, ...rest } = settings;
  const isProfile = credential === undefined;
  const meant = [baseUrl, username, apiKey, apiKeyFile].some((value) => value !== undefined);
  if (!isProfile && !meant && !refused('baseUrl')) return {};

  const missing = (key: string, remedy = `set ${isProfile ? '' : ELSEWHERE[key]}${name}.${key}`) => {
    if (!refused(key)) problems.push(`${name}.${key}: missing; ${remedy}`);
  };
  const root = (key: string, value: string | undefined) =>
    value && usableAddress(key, value, checkBaseUrl(value, rest.allowInsecure, name), source);

  if (baseUrl === undefined) missing('baseUrl');
  const url = root('baseUrl', baseUrl);
  root('v2BaseUrl', v2BaseUrl);
  const authorities = checkWay(url, caFile, source);
  if (username === undefined) missing('username');

  const key = findKey(settings, source);
  if (key.problem !== undefined) problems.push(`${name}.apiKeyFile: ${key.problem}`);
  // a person may store the credential after the service has started
  const isKeyAwaited = !isProfile && isMissing(key) && isService(env);
  if (isMissing(key) && !isKeyAwaited && !refused('apiKeyFile'))
    missing('apiKey', isProfile ? `set ${name}.apiKey or ${name}.apiKeyFile` : setTheKey);

  if (isKeyAwaited) return { isKeyAwaited };
  if (problems.length > 0 || !url || !username || key.text === undefined) return {};
  const others = { ...rest, ...(v2BaseUrl !== undefined && { v2BaseUrl }), ...authorities };
  return { cloud: { ...others, baseUrl: url, username, apiKey: new Secret(key.text) } };
}
