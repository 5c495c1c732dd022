/** Loads the configuration for the commands, and prints every problem. */

import { ConfigError, ConfigUnreadableError } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts';
import { sayError } from './terminal.ts';

/** The option of all commands that read a configuration. */
export interface ConfigOption {
  config?: string;
}

/** Loads it, or prints its problems. */
export const loadOrExplain = (
  { config: file }: ConfigOption,
  more: Partial<Pick<LoadOptions, 'env' | 'phonesOnly' | 'takesHidden' | 'defaultFile'>> = {},
): Promise<LoadedConfig | undefined> =>
  orExplain(() => loadConfig({ env: process.env, ...more, ...(file !== undefined && { file }) }));

/** Runs `make`. On a ConfigError prints the problems line by line and sets the exit code. */
export async function orExplain<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const mayPass = error instanceof ConfigUnreadableError;
    sayError(
      `the configuration ${mayPass ? 'cannot be read' : 'is wrong'}:`,
      ...error.problems.map((problem) => `  ${problem}`),
    );
    for (const warning of error.warnings) sayError(warning);
    process.exitCode = mayPass ? exitCode.failed : exitCode.config;
    return undefined;
  }
}
