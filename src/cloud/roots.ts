/** The addresses of the API's versions; and whether the API is there, and accepts the account. */
import { isLoopback } from '../base/environment.ts';
import { ConfigError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { CloudError, type CloudRequest, CloudUnavailableError } from './errors.ts';

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '');

/**
 * @param v1 the v1 root
 * @param v2 the v2 root; by default the v1 root with `v2` as its last part
 * @returns v2 is undefined if it is not known: the v1 root does not end with `v1`
 * @throws {ConfigError} v2 is no root of an API, or they do not have the same protocol
 */
export function rootsOf(v1: string, v2?: string): Record<'v1' | 'v2', string | undefined> {
  const root = withoutSlash(v1);
  if (v2 === undefined) return { v1: root, v2: root.endsWith('/v1') ? `${root.slice(0, -1)}2` : undefined };
  const { protocol } = new URL(v1);
  const isInsecureAllowed = protocol === 'http:' && !isLoopback(new URL(v1).hostname);
  const second = checkRoot(v2, {
    isInsecureAllowed,
    insecure: 'https://',
    credentials: 'username and apiKey',
  });
  if ('mustBe' in second) throw new ConfigError([`v2BaseUrl: must be ${second.mustBe}`]);
  if (new URL(second.url).protocol !== protocol)
    throw new ConfigError([
      `v2BaseUrl: must be an address that starts with ${protocol}//, as the base URL does`,
    ]);
  return { v1: root, v2: second.url };
}

interface RootDemands {
  isInsecureAllowed: boolean;
  /** What a plain http:// address of another host must be in place of it. */
  insecure: string;
  /** The settings that hold user and password. */
  credentials: string;
  /** What others could read on the way to such an address. */
  exposed?: string;
  /** It is no root, and is used as it is. */
  mayHaveQuery?: boolean;
}

/** The root of an API without a slash at its end, or what it must be. */
export function checkRoot(address: string, demands: RootDemands): { url: string } | { mustBe: string } {
  const { isInsecureAllowed, insecure, credentials, exposed = 'the API key', mayHaveQuery = false } = demands;
  const url = URL.parse(address);
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return { mustBe: 'an https:// address' };
  if (url.username !== '' || url.password !== '') {
    return { mustBe: `an address without user and password (${credentials} hold them)` };
  }
  if (mayHaveQuery && address.includes('#')) return { mustBe: 'an address without fragment ("#…")' };
  if (!mayHaveQuery && /[?#]/.test(address))
    return { mustBe: 'an address without query ("?…") and fragment ("#…")' };
  if (url.protocol === 'http:' && !isInsecureAllowed && !isLoopback(url.hostname)) {
    return { mustBe: `${insecure}: ${exposed} would cross the network unencrypted` };
  }
  return { url: mayHaveQuery ? url.href : url.origin + withoutSlash(url.pathname) };
}

/** A udid that no phone has: the answer stays short for an account with many phones. */
const NOBODY = { udid: 'hostnode-nobody' };

/**
 * @param list asks the API at this root for the devices with the udid
 * @throws {CloudError} not accepted; its remedy names the v1 root beside this one, if the API answers there
 */
export async function checkAccount(
  baseUrl: string,
  list: (baseUrl: string, query: { udid: string }) => Promise<unknown>,
): Promise<void> {
  try {
    await list(baseUrl, NOBODY);
  } catch (error) {
    const beside = rootBeside(baseUrl);
    if (!(error instanceof CloudError) || isOfApi(error) || error instanceof CloudUnavailableError)
      throw error;
    const isThere = beside !== baseUrl && (await list(beside, NOBODY).then(() => true, isOfApi));
    throw isThere ? withRemedy(error, `did you mean ${beside}?`) : error;
  }
}

/** The API is there, and does not know the account. */
const isOfApi = (error: unknown): boolean =>
  error instanceof CloudError && ['CLOUD_UNAUTHORIZED', 'CLOUD_FORBIDDEN'].includes(error.code);

/** `https://cloud.example/v1` of `https://cloud.example`, `…/v2` and `…/v1/devices`. */
const rootBeside = (baseUrl: string): string => {
  const [root = ''] = baseUrl.split(/\/v\d+(?:\/|$)/, 1);
  return `${root.replace(/\/$/, '')}/v1`;
};

function withRemedy(error: CloudError, remedy: string): CloudError {
  const { request, operation, status, excerpt: said, trouble } = error;
  const Same = error.constructor as new (seen: string, about: CloudRequest) => CloudError;
  const seen = trouble.failure.slice(`${request}: `.length);
  return new Same(seen, omitUndefined({ request, operation, status, said, remedy }));
}
