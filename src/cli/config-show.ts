/** `hostnode config show`: prints every effective value and what sets it. */
import type { Environment } from '../base/environment.ts';
import { type EffectiveSetting, effectiveSettings } from '../config/effective.ts';
import type { Config, LoadedConfig } from '../config/load.ts';
import { SERVICE_ENVIRONMENT, withServiceEnvironment } from '../config/service-environment.ts';
import { fitted, layOut } from './columns.ts';
import { type ConfigOptions, loadFor } from './configuration.ts';
import { say, sayError, sayJson } from './terminal.ts';

export async function configShow({ json, ...option }: ConfigOptions<'json'>): Promise<void> {
  const env = withServiceEnvironment(process.env, option.config);
  const loaded = await loadFor(option, { env, takesHidden: true });
  const { config, warnings, source } = loaded;
  for (const warning of warnings) sayError(warning);
  const nodeId = config.nodeId === undefined ? await nodeIdInForce(config, env) : undefined;
  const settings = (await settingsInForce(option, env, loaded)).map((each) =>
    each.key === 'nodeId' && nodeId ? { ...each, ...nodeId } : each,
  );
  if (json) return sayJson(asObject(loaded, settings));
  const from = option.config === undefined ? '' : ' (--config)';
  const dropIns = (source.dropIns ?? []).map((file) => `drop-in: ${file}`);
  say(`file: ${source.file === undefined ? 'none' : `${source.file}${from}`}`, ...dropIns, '');
  const rows = settings.map(({ key, value, from }) => [key, shown(value), from]);
  say(...fitted([layOut(['KEY', 'VALUE', 'FROM'], rows)]));
}

/** The name that the agent would have; undefined where this user cannot know it. */
async function nodeIdInForce({ state: { dir } }: Config, env: Environment) {
  const { nodeIdSources, readNodeId, unfitForOnce } = await import('../host/identity.ts');
  const found = await readNodeId(undefined, dir, { root: '/', env, mayKeep: false });
  return unfitForOnce(found) ? undefined : { value: found.nodeId, from: nodeIdSources[found.source] };
}

export async function settingsInForce(
  option: ConfigOptions,
  env: Environment,
  loaded: LoadedConfig,
): Promise<EffectiveSetting[]> {
  const options = { env, ...(option.config !== undefined && { file: option.config }) };
  const isOfService = (place: string) => place in env && !(place in process.env);
  const placed = (place: string) => (isOfService(place) ? `${place} (${SERVICE_ENVIRONMENT})` : place);
  return (await effectiveSettings(options, loaded)).map((setting) => ({
    ...setting,
    from: placed(setting.from),
  }));
}

export const asObject = ({ source }: LoadedConfig, settings: readonly EffectiveSetting[]): object => ({
  ...source,
  settings: Object.fromEntries(settings.map(({ key, ...rest }) => [key, rest])),
});

/** Lists would fill the screen: their number, as the file has them. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `${value.length} in the list`;
  return value === undefined ? '–' : String(value);
}
