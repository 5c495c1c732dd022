/** The configuration: every problem, every warning, where it comes from, and where the API key comes from. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { environmentLayer } from '../config/environment.ts';
import { readConfigFile } from '../config/file.ts';
import { isPath } from '../config/key-file.ts';
import { valueAt } from '../config/layer.ts';
import { type Config, type LoadedConfig, loadConfig } from '../config/load.ts';
import type { Environment } from '../environment.ts';
import { ConfigError, ConfigUnreadableError, hasCode } from '../errors.ts';
import { type Finding, failed, ok, skipped, warning } from './finding.ts';

const NAME = 'configuration';
const KEY = 'API key';

export interface ConfigurationPlaces {
  readonly env: Environment;
  /** Asked for by name. */
  readonly file?: string;
  readonly defaultFile: string;
  /** Where systemd's LoadCredential finds the service's key. */
  readonly credential: string;
}

export interface ConfigurationLook {
  readonly findings: readonly Finding[];
  /** What is in force; where it is wrong the defaults, and the environment's adb server where that is right. */
  readonly config: Config;
  readonly isWrong: boolean;
  /** The key is the service's, and not for this user to read: what stands in its place must not be sent. */
  readonly isKeyHidden?: boolean;
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
    const findings = [
      ok(NAME, sourcesOf(loaded)),
      ...warnings.map(doubtful),
      config.cloud === undefined ? noKey : key.finding,
    ];
    return { findings, config, isWrong: false, isKeyHidden: key.isHidden === true };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const config = await loadSpare(places.env);
    const mend = 'Correct it: config/hostnode.yaml shows every key; the other checks use the defaults';
    const isKeyWrong = error.problems.some((text) => text.startsWith('cloud.apiKey'));
    return {
      findings: [
        ...error.problems.map((text) => failed(NAME, text, mend)),
        ...error.warnings.map(doubtful),
        isKeyWrong ? wrongKey : key.finding,
      ],
      config,
      isWrong: true,
    };
  }
}

const doubtful = (text: string): Finding => warning(NAME, text, 'Correct it, or take it away');
const noKey = skipped(KEY, 'none is needed: no cloud is configured');
const wrongKey = skipped(KEY, 'cannot be used: see the configuration');

const sourcesOf = ({ source }: LoadedConfig): string =>
  source.file === undefined
    ? 'valid: the environment and the defaults, no file'
    : `valid: ${source.file}, and the environment before it`;

const ADB = /^(?:ADB|ANDROID)/;
const HOME = /^(?:HOME$|STATE_DIRECTORY$|XDG)/;

const only = (env: Environment, ...names: readonly RegExp[]): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => names.some((wanted) => wanted.test(name))));

/** Without what may be wrong: the defaults, and the adb server's place by adb's own variables unless they are wrong. */
async function loadSpare(env: Environment): Promise<Config> {
  const load = (...names: readonly RegExp[]) => loadConfig({ env: only(env, ...names), defaultFile: '' });
  const { config } = await load(ADB, HOME).catch((error: unknown) => {
    if (error instanceof ConfigError) return load(HOME);
    throw error;
  });
  return config;
}

/** That is said of the configuration itself. */
function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof ConfigUnreadableError)) throw error;
}

/**
 * Where the key comes from; its value is never looked at. In a shell there is no credential of systemd's: the file
 * that the service would get it from stands in for it.
 *
 * @returns also the environment with which to load the configuration
 */
async function findKey({ env, file, defaultFile, credential }: ConfigurationPlaces) {
  const read = await readConfigFile(file ?? defaultFile, false).catch(ifUnreadable);
  const layers = [environmentLayer(env), ...(read ? [read.layer] : [])];
  for (const { values, where } of layers) {
    const path = valueAt(values, ['cloud', 'apiKeyFile']);
    if (typeof path === 'string') {
      const source = isPath(path) ? `the file ${path}` : 'a file';
      return { env, finding: ok(KEY, `from ${source} (${where(['cloud', 'apiKeyFile'])})`) };
    }
    if (valueAt(values, ['cloud', 'apiKey']) !== undefined) {
      return { env, finding: ok(KEY, `from cloud.apiKey (${where(['cloud', 'apiKey'])})`) };
    }
  }
  if (env.CREDENTIALS_DIRECTORY) {
    return { env, finding: ok(KEY, 'from the systemd credential cloud-api-key') };
  }
  const found = await access(credential, constants.R_OK).then(
    () => 'readable',
    (error: unknown) => (hasCode(error, 'ENOENT') ? 'absent' : 'hidden'),
  );
  const isMeant = layers.some(({ values }) => valueAt(values, ['cloud', 'baseUrl']) !== undefined);
  if (found === 'absent' || !isMeant) return { env, finding: skipped(KEY, 'none is set') };
  if (found === 'readable') {
    return { env, finding: ok(KEY, `from ${credential}, the service’s credential`) };
  }
  const finding = skipped(KEY, `in ${credential}, which only root can read`, 'Run this as root');
  return { env: { ...env, HOSTNODE_CLOUD_API_KEY: 'hidden' }, finding, isHidden: true };
}
