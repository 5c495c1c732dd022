/** The daemon's HTTP server: the configured listeners and the Unix socket. Its failures never end the daemon. */
import type { Logger } from '../../base/log.ts';
import type { ListenerConfig, StatusConfig, StatusPart } from '../../config/status.ts';
import type { Commands } from '../control-api.ts';
import type { PhonePast } from '../phone-past.ts';
import type { StatusSource } from '../status-model.ts';
import { passwordCheck, refusalOf } from './access.ts';
import { App, type Route } from './app.ts';
import { StatusFeed } from './feed.ts';
import { socketLimits } from './http-server.ts';
import { SocketListener, TcpListener } from './listeners.ts';
import {
  commandRoutes,
  dataRoutes,
  type Exposition,
  healthRoutes,
  metricsRoutes,
  type PageFile,
  pageRoutes,
  pastRoutes,
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

export class StatusServer {
  readonly #options: StatusServerOptions;
  readonly #feed: StatusFeed;
  /** Shared by all listeners. The history answers one after the other: over TCP few wait there, before those of the socket. */
  readonly #answers = { metrics: sharedAnswers(), past: sharedAnswers({ most: 2 }) };
  /** Shared by all listeners, since a guesser would use each. */
  readonly #password: ReturnType<typeof passwordCheck> | undefined;
  readonly #listeners: readonly TcpListener[];
  /** Those that serve the page. */
  readonly #pages: readonly TcpListener[];
  readonly #socket: SocketListener;

  constructor(options: StatusServerOptions) {
    const { config, socketPath, source, formerPorts, retryMs = RETRY_MS, log } = options;
    this.#options = options;
    this.#feed = new StatusFeed(source);
    this.#password = config.password && passwordCheck(config.password.reveal());
    this.#listeners = config.listeners.map((listener) => {
      const { server } = this.#createTcpApp(listener.parts);
      const formerPort = formerPorts?.get(nameOf(listener));
      return new TcpListener({ ...listener, formerPort, retryMs, log, server });
    });
    this.#pages = this.#listeners.filter((_, index) => config.listeners[index]?.parts.includes('page'));
    this.#socket = new SocketListener({ path: socketPath, server: this.#createSocketApp().server, log });
  }

  /** Where the page is served first; undefined while it is nowhere. */
  get pageUrl(): string | undefined {
    return this.#pages.find(({ url }) => url)?.url;
  }

  /** Why the page is served nowhere, and what to do; undefined while it is served, or is not to be. */
  get pageProblem(): string | undefined {
    return this.pageUrl === undefined ? this.#pages.find(({ problem }) => problem)?.problem : undefined;
  }

  /** Where each listener listens. */
  get ports(): ReadonlyMap<string, number> {
    const { listeners } = this.#options.config;
    const ports = this.#listeners.map(({ port = 0 }, index) => [nameOf(listeners[index]), port] as const);
    return new Map(ports.filter(([, port]) => port > 0));
  }

  /** Resolves when each place was tried once. */
  async start(): Promise<void> {
    await Promise.all([this.#socket.listen(), ...this.#listeners.map((listener) => listener.start())]);
  }

  /** Opens the socket again if somebody removed it. The TCP listeners retry by themselves. */
  reopenSocket(): Promise<void> {
    return this.#socket.listen();
  }

  async stop(): Promise<void> {
    this.#feed.close();
    await Promise.all([this.#socket.stop(), ...this.#listeners.map((listener) => listener.stop())]);
  }

  #createSocketApp(): App {
    const { source, commands, past, log } = this.#options;
    const app = new App(log, { limits: socketLimits });
    app.add([
      ...dataRoutes(this.#feed),
      ...pastRoutes(source, past, commands, sharedAnswers({ freshMs: 0 })), // with the note that was written just before
      ...this.#metricsRoutes(),
      ...healthRoutes(source),
      ...commandRoutes(commands, () => this.#feed.renew()),
    ]);
    return app;
  }

  #createTcpApp(parts: readonly StatusPart[]): App {
    const { config, source, commands, past, pageFiles, log } = this.#options;
    const app = new App(log, { check: (request) => refusalOf(request, config.hostNames) });
    const page = [
      ...pageRoutes(pageFiles, parts),
      ...dataRoutes(this.#feed),
      ...pastRoutes(source, past, commands, this.#answers.past),
    ];
    if (parts.includes('page')) app.add(page, this.#password);
    if (parts.includes('metrics')) app.add(this.#metricsRoutes());
    if (parts.includes('health')) app.add(healthRoutes(source));
    return app;
  }

  #metricsRoutes(): Route[] {
    const { metrics } = this.#options;
    return metrics === undefined ? [] : metricsRoutes(metrics, this.#answers.metrics);
  }
}

/** A listener by its configuration. */
const nameOf = (listener: ListenerConfig | undefined): string => JSON.stringify(listener);
