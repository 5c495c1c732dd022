/** `hostnode run`: the daemon. Signals: TERM and INT stop it, a second one at once; HUP reads the configuration again. */
import { hostname } from 'node:os';
import type { Agent } from '../agent/agent.ts';
import { MaintenancePlan } from '../agent/maintenance.ts';
import { type AgentObserver, tellAll } from '../agent/observer.ts';
import { assembleAgent } from '../assembly/agent.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { ConfigError } from '../errors.ts';
import { createLogger, type Log } from '../log.ts';
import { readIdentity } from '../machine/identity.ts';
import { readRoster } from '../roster/store.ts';
import { openNotifier } from '../service/notify.ts';
import { Service, watchdogMsOf } from '../service/service.ts';
import { StateLockedError } from '../state/errors.ts';
import { lockStateDirectory, type StateLock } from '../state/lock.ts';
import { openStateDirectory } from '../state/state-dir.ts';
import { AgentCommands } from '../status/agent-commands.ts';
import { Board } from '../status/board.ts';
import { readHistory, writeHistory } from '../status/history-store.ts';
import { StatusSide } from '../status/status-side.ts';
import { buildNumber, version } from '../version.ts';
import { type ConfigOption, loadOrExplain } from './configuration.ts';
import { exitCode } from './exit-code.ts';
import { sayError } from './terminal.ts';

export async function run(options: ConfigOption): Promise<void> {
  process.title = 'hostnode'; // what systemd and ps call it
  process.umask(0o077);
  const loaded = await loadOrExplain(options);
  if (loaded === undefined) return;
  await new Daemon(options, loaded).run();
  process.exit(); // log lines that nobody reads would keep the process
}

/** A crash costs the curves of so long at most, ms. */
const KEEP_HISTORY_MS = 15 * 60_000;

/** One process: the agent in force, and what the signals do to it. */
class Daemon {
  readonly #options: ConfigOption;
  readonly #log: Log;
  readonly #service = new Service(openNotifier(process.env), watchdogMsOf(process.env));
  /** Those who look on: the first is the board, made when the state directory is known. */
  readonly #observers: AgentObserver[] = [];
  #board: Board | undefined;
  #statusSide: StatusSide | undefined;
  #maintenance: MaintenancePlan | undefined;
  #inForce: LoadedConfig;
  #agent: Agent | undefined;
  #lock: StateLock | undefined;
  /** The start, or a reload, that is under way. */
  #busy: Promise<void> = Promise.resolve();
  #isReloadDue = false;
  #ended = Promise.withResolvers<void>();
  #stopping = false;

  constructor(options: ConfigOption, loaded: LoadedConfig) {
    this.#options = options;
    this.#inForce = loaded;
    this.#log = createLogger({ ...loaded.config.log, destination: 'stdout' });
  }

