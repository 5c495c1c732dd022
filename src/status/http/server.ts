/** The daemon's HTTP server: the configured listeners and the Unix socket. Its failures never end the daemon. */
import { isIPv4 } from 'node:net';
import type { Logger } from '../../base/log.ts';
import type { StatusConfig, StatusPart } from '../../config/status.ts';
import type { Commands } from '../control-api.ts';
import type { PhonePast } from '../phone-past.ts';
import type { StatusSource } from '../status-model.ts';
import { passwordCheck, refusalOf } from './access.ts';
import { App } from './app.ts';
import { statusFeed } from './feed.ts';
import { socketLimits } from './http-server.ts';
import { socketListener, TcpListener } from './listeners.ts';
import {
  commandRoutes,
  dataRoutes,
  type Exposition,
  healthRoutes,
  metricsRoutes,
  type PageFile,
  pageRoutes,
  pastRoutes,
  servedFile,
} from './routes.ts';
import { sharedAnswers } from './shared-answers.ts';

export interface StatusServerOptions {
  config: StatusConfig;
  socketPath: string;
  source: StatusSource;
  commands: Commands;
  past: PhonePast;
  /** Absent when run from the sources. */
  pageFiles?: readonly PageFile[];
  /** Absent if no listener serves metrics. */
  metrics?: Exposition;
  /** Where each listener listened before a reload. */
  formerPorts?: ReadonlyMap<string, number>;
  /** Time between two tries for a taken port, ms. */
  retryMs?: number;
  log: Logger;
}

const RETRY_MS = 30_000;

export type StatusServer = ReturnType<typeof createStatusServer>;

/** Serves nothing before `start`. */
export function createStatusServer(options: StatusServerOptions) {
  const { config, socketPath, source, commands, past, pageFiles, metrics, log } = options;
  const { formerPorts, retryMs = RETRY_MS } = options;
  const files = pageFiles?.map(servedFile);
  // these are shared by all listeners: a guesser would use each
  const feed = statusFeed(source);
  const password = config.password && passwordCheck(config.password.reveal());
  /** The history answers one after the other: over TCP few wait there, before those of the socket. */
  const answers = sharedAnswers({ most: 2 });
  const exposed = metrics ? metricsRoutes(metrics, sharedAnswers()) : [];

  const tcpApp = (parts: readonly StatusPart[]): App => {
    const app = new App(log, { check: (request) => refusalOf(request, config.hostNames) });
    const page = [
      ...pageRoutes(files, parts),
      ...dataRoutes(feed),
      ...pastRoutes(source, past, commands, answers),
    ];
    if (parts.includes('page')) app.add(page, password);
    if (parts.includes('metrics')) app.add(exposed);
    if (parts.includes('health')) app.add(healthRoutes(source));
    return app;
  };
  const listeners = config.listeners.map((listener) => {
    const name = JSON.stringify(listener);
    const { server } = tcpApp(listener.parts);
    const ipv6Only =
      listener.address === '::' &&
      config.listeners.some(({ address, port }) => isIPv4(address) && port === listener.port);
    const formerPort = formerPorts?.get(name);
    const tcp = new TcpListener({ ...listener, formerPort, ipv6Only, retryMs, log, server });
    return { name, tcp, hasPage: listener.parts.includes('page') };
  });
  const pages = listeners.flatMap(({ tcp, hasPage }) => (hasPage ? tcp : []));

  const app = new App(log, { limits: socketLimits });
  app.add([
    ...dataRoutes(feed),
    ...pastRoutes(source, past, commands, sharedAnswers({ freshMs: 0 })), // with the note that was written just before
    ...exposed,
    ...healthRoutes(source),
    ...commandRoutes(commands, () => feed.renew()),
  ]);
  const socket = socketListener({ path: socketPath, server: app.server, log });

  return {
    /** Where the page is served first; undefined while it is nowhere. */
    get pageUrl(): string | undefined {
      return pages.find(({ url }) => url)?.url;
    },

    /** Why the page is served nowhere, and what to do; undefined while it is served, or is not to be. */
    get pageProblem(): string | undefined {
      return this.pageUrl === undefined ? pages.find(({ problem }) => problem)?.problem : undefined;
    },

    get ports(): ReadonlyMap<string, number> {
      return new Map(listeners.flatMap(({ name, tcp: { port } }) => (port ? [[name, port]] : [])));
    },

    /** Resolves when each place was tried once. */
    async start(): Promise<void> {
      await Promise.all([socket.listen(), ...listeners.map(({ tcp }) => tcp.start())]);
    },

    /** Opens the socket again if somebody removed it. The TCP listeners retry by themselves. */
    reopenSocket: () => socket.listen(),

    async stop(): Promise<void> {
      feed.close();
      await Promise.all([socket.stop(), ...listeners.map(({ tcp }) => tcp.stop())]);
    },
  };
}
