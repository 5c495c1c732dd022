/** The configuration as the commands take it: with every problem on the terminal where there is one. */
import { type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts';
import { ConfigError, ConfigUnreadableError } from '../errors.ts';
import { exitCode } from '../exit-code.ts';
import { sayError } from './terminal.ts';

/** What all commands with a configuration have in common. */
export interface ConfigOption {
  config?: string;
}

/** Loads it, or says what is wrong with it. */
export const loadOrExplain = (
  { config: file }: ConfigOption,
  more: Partial<Pick<LoadOptions, 'env' | 'phonesOnly'>> = {},
): Promise<LoadedConfig | undefined> =>
  orExplain(() => loadConfig({ env: process.env, ...more, ...(file !== undefined && { file }) }));

/** Makes what the configuration asks for, or says what is wrong with it, line by line, and sets the exit code. */
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
