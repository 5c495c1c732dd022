/** The configuration as the commands take it: with every problem on the terminal where there is one. */
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { ConfigError } from '../errors.ts';
import { exitCode } from './exit-code.ts';
import { sayError } from './terminal.ts';

/** What all commands with a configuration have in common. */
export interface ConfigOption {
  config?: string;
}

/** Loads it, or says what is wrong with it, line by line, and sets the exit code. */
export async function loadOrExplain({ config: file }: ConfigOption): Promise<LoadedConfig | undefined> {
  try {
    return await loadConfig({ env: process.env, ...(file !== undefined && { file }) });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    sayError('the configuration is wrong:', ...error.problems.map((problem) => `  ${problem}`));
    process.exitCode = exitCode.config;
    return undefined;
  }
}
