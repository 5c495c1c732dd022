/** Checks of `metrics` that the schema cannot express: the address, its headers, its certificates. */
import type { Environment } from '../base/environment.ts';
import { checkRoot } from '../cloud/roots.ts';
import { DEBUG_LEAKS, proxyProblems, quotedAddress } from './address.ts';
import { readAuthorities } from './authorities.ts';
import { type Credential, credentialFile, readCredential } from './credential.ts';
import { parseHeaders } from './headers-file.ts';
import { noSuchFile, readSecretFile } from './key-file.ts';
import type { Settings } from './schema.ts';
import { Secret } from './secret.ts';

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
  { otlp }: Settings['metrics'],
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
