/** The daemon's HTTP server: the configured listeners and the Unix socket. Its failures never end the daemon. */
import type { Logger } from '../../base/log.ts';
import type { ListenerConfig, StatusConfig, StatusPart } from '../../config/status.ts';
import type { Commands } from '../commands.ts';
import type { Explains } from '../explainer.ts';
import type { PhonePast, StatusSource } from '../source.ts';
import { PasswordCheck, refusalOf } from './access.ts';
import { App, type Routes } from './app.ts';
import { addCommands } from './command-routes.ts';
import { StatusFeed } from './feed.ts';
import { socketLimits } from './http-server.ts';
import { TcpListener } from './listener.ts';
import type { PageFile } from './page-files.ts';
import { addPast, addWhy } from './past-routes.ts';
import { addData, addHealth, addMetrics, addPage, type Exposition } from './routes.ts';
import { SharedAnswers } from './shared-answers.ts';
import { SocketListener } from './unix-socket.ts';

export interface StatusServerOptions {
  config: StatusConfig;
  socketPath: string;
  source: StatusSource;
  commands: Commands;
  /** Absent where no history is kept. */
  explainer?: Explains;
  /** Absent where no history is kept. */
  past?: PhonePast;
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
  readonly #metricsAnswers = new SharedAnswers();
  readonly #pastAnswers = new SharedAnswers();
  /** Shared by all listeners, since a guesser would use each. */
  readonly #password: PasswordCheck | undefined;
  readonly #listeners: readonly TcpListener[];
  readonly #socket: SocketListener;

  constructor(options: StatusServerOptions) {
    const { config, socketPath, source, formerPorts, retryMs = RETRY_MS, log } = options;
    this.#options = options;
    this.#feed = new StatusFeed(source);
    this.#password = config.password && new PasswordCheck(config.password.reveal());
    this.#listeners = config.listeners.map((listener) => {
      const { server } = this.#createTcpApp(listener.parts);
      const formerPort = formerPorts?.get(nameOf(listener));
      return new TcpListener({ ...listener, formerPort, retryMs, log, server });
    });
    this.#socket = new SocketListener({ path: socketPath, server: this.#createSocketApp().server, log });
  }

  /** Where the page is served first; undefined while it is nowhere. */
  get pageUrl(): string | undefined {
    return this.#listeners.map(({ pageUrl }) => pageUrl).find((url) => url !== undefined);
  }

  /** Why the page is served nowhere, and what to do; undefined while it is served, or is not to be. */
  get pageProblem(): string | undefined {
    if (this.pageUrl !== undefined) return undefined;
    return this.#listeners.map(({ pageProblem }) => pageProblem).find((problem) => problem !== undefined);
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
    const { source, commands, explainer, past, log } = this.#options;
    const app = new App(log, { limits: socketLimits });
    addData(app, source, this.#feed);
    if (explainer) addWhy(app, explainer);
    if (past) addPast(app, past, this.#pastAnswers);
    this.#addMetrics(app);
    addHealth(app, source);
    addCommands(app, commands, () => this.#feed.renew());
    return app;
  }

  #createTcpApp(parts: readonly StatusPart[]): App {
    const { config, source, explainer, past, pageFiles, log } = this.#options;
    const app = new App(log, { refusalOf: (request) => refusalOf(request, config.hostNames) });
    if (parts.includes('page')) {
      const page = this.#withPassword(app);
      addPage(page, pageFiles, parts);
      addData(page, source, this.#feed);
      if (explainer) addWhy(page, explainer, this.#pastAnswers);
      if (past) addPast(page, past, this.#pastAnswers);
    }
    if (parts.includes('metrics')) this.#addMetrics(app);
    if (parts.includes('health')) addHealth(app, source);
    return app;
  }

  /** The routes that are added to it need the password, if there is one. */
  #withPassword(app: App): Routes {
    const password = this.#password;
    if (password === undefined) return app;
    return {
      on: (method, path, handler) =>
        app.on(
          method,
          path,
          async (request, response) => (await password.refusalOf(request.raw)) ?? handler(request, response),
        ),
    };
  }

  #addMetrics(app: App): void {
    const { metrics } = this.#options;
    if (metrics !== undefined) addMetrics(app, metrics, this.#metricsAnswers);
  }
}

/** A listener by its configuration. */
const nameOf = (listener: ListenerConfig | undefined): string => JSON.stringify(listener);
