/** `hostnode config check`: says what is wrong with the configuration, all of it, or that nothing is. */
import { type ConfigOption, loadOrExplain } from './configuration.ts';
import { say, sayError } from './terminal.ts';

export interface ConfigCheckOptions extends ConfigOption {
  /** Print what is wrong and nothing else. */
  quiet?: boolean;
}

export async function configCheck({ quiet = false, ...option }: ConfigCheckOptions): Promise<void> {
  const loaded = await loadOrExplain(option);
  if (loaded === undefined || quiet) return;
  const { config, warnings, source } = loaded;
  for (const warning of warnings) sayError(warning);
  const cloud = config.cloud?.baseUrl ?? config.notReporting ?? 'no cloud configured';
  say(`the configuration is right (file: ${source.file ?? 'none'}; cloud: ${cloud})`);
}
