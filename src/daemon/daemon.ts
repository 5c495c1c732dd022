/** The daemon. Signals: TERM and INT stop it, a second one at once; HUP stops it on a terminal, else it reloads. */
import { hostname } from 'node:os';
import { handleSignals } from '../base/early-signals.ts';
import { anyHost, type HostKind, isByInit } from '../base/environment.ts';
import { ConfigError } from '../base/errors.ts';
import { createLogger, type Log, type Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { buildNumber, version } from '../base/version.ts';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { readHostKind } from '../host/host-kind.ts';
import { bootedAt } from '../roster/clock-step.ts';
import { type Carried, closeCarried, createHost, type Host } from './host.ts';
import { loadIdentity, lockState, type StartRefusal, startRefusalOf } from './load-state.ts';
import { openNotify, Service, watchdogMsOf } from './systemd.ts';

export class Daemon {
  readonly #configFile: string | undefined;
  readonly #log: Log;
  readonly #service = new Service(openNotify(process.env), watchdogMsOf(process.env));
  #inForce: LoadedConfig;
  /** Absent at the start, in a reload and at the end. */
  #host: Host | undefined;
  /** What the last host left, or the next one begins with. */
  #carried: Partial<Carried> = {};
  #hostKind: HostKind = anyHost;
  #busy: Promise<void> = Promise.resolve();
  #isReloadDue = false;
  /** As a service or in a container: thousands may be restarted at once. Else a person waits for the first report. */
  readonly #isByInit = isByInit();
  #ended = Promise.withResolvers<void>();
  #stopping = false;

  /** @param configFile from the command line: a reload reads it again */
  constructor(loaded: LoadedConfig, configFile?: string) {
    this.#configFile = configFile;
    this.#inForce = loaded;
    this.#log = createLogger({ ...loaded.config.log, destination: 'stdout' });
  }

  /** @returns why it cannot start; undefined after it has stopped */
  async run(): Promise<StartRefusal | undefined> {
    try {
      this.#busy = Promise.resolve().then(() => (this.#needsNoHost ? undefined : this.#start(this.#inForce)));
      // before the start: after an earlier stop signal there is nothing to start
      handleSignals({ stop: (signal) => this.#stop(signal), reload: () => this.#reloadSoon() });
      await this.#busy;
      await this.#ended.promise;
      return undefined;
    } catch (error) {
      const refusal = startRefusalOf(error, this.#hostKind);
      if (refusal === undefined) throw error;
      return refusal;
    } finally {
      await this.#log.flush();
    }
  }

  /** @throws errors that `startRefusalOf` explains */
  async #start(loaded: LoadedConfig): Promise<void> {
    const { config, warnings, source } = loaded;
    const log = this.#log.logger;
    this.#hostKind = readHostKind('/', process.env);
    for (const warning of warnings) log.warn(warning); // first: a misspelt variable may prevent the start
    const lock = await lockState(config.state, log, this.#carried.lock);
    this.#carried = { ...this.#carried, lock };
    const identity = await loadIdentity(config, log, this.#carried);
    const { nodeId, source: nodeIdFrom } = identity;
    const stateDir = config.state.dir;
    log.info(
      { version, buildNumber, nodeId, nodeIdFrom, stateDir, ...source, cloud: config.cloud?.baseUrl },
      'hostnode starts',
    );
    if (this.#needsNoHost) return;
    log.level = config.log.level;
    this.#inForce = loaded;
    const isFirst = this.#carried.history === undefined;
    const host = await createHost(
      config,
      { ...this.#carried, identity },
      {
        log,
        env: process.env,
        hostKind: this.#hostKind,
        hostName: hostname(),
        history: 'disk',
        timing: this.#isByInit && isFirst ? {} : { firstReportMs: 0, firstReadBackMs: 0 },
      },
    );
    this.#host = host;
    host.failed.catch((error: Error) => {
      if (!this.#stopping) this.#ended.reject(error);
    });
    if (isFirst) host.record({ kind: 'agentStarted', version, hostBootedAt: Math.round(bootedAt()) });
    if (this.#needsNoHost) return;
    const running = host.run();
    this.#service.runs(host);
    await running;
  }

  /** A stopping daemon needs no host, unless that must still report the phones unplugged. */
  get #needsNoHost(): boolean {
    return this.#stopping && this.#inForce.config.report.onStop !== 'unplugged';
  }

  /** Several signals at once cause one reload, which reads the newest file. */
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
    const loaded = await readConfigAgain(this.#configFile, log);
    if (loaded === undefined) return;
    log.info('reading the configuration again');
    if (loaded.config.log.format !== old.config.log.format) log.warn('log.format: needs a restart');
    await this.#leave();
    if (this.#needsNoHost) return;
    try {
      await this.#start(loaded);
      this.#host?.record({ kind: 'agentReloaded' });
    } catch (error) {
      if (startRefusalOf(error, this.#hostKind) === undefined) throw error;
      log.error({ err: error }, 'the new configuration cannot be used; the old one stays in force');
      await this.#leave();
      await this.#start(old);
    }
  }

  /** Stops the current host, if there is one. What it leaves stays open for the next one. */
  async #leave(): Promise<void> {
    const host = this.#host;
    if (host === undefined) return;
    this.#service.runs(undefined);
    await host.stop(() => this.#stopping);
    this.#host = undefined;
    this.#carried = host.carried;
  }

  #stop(signal: string): void {
    this.#stopping = true;
    this.#service.stopping();
    const log = this.#log.logger;
    log.info({ signal }, 'stopping');
    void this.#busy
      .then(() => this.#leave())
      .then(() => closeCarried(this.#carried))
      .then(
        () => log.info('stopped'),
        (error) => log.error({ err: error }, 'the stop was not clean'),
      )
      .then(() => this.#ended.resolve());
  }
}

/** @returns undefined if it is wrong, which is logged: then the old one stays in force */
async function readConfigAgain(file: string | undefined, log: Logger): Promise<LoadedConfig | undefined> {
  try {
    return await loadConfig({ env: process.env, ...omitUndefined({ file }) });
  } catch (error) {
    const { problems, warnings } =
      error instanceof ConfigError ? error : { problems: [String(error)], warnings: [] };
    log.error({ problems }, 'the new configuration is wrong; the old one stays in force');
    for (const warning of warnings) log.warn(warning);
    return undefined;
  }
}
