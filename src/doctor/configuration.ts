/** The configuration: its problems, warnings and sources, and the source of the API key. */
import { ConfigUnreadableError } from '../base/errors.ts';
import { type EffectiveSetting, effectiveSettings } from '../config/effective.ts';
import { type Config, filesOf, type LoadedConfig, type LoadOptions, readConfig } from '../config/load.ts';
import { type Settings, settings } from '../config/schema.ts';
import { findCredential, isPath } from '../config/secrets.ts';
import { type CheckResult, failed, ok, skipped, warning } from './check.ts';

const NAME = 'configuration';
const KEY = 'API key';

export type ConfigurationPlaces = Pick<LoadOptions, 'env' | 'file'> &
  Required<Pick<LoadOptions, 'defaultFile' | 'credential'>>;

export interface ConfigurationLook {
  readonly results: readonly CheckResult[];
  /** The configuration in force, without what only the service may read; a wrong key has its default. */
  readonly config: Config;
  /** What this section says is not known: something there is wrong, or nobody can say where. */
  readonly isDoubtful: (section: keyof Settings) => boolean;
}

export async function lookAtConfiguration(places: ConfigurationPlaces): Promise<ConfigurationLook> {
  const options = { ...places, takesHidden: true };
  const loaded = await readConfig(options).catch(async (error: unknown) => {
    if (!(error instanceof ConfigUnreadableError)) throw error;
    return { ...(await readConfig({ env: {}, defaultFile: '' })), problems: error.problems };
  });
  const { config, warnings, problems } = loaded;
  const isDoubtful = (section: string) => problems.some((text) => mayConcern(text, section));
  const read = () => effectiveSettings(options, loaded);
  const key = isDoubtful('cloud') ? wrongKey : config.cloud ? lookAtKey(places, await read()) : noKey;
  const own = problems.map((text) => failed(NAME, text, remedyOf(text, places)));
  const found = own.length > 0 ? own : [ok(NAME, sourcesOf(loaded, await read()))];
  const results = [...found, ...warnings.map(doubtful), key];
  return { results, config, isDoubtful };
}

/** A problem begins with its key; one of a whole file, or of a key that is not known, may concern each section. */
function mayConcern(problem: string, section: string): boolean {
  const [, first = ''] = /^(\w+)[.[ ]/.exec(problem) ?? [];
  return first === section || !Object.hasOwn(settings.shape, first);
}

const remedyOf = (problem: string, { file }: ConfigurationPlaces): string =>
  problem === `${file}: cannot be read (no such file or directory)`
    ? 'Name a file that is there; hostnode config init writes one'
    : 'Fix it; docs/configuration.md has every key';

const doubtful = (text: string): CheckResult => warning(NAME, text, 'Fix it or remove it');
const noKey = skipped(KEY, 'not needed: no cloud is configured');
const wrongKey = skipped(KEY, 'cannot be used: see the configuration');

const variable = /^[A-Z][A-Z0-9_]+$/;

const sourcesOf = (loaded: LoadedConfig, effective: readonly EffectiveSetting[]): string => {
  const variables = effective.map(({ from }) => from).filter((from) => variable.test(from));
  const others =
    variables.length === 0 ? '' : `; from the environment: ${[...new Set(variables)].join(', ')}`;
  return `valid: ${filesOf(loaded) ?? 'no file'}${others}`;
};

/** Where the key comes from; in a shell it is the file from which the service gets its credential. */
function lookAtKey(
  { env, credential }: ConfigurationPlaces,
  effective: readonly EffectiveSetting[],
): CheckResult {
  const [key, keyFile] = ['cloud.apiKey', 'cloud.apiKeyFile'].map((name) =>
    effective.find((setting) => setting.key === name),
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
