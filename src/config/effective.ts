/** Every key with its value in force, and the place that sets it. For a person: the agent does not need the places. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { configKeys, defaultOf } from './keys.ts';
import type { Entry } from './layer.ts';
import { CREDENTIAL, type LoadedConfig, type LoadOptions, readSources } from './load.ts';
import { type Credential, findCredential, headersBeside } from './secrets.ts';

export interface EffectiveSetting {
  /** With dots: `adb.port`. */
  readonly key: string;
  /** Absent if nothing sets it and it has no default; a secret is `***`. */
  readonly value?: unknown;
  /** `default`, `not set`, a variable, `hostnode.yaml:4` (of a list perhaps of several files), or the file of a credential. */
  readonly from: string;
}

const MASKED = '***';
const KEY = 'cloud.apiKey';
const KEY_FILE = 'cloud.apiKeyFile';
const HEADERS_FILE = 'metrics.otlp.headersFile';

/** @param loaded the same configuration, which has no problem */
export async function effectiveSettings(
  options: LoadOptions,
  loaded: LoadedConfig,
): Promise<EffectiveSetting[]> {
  const { inForce } = await readSources(options);
  const standIns = standInsFor(options, loaded, inForce);
  return configKeys.map((key) => {
    const { name } = key;
    const entry = inForce.get(name);
    if (entry) return { key: name, value: shownValue(name, entry.value), from: entry.where() };
    const value = shownValue(name, defaultOf(key));
    const usual = omitUndefined({ value, from: value === undefined ? 'not set' : 'default' });
    return { key: name, ...(standIns[name] ?? usual) };
  });
}

/** Keys of the API are masked, and addresses that may hold one; of further clouds only the names are shown. */
function shownValue(name: string, value: unknown): unknown {
  if (name === KEY && value !== undefined) return MASKED;
  if (name === 'notify') return (value as { url?: string }[]).map(withoutAddress);
  return name === 'clouds' ? Object.keys(Object(value)) : value;
}

const withoutAddress = ({ url, ...rest }: { url?: string }): object =>
  url === undefined ? rest : { url: MASKED, ...rest };

/** What stands in for keys that no source sets, in place of a default. */
function standInsFor(
  { env, credential = CREDENTIAL }: LoadOptions,
  { config: { cloud, metrics, state } }: LoadedConfig,
  inForce: ReadonlyMap<string, Entry>,
): Readonly<Record<string, Omit<EffectiveSetting, 'key'> | undefined>> {
  const storedIn = (each: Credential) => `credential ${findCredential(env, each)?.file}`;
  const keyFrom = inForce.has(KEY_FILE) ? KEY_FILE : storedIn({ name: 'cloud-api-key', stored: credential });
  return {
    [KEY]: cloud && { value: MASKED, from: keyFrom },
    [HEADERS_FILE]: metrics.otlp?.headers && { value: MASKED, from: storedIn(headersBeside(credential)) },
    'state.dir': { value: state.dir, from: env.STATE_DIRECTORY ? 'STATE_DIRECTORY' : 'default' },
  };
}
