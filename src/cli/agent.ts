/** The running agent: where its socket is, and how a command sends it a request. */
import { access, constants } from 'node:fs/promises';
import { ConfigError, hasCode } from '../base/errors.ts';
import { exitCode } from '../base/exit-code.ts';
import { defaultStateDirectory } from '../host/state-dir.ts';
import { systemReason } from '../host/state-errors.ts';
import { type AgentRequest, type AgentResponse, refusalIn, requestAgent } from '../status/http/client.ts';
import { socketPathOf } from '../status/http/socket-path.ts';
import type { ConfigOptions } from './configuration.ts';
import { CommandError } from './terminal.ts';

/** Those of a command for the running agent; `socket` is the path of its socket, which is then not searched for. */
export type AgentOptions<Flags extends string = never, Texts extends string = never> = ConfigOptions<
  Flags,
  Texts | 'socket'
>;

/** By what a person names a phone or a place. */
export const NAMES = 'udid, serial, slot, shelf, USB port, hub, name, model or host';

/** Where systemd puts it: RuntimeDirectory=hostnode. */
const SERVICE_DIRECTORY = '/run/hostnode';

/**
 * The agent's socket: from the command line or the environment, else the service's, else the one in the configured
 * state directory. Reads the configuration only as the last resort.
 */
export async function agentSocket({ socket, config }: AgentOptions): Promise<string> {
  const { env } = process;
  if (socket !== undefined) return socket;
  if (env.RUNTIME_DIRECTORY) return socketPathOf(env, '');
  if (config === undefined && env.HOSTNODE_STATE_DIR) return socketPathOf(env, env.HOSTNODE_STATE_DIR);
  const service = socketPathOf({}, SERVICE_DIRECTORY);
  if (config === undefined && (await isThere(service))) return service;
  return socketPathOf(env, await configuredStateDirectory(config));
}

/** Also true if this user may not read it. */
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: unknown) => hasCode(error, 'EACCES'),
  );

async function configuredStateDirectory(file: string | undefined): Promise<string> {
  if (file !== undefined)
    await access(file, constants.R_OK).catch((error: unknown) => {
      // without the file that a person named we would talk to another agent
      throw new ConfigError([`${file}: cannot be read (${systemReason(error)})`]);
    });
  const { readConfig } = await import('../config/load.ts');
  const reading = readConfig({ env: process.env, ...(file !== undefined && { file }) });
  if (file === undefined)
    return reading.then(
      ({ config }) => config.state.dir,
      () => defaultStateDirectory(process.env), // the agent reports the problems itself
    );
  const { config, problems, knowsStateDir } = await reading;
  if (!knowsStateDir) throw new ConfigError(problems); // its agent cannot be found, and another one must not answer
  return config.state.dir;
}

const codes: Readonly<Record<number, number>> = { 400: exitCode.usage, 502: exitCode.cloud };

/** The agent answers and does not do it; `status` is its HTTP status. */
export class AgentRefusedError extends CommandError {
  readonly status: number;

  constructor(answer: AgentResponse) {
    super(codes[answer.status] ?? exitCode.failed, refusalIn(answer));
    this.status = answer.status;
  }
}

/** The agent answers from memory or from its history, ms. */
const ANSWER_MS = 15_000;

/** @throws {NoAgentError | AgentRefusedError} */
export async function callAgent<T>(
  option: AgentOptions,
  request: Partial<AgentRequest> & Pick<AgentRequest, 'path'>,
): Promise<T> {
  const answer = await requestAgent(await agentSocket(option), { timeoutMs: ANSWER_MS, ...request });
  if (answer.status !== 200) throw new AgentRefusedError(answer);
  return JSON.parse(answer.text) as T;
}
