/** What shows a host and takes commands for it: page, Unix socket, metrics and their push, as the configuration says. */
import { readFile } from 'node:fs/promises';
import type { Agent } from '../agent/agent.ts';
import type { Environment } from '../base/environment.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { isBuilt } from '../base/version.ts';
import type { Config } from '../config/load.ts';
import type { StatusPart } from '../config/status.ts';
import type { Diagnosis } from '../diagnosis/index.ts';
import { ControlApi } from './control-api.ts';
import type { FindingsBoard } from './findings-board.ts';
import type { PageFile } from './http/routes.ts';
import { StatusServer } from './http/server.ts';
import { socketPathOf } from './http/socket-path.ts';
import type { Counts, Metrics } from './metrics/metrics.ts';
import type { Notified, Notifier } from './notify/notifier.ts';
import { phonePast } from './phone-past.ts';
import type { Plans } from './phone-plan.ts';
import { StatusModel, type StatusModelOptions, type StatusTimes } from './status-model.ts';

/** What a reload carries from one service to the next. */
export interface StatusCarried {
  /** Since when each thing is as it is. */
  readonly times: StatusTimes;
  /** What the metrics have counted: no counter starts again. Absent where none were wanted. */
  readonly counts?: Counts | undefined;
  /** Where it listened: a free port stays. */
  readonly ports?: ReadonlyMap<string, number>;
  /** What was told of the findings. */
  readonly notified?: Notified | undefined;
}

export interface StatusServiceOptions
  extends Pick<StatusModelOptions, 'adbAt' | 'phonesOnUsb' | 'hostName' | 'simulatedUntil'> {
  config: Config;
  agent: Agent;
  diagnosis: Diagnosis;
  findings: FindingsBoard;
  plans: Plans;
  /** Names the proxy, and the folder of the socket. */
  env: Environment;
  /** From the service before a reload, or the start. */
  carried: StatusCarried;
  log: Logger;
}

/** Only what is wanted: `Metrics` brings prom-client along. */
type Loaded = Partial<typeof import('./metrics/metrics.ts')> & { pageFiles?: readonly PageFile[] };

export class StatusService {
  readonly model: StatusModel;
  readonly control: ControlApi;
  readonly #options: StatusServiceOptions;
  readonly #metrics: Metrics | undefined;
  readonly #server: StatusServer;
  #stopPush: (() => void) | undefined;
  #notifier: Notifier | undefined;

  /** Observes the agent from now on; serves nothing before `start`. What nobody wants is not loaded. */
  static async create(options: StatusServiceOptions): Promise<StatusService> {
    const { status, metrics } = options.config;
    const has = (part: StatusPart) => status.listeners.some(({ parts }) => parts.includes(part));
    return new StatusService(options, {
      ...((metrics.otlp !== undefined || has('metrics')) && (await import('./metrics/metrics.ts'))),
      ...(has('page') && omitUndefined({ pageFiles: await readPageFiles() })),
    });
  }

  private constructor(options: StatusServiceOptions, { Metrics, pageFiles }: Loaded) {
    const { config, agent, diagnosis, plans, env, carried, log } = options;
    const { history } = diagnosis;
    const slots = config.slots.map(({ name }) => name);
    const past = phonePast(history, (udid) => agent.whereOf(udid) !== undefined);
    const model = new StatusModel({
      ...options,
      slots,
      times: carried.times,
      past,
      page: () => this.#server,
      ...omitUndefined({ nodeId: config.nodeId }),
    });
    agent.observe(model);
    this.#options = options;
    this.#metrics = Metrics && new Metrics(model, carried.counts);
    if (this.#metrics) agent.observe(this.#metrics.counts);
    this.model = model;
    this.control = new ControlApi({
      agent,
      plans,
      history,
      slots,
      ...omitUndefined({ udidsField: config.cloud?.reservationUdids }),
      present: () => model.status(),
      timeline: (query) => diagnosis.explain(query),
      verdict: (query) => diagnosis.verdict(query),
    });
    this.#server = new StatusServer({
      config: config.status,
      socketPath: socketPathOf(env, config.state.dir),
      source: model,
      commands: this.control,
      past,
      ...omitUndefined({ pageFiles, metrics: this.#metrics, formerPorts: carried.ports }),
      log,
    });
  }

  get carried(): StatusCarried {
    const { times, counts, notified } = this.#options.carried;
    return {
      times,
      counts: this.#metrics?.counts ?? counts,
      ports: this.#server.ports,
      notified: this.#notifier?.carried ?? notified,
    };
  }

  /**
   * Serves, tells and pushes from now on. Resolves when each place was tried.
   *
   * @throws {ConfigError} the address of a proxy is invalid
   */
  async start(): Promise<void> {
    const { config, agent, hostName, findings, carried, env, log } = this.#options;
    const { otlp } = config.metrics;
    const { nodeId } = agent.state;
    await this.#server.start();
    if (config.notify.length > 0) {
      const { startNotifier } = await import('./notify/notifier.ts');
      this.#notifier = await startNotifier({
        targets: config.notify,
        findings,
        host: { host: config.nodeId ?? hostName, nodeId },
        stateDir: config.state.dir,
        carried: carried.notified,
        env,
        log,
      });
    }
    if (otlp === undefined || this.#metrics === undefined) return;
    const { startPush } = await import('./metrics/otlp/push.ts');
    this.#stopPush = await startPush({ config: otlp, nodeId, hostName, metrics: this.#metrics, env, log });
  }

  /** Listens again where somebody has removed the socket. */
  reopenSocket(): Promise<void> {
    return this.#server.reopenSocket();
  }

  /** Other findings are there now. */
  findingsChanged(): void {
    this.model.changed();
    this.#notifier?.changed();
  }

  /** Pushes and tells no more. Never throws. */
  async stopSending(): Promise<void> {
    this.#stopPush?.();
    await this.#notifier?.stop();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/** Of the page, which packaging/bundle.ts writes beside the bundle; undefined when run from the sources. */
async function readPageFiles(): Promise<PageFile[] | undefined> {
  if (!isBuilt) return undefined;
  return JSON.parse(await readFile(new URL('./page.json', import.meta.url), 'utf8'));
}
