/** The daemon. Signals: TERM and INT stop it, a second one at once; HUP stops it on a terminal, else it reloads. */
import { hostname } from 'node:os';
import type { AdbAt } from '../adb/remedy.ts';
import { ActiveAgent } from '../agent/active-agent.ts';
import type { Agent } from '../agent/agent.ts';
import { type AgentObserver, notifyAll } from '../agent/observer.ts';
import { ruleInputOf, settingOf } from '../agent/rule-input.ts';
import { handleSignals } from '../base/early-signals.ts';
import { anyHost, type HostKind, isByInit, isLoopback } from '../base/environment.ts';
import { createLogger, type Log } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { buildNumber, version } from '../base/version.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { KeptCheckpoint } from '../diagnosis/events/checkpoint.ts';
import { Diagnosis } from '../diagnosis/index.ts';
import type { RuleInput } from '../diagnosis/rule-input.ts';
import { readHostKind } from '../host/host-kind.ts';
import { withDiskTimeout } from '../host/state-file.ts';
import { maintenanceRemark } from '../report/remark.ts';
import { bootedAt } from '../roster/clock-step.ts';
import { FindingsBoard } from '../status/findings-board.ts';
import type { Maintenance } from '../status/host-status.ts';
import type { MaintenancePlan } from '../status/maintenance.ts';
import type { PhonePast } from '../status/source.ts';
import { StatusModel } from '../status/status-model.ts';
import type { StatusSide } from '../status/status-side.ts';
import { assembleAgent } from './assemble-agent.ts';
import { assemblePast, assembleStatusSide } from './assemble-status.ts';
import { Handover } from './handover.ts';
import { MetricsPush } from './metrics-push.ts';
import { openMaintenance, openState, readConfigAgain, reopenState } from './opening.ts';
import { openNotifier } from './sd-notify.ts';
import { type StartRefusal, startRefusalOf } from './start-refusal.ts';
import { StateHold } from './state-hold.ts';
import { Service, watchdogMsOf } from './systemd.ts';

