import { ConfigError, ConfigUnreadableError } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts';
import { CommandError } from './terminal.ts';

/** What commander hands over: flags, and options with a text. */
export type Options<Flags extends string, Texts extends string> = Partial<
  Record<Flags, boolean> & Record<Texts, string>
>;

export type ConfigOptions<Flags extends string = never, Texts extends string = never> = Options<
  Flags,
  Texts | 'config'
>;

export const loadFor = (
  { config: file }: ConfigOptions,
  more: Partial<Pick<LoadOptions, 'env' | 'phonesOnly' | 'takesHidden' | 'defaultFile'>> = {},
): Promise<LoadedConfig> => loadConfig({ env: process.env, ...more, ...omitUndefined({ file }) });

/** All problems of the configuration, line by line; undefined for another error. */
export function configFailure(error: unknown): CommandError | undefined {
  if (!(error instanceof ConfigError)) return undefined;
  const mayPass = error instanceof ConfigUnreadableError;
  return new CommandError(
    mayPass ? exitCode.failed : exitCode.config,
    `the configuration ${mayPass ? 'cannot be read' : 'is wrong'}:`,
    ...error.problems.map((problem) => `  ${problem}`),
    ...error.warnings.map((warning) => `hostnode: ${warning}`),
  );
}
