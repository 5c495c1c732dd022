/** `hostnode config check`: lists every problem in the configuration, or says that there is none. */
import { statSync } from 'node:fs';
import { exitCode } from '../base/exit-code.ts';
import { mainFileIn } from '../config/drop-ins.ts';
import { filesOf, type LoadedConfig } from '../config/load.ts';
import { withServiceEnvironment } from '../config/service-environment.ts';
import type { ConfigMatch } from './config-match.ts';
import { type ConfigOption, loadOrExplain } from './configuration.ts';
import { say, sayError, terminalWidth } from './terminal.ts';

export interface ConfigCheckOptions extends ConfigOption {
  /** Print problems only. */
  quiet?: boolean;
  json?: boolean;
}

/** @param folder holds the files to judge, in place of those of this host */
export async function configCheck(
  folder: string | undefined,
  { quiet = false, json = false, ...option }: ConfigCheckOptions,
): Promise<void> {
  if (folder !== undefined && option.config !== undefined)
    return misunderstood('give a folder or --config, not both');
  if (folder !== undefined && statSync(folder, { throwIfNoEntry: false })?.isFile())
    return misunderstood(`${folder}: is a file: give its folder, or --config ${folder}`);
  const env = withServiceEnvironment(process.env, folder ?? option.config);
  const loaded = await loadOrExplain(option, { env, ...(folder && { defaultFile: mainFileIn(folder) }) });
  if (loaded === undefined) return;
  if (folder !== undefined && filesOf(loaded) === undefined)
    return misunderstood(`${folder}: has neither hostnode.yaml nor conf.d/*.yaml`);
  if (quiet) return;
  const { config, warnings, source } = loaded;
  for (const warning of warnings) sayError(warning);
  const cloud = config.cloud?.baseUrl ?? config.notReporting ?? 'no cloud configured';
  if (json) return say(JSON.stringify({ ...source, cloud, warnings, ...(await matchOf(loaded)) }, null, 2));
  say(`the configuration is valid (file: ${filesOf(loaded) ?? 'none'}; cloud: ${cloud})`);
  if (config.devices.length === 0 && config.slots.length === 0) return;
  const { matchLines } = await import('./config-match.ts');
  say(...matchLines(await matchOf(loaded), terminalWidth(process.stdout)));
}

function misunderstood(problem: string): void {
  sayError(problem);
  process.exitCode = exitCode.usage;
}

/** Matches rules and slots with the phones that the agent of this state directory knows. */
async function matchOf({ config }: LoadedConfig): Promise<ConfigMatch> {
  const [{ matchPhones }, { readRoster }, { topologyBehind }] = await Promise.all([
    import('./config-match.ts'),
    import('../roster/store.ts'),
    import('../host/usb-buses.ts'),
  ]);
  const { value, problem } = await readRoster(config.state.dir, {
    mayRename: false,
    maxPhones: config.roster.maxPhones,
  });
  if (problem !== undefined) sayError(problem);
  else if (value === undefined)
    sayError(`no phones known yet: no agent has run with state directory ${config.state.dir}`);
  return matchPhones(config, value?.devices ?? [], topologyBehind(config.adb.host));
}