/** The process: runs the current agent and handles signals. */
export class Daemon {
  readonly #configFile: string | undefined;
  readonly #log: Log;
  readonly #active = new ActiveAgent<Agent>();
  readonly #service = new Service(
    openNotifier(process.env),
    this.#active,
    () => this.#adbAt,
    watchdogMsOf(process.env),
    undefined,
    () => this.#diagnosis.findings ?? [],
  );
  /** The first one is the status model, created when the state directory is known. */
  readonly #observers: AgentObserver[] = [];
  #statusModel: StatusModel | undefined;
  readonly #board: FindingsBoard;
  readonly #diagnosis: Diagnosis;
  readonly #past: PhonePast;
  #statusSide: StatusSide | undefined;
  readonly #metricsPush: MetricsPush;
  #maintenance: MaintenancePlan | undefined;
  #inForce: LoadedConfig;
  /** Read at the start. */
  #hostKind: HostKind = anyHost;
  readonly #stateHold: StateHold;
  #isCheckingState = false;
  readonly #handover: Handover;
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
    this.#stateHold = new StateHold(this.#log.logger);
    this.#handover = new Handover(this.#log.logger);
    this.#board = new FindingsBoard({
      log: this.#log.logger,
      onChange: (udids) => {
        for (const udid of udids) this.#active.agent?.remarked(udid);
        this.#statusModel?.changed();
      },
    });
    this.#diagnosis = new Diagnosis({
      input: () => this.#ruleInput(),
      hasUsb: () => isLoopback(this.#inForce.config.adb.host),
      board: this.#board,
      log: this.#log.logger,
    });
    this.#past = assemblePast(this.#active, this.#diagnosis);
    this.#metricsPush = new MetricsPush(process.env, this.#active, this.#log.logger);
  }

  /** @returns why it cannot start; undefined after it has stopped */
  async run(): Promise<StartRefusal | undefined> {
    try {
      this.#busy = Promise.resolve().then(() =>
        this.#needsNoAgent ? undefined : this.#start(this.#inForce),
      );
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
    const stateDir = config.state.dir;
    this.#hostKind = await readHostKind('/', process.env);
    for (const warning of warnings) log.warn(warning); // first: a misspelt variable may prevent the start
    await this.#stateHold.hold(config.state, openState);
    const { nodeId, source: nodeIdFrom } = await this.#handover.identity(config);
    log.info(
      { version, buildNumber, nodeId, nodeIdFrom, stateDir, ...source, cloud: config.cloud?.baseUrl },
      'hostnode starts',
    );
    const { record, unread } = await this.#handover.phones(config);
    if (this.#needsNoAgent) return;
    log.level = config.log.level;
    this.#inForce = loaded;
    await this.#startDiagnosis();
    const earlier = await this.#diagnosis.restore();
    const statusModel = this.#statusModelOf(earlier);
    const maintenance = await openMaintenance(stateDir, log, this.#maintenance);
    this.#maintenance = maintenance;
    const { hidesFromCloud } = config.maintenance;
    this.#statusSide ??= this.#openStatusSide(statusModel);
    await this.#statusSide.prepare(config);
    const observer = notifyAll(this.#observers);
    const agent = assembleAgent({
      ...{ config, nodeId, log, observer, checkpoint: this.#handover.checkpoint ?? earlier },
      ...omitUndefined({ storedAt: this.#handover.storedAt(config, nodeId) }),
      ...((!this.#isByInit || this.#handover.checkpoint !== undefined) && { timing: { firstReportMs: 0 } }),
      remarkOf: (udid) => ({
        ...this.#board.remarkOf(udid),
        ...maintenanceRemark(maintenance.of(udid), hidesFromCloud),
      }),
      ...omitUndefined({ record, unreadRoster: unread }),
    });
    agent.start();
    statusModel.follow(agent, {
      adbAt: this.#adbAt,
      slots: config.slots.map(({ name }) => name),
      maintenanceOf: (udid) => maintenance.of(udid),
      pageUrl: () => this.#statusSide?.pageUrl,
      pageProblem: () => this.#statusSide?.pageProblem,
      ...omitUndefined({ nodeId: config.nodeId }),
    });
    maintenance.onChange((udid, entry) => this.#maintenanceChanged(udid, entry));
    this.#service.readyAfter(agent.firstListing);
    await this.#statusSide.serve(config);
    await this.#metricsPush.use(config, nodeId, this.#statusSide.metrics);
  }

  get #adbAt(): AdbAt {
    const { host, port } = this.#inForce.config.adb;
    return { host, port, hostKind: this.#hostKind };
  }

  #openStatusSide(statusModel: StatusModel): StatusSide {
    return assembleStatusSide({
      ...{ active: this.#active, diagnosis: this.#diagnosis, past: this.#past, statusModel },
      config: () => this.#inForce.config,
      maintenance: () => this.#maintenance,
      onMetrics: (metrics) => this.#observers.push(metrics),
      log: this.#log.logger,
    });
  }

  /** Once: records that hostnode has started, before an agent records anything. */
  #statusModelOf({ connections: lastStates }: KeptCheckpoint): StatusModel {
    if (this.#statusModel !== undefined) return this.#statusModel;
    const started = { kind: 'agentStarted', version, hostBootedAt: Math.round(bootedAt()) } as const;
    void this.#diagnosis.record([{ ...started, at: Date.now() }]);
    const options = { hostName: hostname(), version, findings: this.#board, past: this.#past };
    this.#statusModel = new StatusModel({ ...options, ...omitUndefined({ lastStates }) }, this.#active);
    this.#observers.push(this.#statusModel, this.#diagnosis);
    this.#observers.push({ round: () => void this.#checkState() });
    return this.#statusModel;
  }

  #ruleInput(): RuleInput | undefined {
    const { agent } = this.#active;
    const isInMaintenance = (udid: string) => this.#maintenance?.of(udid) !== undefined;
    const setting = settingOf(this.#inForce.config);
    return agent && ruleInputOf(agent.view, { setting, isInMaintenance }, Date.now());
  }

  /** With the configuration in force. Without the state directory the history is in memory, as a stopgap. */
  #startDiagnosis(): Promise<void> {
    const { state, history } = this.#inForce.config;
    const place = this.#stateHold.isHeld ? { stateDir: state.dir } : { isStopgap: true as const };
    return this.#diagnosis.start({ ...history, ...place });
  }

  #maintenanceChanged(udid: string, maintenance: Maintenance | undefined): void {
    const { agent } = this.#active;
    const where = agent?.whereOf(udid);
    const happening = maintenance
      ? ({ kind: 'maintenance', ...maintenance } as const)
      : ({ kind: 'maintenanceEnded' } as const);
    // of a phone that was forgotten nothing is to remain
    if (where !== undefined) void this.#diagnosis.record([{ ...happening, udid, where, at: Date.now() }]);
    agent?.remarked(udid);
    this.#statusModel?.changed();
  }

  /** Somebody may have removed the state directory or the socket, or fixed what blocked them. */
  async #checkState(): Promise<void> {
    if (this.#active.agent === undefined || this.#isCheckingState) return;
    this.#isCheckingState = true;
    try {
      if (await this.#stateHold.hold(this.#inForce.config.state, reopenState)) {
        await this.#maintenance?.keep();
        await this.#startDiagnosis();
      }
      await this.#maintenance?.catchUp();
      await this.#statusSide?.reopenSocket();
    } catch (error) {
      if (!this.#stopping) this.#ended.reject(error as Error);
    } finally {
      this.#isCheckingState = false;
    }
  }

  /** A stopping daemon needs no agent, unless that must still report the phones unplugged. */
  get #needsNoAgent(): boolean {
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
    if (this.#needsNoAgent) return;
    try {
      await this.#start(loaded);
      void this.#diagnosis.record([{ kind: 'agentReloaded', at: Date.now() }]);
    } catch (error) {
      if (startRefusalOf(error, this.#hostKind) === undefined) throw error;
      log.error({ err: error }, 'the new configuration cannot be used; the old one stays in force');
      await this.#leave();
      await this.#start(old);
    }
  }

  /** Ends the current agent. Keeps the state directory locked: a disk that is read-only now could not lock it again. */
  async #leave(): Promise<void> {
    const { agent } = this.#active;
    this.#statusModel?.unfollow();
    await agent?.stop({ isFinal: () => this.#stopping });
    if (agent) this.#handover.take(agent, this.#inForce.config);
    if (this.#maintenance) await withDiskTimeout(this.#maintenance.keep());
  }

  #stop(signal: string): void {
    this.#stopping = true;
    this.#service.stopping();
    const log = this.#log.logger;
    log.info({ signal }, 'stopping');
    void this.#busy
      .then(() => Promise.all([this.#metricsPush.end(), this.#leave()]))
      .then(() => void this.#diagnosis.record([{ kind: 'agentStopped', at: Date.now() }]))
      .then(() => this.#diagnosis.close())
      .then(() => this.#stateHold.release())
      .then(() => this.#statusSide?.stop())
      .then(
        () => log.info('stopped'),
        (error) => log.error({ err: error }, 'the stop was not clean'),
      )
      .then(() => this.#ended.resolve());
  }
}
