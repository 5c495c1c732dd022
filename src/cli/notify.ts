/** `hostnode notify`: where messages about findings go; with `--test` it sends one to each address, and says what came back. */
import { hostname } from 'node:os';
import { exitCode } from '../base/exit-code.ts';
import type { Line } from '../base/styled-text.ts';
import { EndpointError } from '../cloud/endpoint.ts';
import type { NotifyTarget } from '../config/notify.ts';
import { withServiceEnvironment } from '../config/service-environment.ts';
import { postTo } from '../status/notify/client.ts';
import { type ConfigOptions, loadFor } from './configuration.ts';
import { CommandError, say } from './terminal.ts';

export async function notify({ test, ...option }: ConfigOptions<'test'>): Promise<void> {
  const env = withServiceEnvironment(process.env, option.config);
  const { nodeId, notify: targets } = (await loadFor(option, { env })).config;
  if (targets.length === 0)
    throw new CommandError(
      exitCode.config,
      'nothing is to be told: notify names no address in the configuration',
    );
  const message = { host: nodeId ?? hostname(), changes: [], now: { critical: 0, major: 0, minor: 0 } };
  const signal = new AbortController().signal;
  const sent = async (target: NotifyTarget): Promise<Line> => {
    if (!test) return lineOf(target, `${target.severity} and worse`, target.codes.join(', ') || 'all codes');
    try {
      const status = await postTo(target, env)({ ...message, at: Date.now() }, signal);
      return lineOf(target, `taken (${status})`);
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      process.exitCode = exitCode.failed;
      return lineOf(target, error.message.slice(error.request.length + ': '.length));
    }
  };
  say(...(await Promise.all(targets.map(sent))));
}

const lineOf = ({ key, shown, format }: NotifyTarget, ...words: string[]): string =>
  `${key} ${shown} (${format}): ${words.join(', ')}`;
