/** Every key with its value in force, and the place that sets it. For a person: the agent does not need the places. */
import { isJoined } from './drop-ins.ts';
import { type ConfigKey, configKeys, defaultOf } from './keys.ts';
import { type Layer, valueAt } from './layer.ts';
import { CREDENTIAL, type LoadedConfig, type LoadOptions, readSources } from './load.ts';
import { type Credential, findCredential, headersBeside } from './secrets.ts';

export interface EffectiveSetting {
  /** With dots: `adb.port`. */
  readonly key: string;
  /** Absent if nothing sets it and it has no default; a secret is `***`. */
  readonly value?: unknown;
  /** `default`, `not set`, a variable, `hostnode.yaml:4`, or the file of a credential. */
  readonly from: string;
  /** Places that also set it, and do not count; the strongest first. */
  readonly overrides?: readonly string[];
}

const MASKED = '***';
const KEY = 'cloud.apiKey';
const KEY_FILE = 'cloud.apiKeyFile';
const HEADERS_FILE = 'metrics.otlp.headersFile';

/**
 * @param loaded the same configuration, which has no problem
 * @throws {ConfigUnreadableError}
 */
export async function effectiveSettings(
  options: LoadOptions,
  loaded: LoadedConfig,
): Promise<EffectiveSetting[]> {
  const { layers, inForce } = await readSources(options);
  const { values } = inForce;
  const upperFirst = layers.toReversed();
  return configKeys.map((key) => {
    const { path, name } = key;
    const value = valueAt(values, path);
    if (value === undefined) return unsetOf(key, options, loaded, valueAt(values, ['cloud', 'apiKeyFile']));
    const places = upperFirst.map((layer) => placesIn(layer, key));
    const [from = '', ...overrides] = isJoined(path) ? joinedPlaces(places) : places.flat();
    return {
      key: name,
      value: shownValue(name, value),
      from,
      ...(overrides.length > 0 && { overrides }),
    };
  });
}

/**
 * Of a list to which each file adds: the files are one place, in their order.
 *
 * @param places of all layers, the strongest first: the environment, the files, adb's variables
 */
function joinedPlaces([environment = [], ...others]: readonly string[][]): string[] {
  const files = others.flat().toReversed();
  return [...environment, ...(files.length > 0 ? [files.join(' + ')] : [])];
}

/** Keys of the API are masked; of further clouds only the names are shown. */
function shownValue(name: string, value: unknown): unknown {
  if (name === KEY) return MASKED;
  return name === 'clouds' ? Object.keys(Object(value)) : value;
}

/** Where a layer sets the key; a key file also stands for the key, and the other way round. */
function placesIn(layer: Layer, { path, name }: ConfigKey): string[] {
  const alike = [KEY, KEY_FILE].includes(name) ? [KEY, KEY_FILE].map((each) => each.split('.')) : [path];
  return alike.filter((each) => valueAt(layer.values, each) !== undefined).map((each) => layer.where(each));
}

/** A key that no source sets: its default, or what stands in for one. */
function unsetOf(
  key: ConfigKey,
  { env, credential = CREDENTIAL }: LoadOptions,
  { config }: LoadedConfig,
  apiKeyFile: unknown,
): EffectiveSetting {
  const { name } = key;
  const stored: Readonly<Record<string, Credential | undefined>> = {
    [KEY]: config.cloud && { name: 'cloud-api-key', stored: credential },
    [HEADERS_FILE]: config.metrics.otlp?.headers && headersBeside(credential),
  };
  if (name === KEY && config.cloud && apiKeyFile !== undefined)
    return { key: name, value: MASKED, from: KEY_FILE };
  if (stored[name] !== undefined)
    return { key: name, value: MASKED, from: `credential ${findCredential(env, stored[name])?.file}` };
  if (name === 'state.dir') {
    return { key: name, value: config.state.dir, from: env.STATE_DIRECTORY ? 'STATE_DIRECTORY' : 'default' };
  }
  const value = defaultOf(key);
  return value === undefined
    ? { key: name, from: 'not set' }
    : { key: name, value: shownValue(name, value), from: 'default' };
}
