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
import { createStatusServer, type StatusServer } from './http/server.ts';
import { socketPathOf } from './http/socket-path.ts';
import type { Counts } from './metrics/metrics.ts';
import type { Notifier } from './notify/notifier.ts';
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

export type StatusService = Awaited<ReturnType<typeof createStatusService>>;

/** Observes the agent from now on; serves nothing before `start`. What nobody wants is not loaded. */
export async function createStatusService(options: StatusServiceOptions) {
  const { config, agent, diagnosis, findings, plans, hostName, env, carried, log } = options;
  const { otlp } = config.metrics;
  const { history } = diagnosis;
  const has = (part: StatusPart) => config.status.listeners.some(({ parts }) => parts.includes(part));
  // it brings prom-client along
  const loaded = otlp !== undefined || has('metrics') ? await import('./metrics/metrics.ts') : undefined;
  const pageFiles = has('page') ? await readPageFiles() : undefined;

  const slots = config.slots.map(({ name }) => name);
  const past = phonePast(history, (udid) => agent.whereOf(udid) !== undefined);
  const model = new StatusModel({
    ...options,
    slots,
    past,
    history,
    times: carried.times,
    page: () => server,
    ...omitUndefined({ nodeId: config.nodeId }),
  });
  agent.observe(model);
  const metrics = loaded && new loaded.Metrics(model, carried.counts);
  if (metrics) agent.observe(metrics.counts);
  const control = new ControlApi({
    agent,
    plans,
    history,
    slots,
    ...omitUndefined({ udidsField: config.cloud?.reservationUdids }),
    present: () => model.status(),
    timeline: (query) => diagnosis.timeline(query),
    verdict: (query) => diagnosis.verdict(query),
  });
  const server: StatusServer = createStatusServer({
    config: config.status,
    socketPath: socketPathOf(env, config.state.dir),
    source: model,
    commands: control,
    past,
    ...omitUndefined({ pageFiles, metrics, formerPorts: carried.ports }),
    log,
  });
  let stopPush = () => {};
  let notifier: Notifier | undefined;

  return {
    model,
    control,

    get carried(): StatusCarried {
      const { times, counts } = carried;
      return { times, counts: metrics?.counts ?? counts, ports: server.ports };
    },

    /**
     * Serves, tells and pushes from now on. Resolves when each place was tried.
     *
     * @throws {ConfigError} the address of a proxy is invalid
     */
    async start(): Promise<void> {
      const { nodeId } = agent.state;
      await server.start();
      if (config.notify.length > 0) {
        const { startNotifier } = await import('./notify/notifier.ts');
        notifier = await startNotifier({
          targets: config.notify,
          findings,
          host: { host: config.nodeId ?? hostName, nodeId },
          stateDir: config.state.dir,
          env,
          log,
        });
      }
      if (otlp === undefined || metrics === undefined) return;
      const { startPush } = await import('./metrics/otlp/push.ts');
      stopPush = await startPush({ config: otlp, nodeId, hostName, metrics, env, log });
    },

    /** Listens again where somebody has removed the socket. */
    reopenSocket: () => server.reopenSocket(),

    /** Other findings are there now. */
    findingsChanged(): void {
      model.changed();
      notifier?.changed();
    },

    /** Pushes and tells no more. Never throws. */
    async stopSending(): Promise<void> {
      stopPush();
      await notifier?.stop();
    },

    stop: () => server.stop(),
  };
}

/** Of the page, which packaging/bundle.ts writes beside the bundle; undefined when run from the sources. */
async function readPageFiles(): Promise<PageFile[] | undefined> {
  if (!isBuilt) return undefined;
  return JSON.parse(await readFile(new URL('./page.json', import.meta.url), 'utf8'));
}
