/** `metrics`, the push for hosts that no Prometheus can scrape: its schema, and the checks that it cannot express. */
import type * as z from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import { checkRoot } from '../cloud/roots.ts';
import { checkWay, type Source, usableAddress } from './checks.ts';
import { address, authorities, flag, path, section, whole } from './kinds.ts';
import { type Content, type Credential, readCredential, readNamedFile, Secret } from './secrets.ts';

const otlp = section('The push of the metrics by OTLP/HTTP. Without endpoint hostnode pushes nothing.', {
  endpoint: address(
    'Where to push the metrics: the whole address of a receiver of OTLP/HTTP, as Prometheus has it at /api/v1/otlp/v1/metrics.',
    'https://prometheus.example.com/api/v1/otlp/v1/metrics',
  ),
  headersFile: path(
    'The file with headers of each push, such as "Authorization: Bearer …", one a line; only its owner may read it (chmod 600). Under systemd use the credential "otlp-headers" instead.',
    '/etc/hostnode/otlp-headers',
  ),
  allowInsecure: flag(
    false,
    'Allow a plain http:// address other than this host. Metrics and headers then cross the network unencrypted.',
  ),
  caFile: authorities,
  everySeconds: whole(1, 240, 60, 'Seconds between two pushes. Each host has its own place in them.'),
  timeoutSeconds: whole(1, 60, 10, 'Seconds to wait for a whole push, including the answer.'),
});

export const metricsSettings = section('The metrics, beside /metrics for Prometheus.', {
  otlp,
});

export interface OtlpConfig extends Readonly<Pick<z.infer<typeof otlp>, 'everySeconds' | 'timeoutSeconds'>> {
  /** Whole: nothing is appended. */
  readonly endpoint: string;
  /** By name; none if only root can read them, and that was allowed. */
  readonly headers?: Readonly<Record<string, Secret>>;
  /** The authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
}

export interface MetricsConfig {
  readonly otlp?: OtlpConfig;
}

/**
 * Checks and completes the settings of `metrics.otlp`.
 *
 * @param credential the one with the headers
 */
export function resolveMetrics(
  { otlp }: z.infer<typeof metricsSettings>,
  credential: Credential,
  source: Source,
): MetricsConfig {
  const { endpoint, headersFile, allowInsecure, caFile, everySeconds, timeoutSeconds } = otlp;
  if (endpoint === undefined) return {};
  const { name, problems } = source;
  const checked = checkRoot(endpoint, {
    isInsecureAllowed: allowInsecure,
    insecure: `https://, or ${name}.allowInsecure true`,
    credentials: `${name}.headersFile`,
    exposed: 'the metrics and their headers',
  });
  const url = usableAddress('endpoint', endpoint, checked, source);
  const { ca } = checkWay(url, caFile, source);
  const { headers, problem } = headersIn(
    headersFile === undefined ? readCredential(credential, source) : readNamedFile(headersFile, source.env),
  );
  if (problem !== undefined) problems.push(`${name}.headersFile: ${problem}`);
  if (problems.length > 0 || url === undefined) return {};
  return { otlp: omitUndefined({ endpoint: url, headers, ca, everySeconds, timeoutSeconds }) };
}

/** The headers in a file or a credential, by name; none at all where that does not exist. */
export function headersIn({ text, problem, file, isHidden }: Content): {
  headers?: Readonly<Record<string, Secret>>;
  problem?: string;
} {
  if (isHidden) return { headers: {} };
  if (text === undefined) return omitUndefined({ problem });
  const parsed = parseHeaders(text);
  if ('problem' in parsed) return { problem: `${file}: ${parsed.problem}` };
  const headers = Object.entries(parsed.headers).map(([name, value]) => [name, new Secret(value)]);
  return { headers: Object.fromEntries(headers) };
}

export type Headers = Readonly<Record<string, string>>;

const MOST_HEADERS = 20;
const LONGEST_VALUE = 8192;

/** A name (RFC 9110, 5.6.2). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** What every server takes, and no header can be smuggled by. */
const HEADER_VALUE = /^[\x20-\x7e]+$/;

/** Headers that the request itself has. */
const OWN_HEADERS = [
  ...['accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect'],
  ...['host', 'keep-alive', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
];

/** @returns the headers by their names in lower case; or what is wrong, without any value */
export function parseHeaders(text: string): { headers: Headers } | { problem: string } {
  const headers = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const isHeader =
      colon > 0 && HEADER_NAME.test(name) && HEADER_VALUE.test(value) && value.length <= LONGEST_VALUE;
    if (!isHeader) return { problem: `line ${index + 1} must be "Name: value" in ASCII` };
    if (OWN_HEADERS.includes(name)) return { problem: `line ${index + 1}: hostnode sets ${name} itself` };
    if (headers.has(name)) return { problem: `line ${index + 1}: ${name} is there twice` };
    headers.set(name, value);
  }
  if (headers.size === 0) return { problem: 'must contain "Name: value", one a line' };
  if (headers.size > MOST_HEADERS) return { problem: `more than ${MOST_HEADERS} headers` };
  return { headers: Object.fromEntries(headers) };
}