  async run(): Promise<void> {
    process.on('SIGTERM', () => this.#stop('SIGTERM'));
    process.on('SIGINT', () => this.#stop('SIGINT'));
    process.on('SIGHUP', () => this.#reloadSoon());
    try {
      this.#busy = this.#start(this.#inForce);
      await this.#busy;
      await this.#ended.promise;
    } catch (error) {
      if (error instanceof ConfigError) {
        sayError(error.message);
        process.exitCode = exitCode.config;
      } else if (error instanceof StateLockedError) {
        sayError(`${error.message}; give this one another directory (HOSTNODE_STATE_DIR)`);
        process.exitCode = exitCode.device;
      } else throw error;
    } finally {
      await this.#log.flush();
    }
  }

  /**
   * @throws {StateLockedError}
   * @throws {ConfigError} when this host has no name to report by
   */
  async #start(loaded: LoadedConfig): Promise<void> {
    const { config, warnings, source } = loaded;
    const log = this.#log.logger;
    const stateDir = config.state.dir;
    await this.#openState(stateDir, log);
    const identity = await readIdentity(config.nodeId, stateDir, { root: '/', env: process.env });
    const { nodeId, source: nodeIdFrom, notKept, unfit, copied } = identity;
    if (unfit !== undefined) throw new ConfigError([`${unfit.seen}. ${unfit.mend}`]);
    if (copied !== undefined) {
      log.error(
        { nodeId, stateDir, todo: copied.mend },
        'the state directory was written on another host by the same name: two hosts may report as one',
      );
    }
    if (identity.trouble !== undefined) log.error(identity.trouble);
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
    if (this.#stopping) return;
    log.level = config.log.level;
    this.#inForce = loaded;
    const board = await this.#openBoard(stateDir);
    const maintenance = await MaintenancePlan.read(stateDir, log);
    this.#maintenance = maintenance;
    this.#statusSide ??= this.#openStatusSide(board);
    await this.#statusSide.prepare(config);
    const observer = tellAll(this.#observers);
    this.#agent = assembleAgent({ config, nodeId, log, observer, ...(record && { record }) });
    this.#agent.start();
    this.#service.follow(this.#agent);
    board.follow(this.#agent, {
      adbAddress: `${config.adb.host}:${config.adb.port}`,
      slots: config.slots.map(({ name }) => name),
      maintenanceOf: (udid) => maintenance.of(udid),
    });
    await this.#statusSide.serve(config);
  }

  #openStatusSide(board: Board): StatusSide {
    const inForce = () =>
      this.#agent && this.#maintenance && { agent: this.#agent, maintenance: this.#maintenance };
    return new StatusSide({
      env: process.env,
      board,
      commands: new AgentCommands(inForce, () => board.changed()),
      onMetrics: (metrics) => this.#observers.push(metrics),
      log: this.#log.logger,
    });
  }

  /** Those who look on from the side; kept in a reload. */
  async #openBoard(stateDir: string): Promise<Board> {
    if (this.#board !== undefined) return this.#board;
    const { value: record, trouble } = await readHistory(stateDir);
    if (trouble !== undefined) this.#log.logger.error(trouble);
    this.#board = new Board({ hostName: hostname(), version, ...(record && { record }) });
    this.#observers.push(this.#board);
    setInterval(() => void this.#keepHistory(), KEEP_HISTORY_MS).unref();
    return this.#board;
  }

  /** For the next run; a disk that takes nothing is no reason to say more than the roster does. */
  async #keepHistory(): Promise<void> {
    if (this.#board === undefined || this.#lock === undefined) return;
    await writeHistory(this.#inForce.config.state.dir, this.#board.record).catch((error) =>
      this.#log.logger.debug({ err: error }, 'the history could not be kept'),
    );
  }

  /** The agent works without its state: a disk that takes nothing is said, and is no reason not to start. */
  async #openState(dir: string, log: Log['logger']): Promise<void> {
    try {
      const mode = await openStateDirectory(dir);
      if ((mode & 0o077) !== 0) {
        log.warn(
          { mode: mode.toString(8), todo: `chmod 700 ${dir}` },
          'the state directory is open to others',
        );
      }
      this.#lock = await lockStateDirectory(dir);
    } catch (error) {
      if (error instanceof StateLockedError) throw error;
      log.error(
        { err: error },
        'the state directory cannot be used: a restart will forget the unplugged phones',
      );
    }
  }

  /** Several signals at once are one reload: it reads the newest file. */
  #reloadSoon(): void {
    if (this.#isReloadDue || this.#stopping) return;
    this.#isReloadDue = true;
    this.#service.reloading();
    this.#busy = this.#busy
      .then(() => this.#reload())
      .then(() => this.#service.reloaded())
      .catch((error: unknown) => this.#ended.reject(error as Error));
  }

  async #reload(): Promise<void> {
    this.#isReloadDue = false;
    if (this.#stopping) return;
    const log = this.#log.logger;
    const old = this.#inForce;
    let loaded: LoadedConfig;
    try {
      loaded = await loadConfig({
        env: process.env,
        ...(this.#options.config !== undefined && { file: this.#options.config }),
      });
    } catch (error) {
      const problems = error instanceof ConfigError ? error.problems : [String(error)];
      log.error({ problems }, 'the new configuration is wrong; the old one stays in force');
      return;
    }
    log.info('reading the configuration again');
    if (loaded.config.log.format !== old.config.log.format) log.warn('log.format: needs a restart');
    await this.#leave();
    if (this.#stopping) return;
    try {
      await this.#start(loaded);
    } catch (error) {
      if (!(error instanceof StateLockedError || error instanceof ConfigError)) throw error;
      log.error({ err: error }, 'the new configuration cannot be used; the old one stays in force');
      await this.#leave();
      await this.#start(old);
    }
  }

  /** Ends the agent in force and gives its state directory free. */
  async #leave(): Promise<void> {
    const [agent, lock] = [this.#agent, this.#lock];
    this.#agent = undefined;
    this.#service.unfollow();
    this.#board?.unfollow();
    await agent?.stop({ isFinal: this.#stopping });
    await this.#keepHistory();
    this.#lock = undefined;
    await lock?.release();
  }

  #stop(signal: string): void {
    if (this.#stopping) process.exit(1);
    this.#stopping = true;
    this.#service.stopping();
    const log = this.#log.logger;
    log.info({ signal }, 'stopping');
    void this.#busy
      .then(() => this.#leave())
      .then(() => this.#statusSide?.stop())
      .then(
        () => log.info('stopped'),
        (error) => log.error({ err: error }, 'the stop was not clean'),
      )
      .then(() => this.#ended.resolve());
  }
}
