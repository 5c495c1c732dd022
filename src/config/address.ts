/** Checks of an address that a person sets (of a cloud, of the metrics' endpoint), and of the CA file beside it. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Environment } from '../base/environment.ts';
import { ConfigError, throwIfPassing } from '../base/errors.ts';
import { proxyEnvironment } from '../cloud/proxy.ts';

export const DEBUG_LEAKS =
  'NODE_DEBUG: must not be set; with it Node prints each request and the secrets in it';

/** Problems of the proxy that the environment names for this address, not of other protocols' proxies. */
export function proxyProblems(url: string, env: Environment): readonly string[] {
  try {
    proxyEnvironment(new URL(url).protocol, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

/** ` = "…"` with the parts of a rejected address that cannot hold a secret; '' if it does not parse. */
export function quotedAddress(address: string): string {
  const shown = withoutSecrets(address);
  return shown === undefined ? '' : ` = ${JSON.stringify(shown)}`;
}

function withoutSecrets(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || url.host === '') return undefined;
  const user = url.username === '' && url.password === '' ? '' : '***@';
  // a slash in a key looks like the end of the host
  const path = url.pathname.includes('@') ? '/***' : url.pathname.replace(/\/$/, '');
  return `${url.protocol}//${user}${url.host}${path}${url.search === '' ? '' : '?***'}`.slice(0, 200);
}

/** Each certificate of a PEM text; the last may be cut off. */
const certificate = /-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g;

/**
 * The certificates, or why we cannot use them. TLS itself skips a broken one silently.
 *
 * @throws {ConfigUnreadableError}
 */
export function readAuthorities(file: string): { ca: string } | { problem: string } {
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
