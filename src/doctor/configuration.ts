/** The configuration: its problems, warnings and sources, and the source of the API key. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Environment } from '../base/environment.ts';
import { ConfigError, ConfigUnreadableError, hasCode } from '../base/errors.ts';
import { environmentLayer } from '../config/environment.ts';
import { readConfigFile } from '../config/file.ts';
import { valueAt } from '../config/layer.ts';
import { type Config, filesOf, type LoadedConfig, loadConfig } from '../config/load.ts';
import { encryptedForm, headersBeside, isPath } from '../config/secrets.ts';
import { type CheckResult, failed, ok, skipped, warning } from './check.ts';

const NAME = 'configuration';
const KEY = 'API key';

export interface ConfigurationPlaces {
  readonly env: Environment;
  /** Named on the command line. */
  readonly file?: string;
  readonly defaultFile: string;
  /** Where systemd's LoadCredential finds the service's key; beside it, its encrypted form. */
  readonly credential: string;
}

export interface ConfigurationLook {
  readonly results: readonly CheckResult[];
  /** The configuration in force. If it is wrong: the defaults, with the environment's adb server if that is right. */
  readonly config: Config;
  readonly isWrong: boolean;
  /** Only the service may read the key: the placeholder in its place must not be sent. */
  readonly isKeyHidden?: boolean;
  /** The same of the headers of the metrics' push, where the service may have any. */
  readonly areHeadersHidden?: boolean;
}

export async function lookAtConfiguration(places: ConfigurationPlaces): Promise<ConfigurationLook> {
  const { file, defaultFile } = places;
  const key = await findKey(places);
  try {
    const loaded = await loadConfig({
      ...(file !== undefined && { file }),
      defaultFile,
      credential: places.credential,
      env: key.env,
    });
    const { config, warnings } = loaded;
    const results = [
      ok(NAME, sourcesOf(loaded)),
      ...warnings.map(doubtful),
      config.cloud === undefined ? noKey : key.result,
    ];
    return {
      results,
      config,
      isWrong: false,
      isKeyHidden: key.isHidden === true,
      areHeadersHidden: await areHeadersHidden(config, places),
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const config = await loadSpare(places.env);
    const remedy = 'Fix it; config/hostnode.yaml shows every key. The other checks use the defaults';
    const isKeyWrong = error.problems.some((text) => text.startsWith('cloud.apiKey'));
    return {
      results: [
        ...error.problems.map((text) => failed(NAME, text, remedy)),
        ...error.warnings.map(doubtful),
        isKeyWrong ? wrongKey : key.result,
      ],
      config,
      isWrong: true,
    };
  }
}

const doubtful = (text: string): CheckResult => warning(NAME, text, 'Fix it or remove it');
const noKey = skipped(KEY, 'not needed: no cloud is configured');
const wrongKey = skipped(KEY, 'cannot be used: see the configuration');

const sourcesOf = (loaded: LoadedConfig): string => {
  const files = filesOf(loaded);
  return files === undefined
    ? 'valid: environment and defaults, no file'
    : `valid: ${files}; environment variables override it`;
};

const ADB = /^(?:ADB|ANDROID)/;
const HOME = /^(?:HOME$|STATE_DIRECTORY$|XDG)/;

const only = (env: Environment, ...names: readonly RegExp[]): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => names.some((wanted) => wanted.test(name))));

/** The defaults, and the adb server's address from adb's own variables unless they are wrong. */
async function loadSpare(env: Environment): Promise<Config> {
  const load = (...names: readonly RegExp[]) => loadConfig({ env: only(env, ...names), defaultFile: '' });
  const { config } = await load(ADB, HOME).catch((error: unknown) => {
    if (error instanceof ConfigError) return load(HOME);
    throw error;
  });
  return config;
}

/** The check of the configuration reports this error; the other checks go on. */
function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof ConfigUnreadableError)) throw error;
}

/**
 * Finds the source of the key, and never reads its value. A shell has no systemd credential: there we look at the file
 * from which the service gets it.
 *
 * @returns the result, and the environment for loading the configuration
 */
async function findKey({ env, file, defaultFile, credential }: ConfigurationPlaces) {
  const read = await readConfigFile(file ?? defaultFile, false).catch(ifUnreadable);
  const layers = [environmentLayer(env), ...(read ? [read.layer] : [])];
  for (const { values, where } of layers) {
    const path = valueAt(values, ['cloud', 'apiKeyFile']);
    if (typeof path === 'string') {
      const source = isPath(path) ? `the file ${path}` : 'a file';
      return { env, result: ok(KEY, `from ${source} (${where(['cloud', 'apiKeyFile'])})`) };
    }
    if (valueAt(values, ['cloud', 'apiKey']) !== undefined) {
      return { env, result: ok(KEY, `from cloud.apiKey (${where(['cloud', 'apiKey'])})`) };
    }
  }
  if (env.CREDENTIALS_DIRECTORY) {
    return { env, result: ok(KEY, 'from the systemd credential cloud-api-key') };
  }
  const plain = await lookFor(credential);
  const stored = plain === 'absent' ? encryptedForm(credential) : credential;
  const found = plain === 'absent' ? await lookFor(stored) : plain;
  const isMeant = layers.some(({ values }) => valueAt(values, ['cloud', 'baseUrl']) !== undefined);
  if (found === 'absent' || !isMeant) return { env, result: skipped(KEY, 'none is set') };
  if (found === 'readable') {
    return { env, result: ok(KEY, `from ${stored}, the service’s credential`) };
  }
  const result = skipped(KEY, `in ${stored}, which only root can read`, 'Run as root');
  return { env: { ...env, HOSTNODE_CLOUD_API_KEY: 'hidden' }, result, isHidden: true };
}

/** Not those of a file of its own: where that cannot be read, the configuration is wrong. */
async function areHeadersHidden({ metrics }: Config, { env, credential }: ConfigurationPlaces) {
  if (metrics.otlp === undefined || metrics.otlp.headers || env.CREDENTIALS_DIRECTORY) return false;
  const { stored } = headersBeside(credential);
  const found = await Promise.all([stored, encryptedForm(stored)].map(lookFor));
  return found.includes('hidden');
}

const lookFor = (file: string): Promise<'readable' | 'absent' | 'hidden'> =>
  access(file, constants.R_OK).then(
    () => 'readable',
    (error: unknown) => (hasCode(error, 'ENOENT') ? 'absent' : 'hidden'),
  );
