/** `metrics`, the push for hosts that no Prometheus can scrape: its schema, and the checks that it cannot express. */
import * as z from 'zod';
import type { Environment } from '../base/environment.ts';
import { text, whole } from '../base/schema.ts';
import { checkRoot } from '../cloud/roots.ts';
import { DEBUG_LEAKS, proxyProblems, quotedAddress, readAuthorities } from './address.ts';
import {
  type Credential,
  credentialFile,
  noSuchFile,
  readCredential,
  readSecretFile,
  Secret,
} from './secrets.ts';

const otlp = z
  .strictObject({
    endpoint: text().exactOptional().meta({
      description:
        'Where to push the metrics: the whole address of a receiver of OTLP/HTTP, as Prometheus has it at /api/v1/otlp/v1/metrics.',
      allowed: 'an https:// address without user, query or fragment',
      example: 'https://prometheus.example.com/api/v1/otlp/v1/metrics',
    }),
    headersFile: text().exactOptional().meta({
      description:
        'The file with headers of each push, such as "Authorization: Bearer …", one a line; only its owner may read it (chmod 600). Under systemd use the credential "otlp-headers" instead.',
      example: '/etc/hostnode/otlp-headers',
    }),
    allowInsecure: z.boolean().default(false).meta({
      description:
        'Allow a plain http:// address other than this host. Metrics and headers then cross the network unencrypted.',
    }),
    caFile: text().exactOptional().meta({
      description: 'CA certificates (PEM) to trust instead of the system CAs.',
      example: '/etc/hostnode/ca.pem',
    }),
    everySeconds: whole(1, 240)
      .default(60)
      .meta({ description: 'Seconds between two pushes. Each host has its own place in them.' }),
    timeoutSeconds: whole(1, 60)
      .default(10)
      .meta({ description: 'Seconds to wait for a whole push, including the answer.' }),
  })
  .meta({ description: 'The push of the metrics by OTLP/HTTP. Without endpoint hostnode pushes nothing.' });

export const metricsSettings = z
  .strictObject({ otlp: otlp.prefault({}) })
  .meta({ description: 'The metrics, beside /metrics for Prometheus.' });

/** Where and how the metrics are pushed. */
export interface OtlpConfig {
  /** Whole: nothing is appended. */
  readonly endpoint: string;
  /** By name. */
  readonly headers?: Readonly<Record<string, Secret>>;
  /** The authorities to trust instead of the usual ones, PEM. */
  readonly ca?: string;
  readonly everySeconds: number;
  readonly timeoutSeconds: number;
}

export interface MetricsConfig {
  /** Absent where nothing is pushed. */
  readonly otlp?: OtlpConfig;
}

export interface ResolvedMetrics {
  readonly metrics: MetricsConfig;
  readonly problems: readonly string[];
}

/** Where the settings come from. */
interface MetricsSource {
  readonly env: Environment;
  /** Names the source of a key of `metrics.otlp`, for the lines of problems. */
  where(key: string): string;
  /** The one with the headers. */
  readonly credential: Credential;
}

const NAME = 'metrics.otlp';

/** Checks and completes the settings of `metrics`. */
export function resolveMetrics(
  { otlp }: z.infer<typeof metricsSettings>,
  { env, where, credential }: MetricsSource,
): ResolvedMetrics {
  const { endpoint, headersFile, allowInsecure, caFile, everySeconds, timeoutSeconds } = otlp;
  if (endpoint === undefined) return { metrics: {}, problems: [] };
  const problems = env.NODE_DEBUG ? [DEBUG_LEAKS] : [];
  const checked = checkRoot(endpoint, {
    isInsecureAllowed: allowInsecure,
    insecure: `https://, or ${NAME}.allowInsecure true`,
    credentials: `${NAME}.headersFile`,
    exposed: 'the metrics and their headers',
  });
  if ('mustBe' in checked)
    problems.push(
      `${NAME}.endpoint${quotedAddress(endpoint)} (${where('endpoint')}): must be ${checked.mustBe}`,
    );
  else problems.push(...proxyProblems(checked.url, env));
  const found = readHeaders(headersFile, env, credential);
  if ('problem' in found) problems.push(`${NAME}.headersFile: ${found.problem}`);
  const authorities = caFile === undefined ? {} : readAuthorities(caFile);
  if ('problem' in authorities) problems.push(`${NAME}.caFile (${where('caFile')}): ${authorities.problem}`);
  if (problems.length > 0 || 'mustBe' in checked) return { metrics: {}, problems };
  return {
    metrics: { otlp: { endpoint: checked.url, ...found, ...authorities, everySeconds, timeoutSeconds } },
    problems,
  };
}

/** The headers of the named file, else of the systemd credential, else none. */
function readHeaders(
  named: string | undefined,
  env: Environment,
  credential: Credential,
): { headers?: Readonly<Record<string, Secret>> } | { problem: string } {
  const file = named ?? credentialFile(env, credential);
  if (file === undefined) return {};
  const { text, problem } =
    named === undefined
      ? readCredential(file, credential, env)
      : readSecretFile(named, env.CREDENTIALS_DIRECTORY);
  if (problem !== undefined) return { problem };
  if (text === undefined) return named === undefined ? {} : { problem: noSuchFile(named) };
  const parsed = parseHeaders(text);
  if ('problem' in parsed) return { problem: `${file}: ${parsed.problem}` };
  const headers = Object.entries(parsed.headers).map(([name, value]) => [name, new Secret(value)]);
  return { headers: Object.fromEntries(headers) };
}

/** True if pushes of both would do the same. */
export const isSameOtlp = (one: OtlpConfig, other: OtlpConfig): boolean => essence(one) === essence(other);

const essence = ({ headers = {}, ...rest }: OtlpConfig): string =>
  JSON.stringify([rest, Object.entries(headers).map(([name, value]) => [name, value.reveal()])]);

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
