/** `hostnode run`: the daemon. Signals: TERM and INT stop it, a second one at once; HUP reads the configuration again. */
import type { Agent } from '../agent/agent.ts';
import { assembleAgent } from '../assembly.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { ConfigError } from '../errors.ts';
import { createLogger, type Log } from '../log.ts';
import { readNodeId } from '../machine/node-id.ts';
import { readRoster } from '../roster/store.ts';
import { StateLockedError } from '../state/errors.ts';
import { lockStateDirectory, type StateLock } from '../state/lock.ts';
import { openStateDirectory } from '../state/state-dir.ts';
import { buildNumber, version } from '../version.ts';
import { type ConfigOption, loadOrExplain } from './configuration.ts';
import { exitCode } from './exit-code.ts';
import { sayError } from './terminal.ts';

export async function run(options: ConfigOption): Promise<void> {
  const loaded = await loadOrExplain(options);
  if (loaded === undefined) return;
  const daemon = new Daemon(options);
  await daemon.run(loaded);
}

/** One process: the agent in force, and what the signals do to it. */
class Daemon {
  readonly #options: ConfigOption;
  #log: Log | undefined;
  #agent: Agent | undefined;
  #lock: StateLock | undefined;
  #reloading: Promise<void> = Promise.resolve();
  #ended = Promise.withResolvers<void>();
  #stopping = false;

  constructor(options: ConfigOption) {
    this.#options = options;
  }

  async run(loaded: LoadedConfig): Promise<void> {
    process.on('SIGTERM', () => this.#stop('SIGTERM'));
    process.on('SIGINT', () => this.#stop('SIGINT'));
    process.on('SIGHUP', () => {
      this.#reloading = this.#reloading.then(() => this.#reload());
    });
    try {
      await this.#start(loaded);
      await this.#ended.promise;
    } catch (error) {
      if (!(error instanceof StateLockedError)) throw error;
      sayError(`${error.message}; give this one another directory (HOSTNODE_STATE_DIR)`);
      process.exitCode = exitCode.device;
    } finally {
      await this.#log?.flush();
    }
  }

  async #start({ config, warnings, source }: LoadedConfig): Promise<void> {
    this.#log = createLogger({ ...config.log, destination: 'stdout' });
    const log = this.#log.logger;
    const stateDir = config.state.dir;
    await this.#openState(stateDir, log);
    const { nodeId, source: nodeIdFrom, notKept } = await readNodeId(config.nodeId, stateDir);
    if (notKept !== undefined && nodeIdFrom === 'random') {
      log.error(
        { err: notKept, nodeId },
        'the node id cannot be kept: the next start will have another one; set nodeId',
      );
    }
    log.info(
      { version, buildNumber, nodeId, nodeIdFrom, stateDir, ...source, cloud: config.cloud?.baseUrl },
      'hostnode starts',
    );
    for (const warning of warnings) log.warn(warning);
    const { value: record, trouble } = await readRoster(stateDir);
    if (trouble !== undefined) log.error(trouble);
    this.#agent = assembleAgent({ config, nodeId, log, ...(record && { record }) });
    this.#agent.start();
  }

  /** The agent works without its state: a disk that takes nothing is said, and is no reason not to start. */
  async #openState(dir: string, log: Log['logger']): Promise<void> {
    try {
      await openStateDirectory(dir);
      this.#lock = await lockStateDirectory(dir);
    } catch (error) {
      if (error instanceof StateLockedError) throw error;
      log.error(
        { err: error },
        'the state directory cannot be used: a restart will forget the unplugged phones',
      );
    }
  }

  async #reload(): Promise<void> {
    if (this.#stopping) return;
    const log = this.#log?.logger;
    let loaded: LoadedConfig;
    try {
      loaded = await loadConfig({
        env: process.env,
        ...(this.#options.config !== undefined && { file: this.#options.config }),
      });
    } catch (error) {
      const problems = error instanceof ConfigError ? error.problems : [String(error)];
      log?.error({ problems }, 'the new configuration is wrong; the old one stays in force');
      return;
    }
    log?.info('reading the configuration again');
    await this.#agent?.stop();
    await this.#lock?.release();
    this.#lock = undefined;
    if (!this.#stopping) await this.#start(loaded);
  }

  #stop(signal: string): void {
    if (this.#stopping) process.exit(1);
    this.#stopping = true;
    this.#log?.logger.info({ signal }, 'stopping');
    void this.#reloading
      .then(() => this.#agent?.stop())
      .then(() => this.#lock?.release())
      .then(
        () => this.#log?.logger.info('stopped'),
        (error) => this.#log?.logger.error({ err: error }, 'the stop was not clean'),
      )
      .then(() => this.#ended.resolve());
  }
}
