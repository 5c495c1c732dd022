/** The configuration: its problems, warnings and sources, and the source of the API key. */
import type { Environment } from '../base/environment.ts';
import { ConfigError } from '../base/errors.ts';
import { type EffectiveSetting, effectiveSettings } from '../config/effective.ts';
import { type Config, filesOf, type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts';
import { findCredential, isPath } from '../config/secrets.ts';
import { type CheckResult, failed, ok, skipped, warning } from './check.ts';

const NAME = 'configuration';
const KEY = 'API key';

export type ConfigurationPlaces = Pick<LoadOptions, 'env' | 'file'> &
  Required<Pick<LoadOptions, 'defaultFile' | 'credential'>>;

export interface ConfigurationLook {
  readonly results: readonly CheckResult[];
  /**
   * The configuration in force, without what only the service may read. If it is wrong: the defaults, with the
   * environment's adb server if that is right.
   */
  readonly config: Config;
  readonly isWrong: boolean;
}

export async function lookAtConfiguration(places: ConfigurationPlaces): Promise<ConfigurationLook> {
  const options = { ...places, takesHidden: true };
  try {
    const loaded = await loadConfig(options);
    const { config, warnings } = loaded;
    const settings = await effectiveSettings(options, loaded);
    const key = config.cloud === undefined ? noKey : lookAtKey(places, settings);
    return { results: [ok(NAME, sourcesOf(loaded)), ...warnings.map(doubtful), key], config, isWrong: false };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = 'Fix it; config/hostnode.yaml shows every key. The other checks use the defaults';
    const problems = error.problems.map((text) => failed(NAME, text, remedy));
    const results = [...problems, ...error.warnings.map(doubtful), wrongKey];
    return { results, config: await loadSpare(places.env), isWrong: true };
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

/** Where the key comes from; in a shell it is the file from which the service gets its credential. */
function lookAtKey(
  { env, credential }: ConfigurationPlaces,
  settings: readonly EffectiveSetting[],
): CheckResult {
  const [key, keyFile] = ['cloud.apiKey', 'cloud.apiKeyFile'].map((name) =>
    settings.find((setting) => setting.key === name),
  );
  if (typeof keyFile?.value === 'string') {
    const source = isPath(keyFile.value) ? `the file ${keyFile.value}` : 'a file';
    return ok(KEY, `from ${source} (${keyFile.from})`);
  }
  const stored = findCredential(env, { name: 'cloud-api-key', stored: credential });
  if (key?.from !== `credential ${stored?.file}`) return ok(KEY, `from cloud.apiKey (${key?.from})`);
  if (env.CREDENTIALS_DIRECTORY) return ok(KEY, 'from the systemd credential cloud-api-key');
  if (stored?.isHidden) return skipped(KEY, `in ${stored.file}, which only root can read`, 'Run as root');
  return ok(KEY, `from ${stored?.file}, the service’s credential`);
}
