/** Checks of settings that a schema cannot express: of addresses, and of the CA files beside them. */
import { X509Certificate } from 'node:crypto';
import type { Environment } from '../base/environment.ts';
import { attempt, ConfigError, throwIfPassing } from '../base/errors.ts';
import { proxyEnvironment } from '../cloud/proxy.ts';
import type { checkRoot } from '../cloud/roots.ts';
import { exposuresOf, readRegularFile, worstOf } from './safe-file.ts';

/** Where the settings of a section come from, and where their problems go. */
export interface Source {
  /** Of the section: `cloud`, `metrics.otlp`; of a profile: `clouds.lab`. */
  readonly name: string;
  readonly env: Environment;
  /** A credential that only root can read counts as there. */
  readonly takesHidden?: boolean;
  /** One line each. */
  readonly problems: string[];
  /** Names the source of a key of the section, or of a part of its value. */
  where(...path: PropertyKey[]): string;
}

/**
 * The address of a key as it is used; undefined, with a problem, if it is not what it must be.
 *
 * @param address absent if it may be the secret itself: not even a wrong one is shown
 */
export function usableAddress(
  key: string,
  address: string | undefined,
  checked: ReturnType<typeof checkRoot>,
  { name, problems, where }: Source,
): string | undefined {
  if ('url' in checked) return checked.url;
  const shown = withoutSecrets(address ?? '');
  const value = shown === undefined ? '' : ` = ${JSON.stringify(shown)}`;
  problems.push(`${name}.${key}${value} (${where(key)}): must be ${checked.mustBe}`);
  return undefined;
}

/** The parts of an address that cannot hold a secret; undefined if it does not parse. */
export function withoutSecrets(address: string): string | undefined {
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
 * Checks the way that secrets would go: this process, the proxy that the environment names for `url`, and the CA file. TLS
 * itself skips a broken certificate silently.
 *
 * @returns the name and the text of the CA file; nothing, with a problem, if we cannot use it
 */
export function checkWay(
  url: string | undefined,
  caFile: string | undefined,
  { name, env, problems, where }: Source,
): { caFile?: string; ca?: string } {
  if (env.NODE_DEBUG)
    problems.push('NODE_DEBUG: must not be set; with it Node prints each request and the secrets in it');
  try {
    if (url !== undefined) proxyEnvironment(new URL(url).protocol, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
  }
  if (caFile === undefined) return {};
  const fails = (why: string) => {
    problems.push(`${name}.caFile (${where('caFile')}): ${caFile}: ${why}`);
    return {};
  };
  try {
    const ca = readRegularFile(caFile);
    const certificates = ca.match(certificate) ?? [];
    if (certificates.length === 0) return fails('contains no PEM certificate');
    if (!certificates.every(isCertificate)) return fails('contains a broken or truncated PEM certificate');
    problems.push(...worstOf(exposuresOf(caFile, env, `is ${name}.caFile`)).problems);
    return { caFile, ca };
  } catch (error) {
    throwIfPassing(caFile, error);
    return fails(`cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

const isCertificate = (pem: string): boolean => attempt(() => new X509Certificate(pem)) !== undefined;
