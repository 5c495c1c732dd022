/** The daemon's HTTP server: the configured listeners and the Unix socket. Its failures never end the daemon. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../base/log.ts';
import type { StatusConfig } from '../../config/status.ts';
import type { StatusPart } from '../../config/status-settings.ts';
import type { Explains } from '../explainer.ts';
import type { PhonePast, StatusSource } from '../source.ts';
import { createApp, IDLE_MS, socketLimits } from './app.ts';
import { addCommands, type Commands } from './commands.ts';
import { StatusFeed } from './feed.ts';
import { FollowerRoom } from './follower-room.ts';
import { guardByPassword, refusalOf } from './guards.ts';
import { TcpListener } from './listener.ts';
import type { PageFile } from './page-files.ts';
import { PasswordGate } from './password-gate.ts';
import { addPast } from './past-routes.ts';
import {
  addData,
  addHealth,
  addMetrics,
  addPage,
  addWhy,
  type Exposition,
  MOST_FOLLOWERS_OF_ONE,
} from './routes.ts';
import { SharedAnswer } from './shared-answer.ts';
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
  /** Time between two tries for a taken port, ms. */
  retryMs?: number;
  log: Logger;
}

const RETRY_MS = 30_000;
/** For all of TCP. The Unix socket has its own limit. */
const MOST_FOLLOWERS = 2 * MOST_FOLLOWERS_OF_ONE;

export class StatusServer {
  readonly #options: StatusServerOptions;
  readonly #feed: StatusFeed;
  readonly #metrics: SharedAnswer | undefined;
  readonly #pastAnswers = new SharedAnswers();
  /** Shared by all listeners, since a guesser would use each. */
  readonly #gate = new PasswordGate();
  readonly #tcpRoom = new FollowerRoom({ most: MOST_FOLLOWERS, mostPerClient: MOST_FOLLOWERS_OF_ONE });
  readonly #listeners: readonly TcpListener[];
  readonly #socket: SocketListener;

  constructor(options: StatusServerOptions) {
    const { config, socketPath, source, metrics, retryMs = RETRY_MS, log } = options;
    this.#options = options;
    this.#feed = new StatusFeed(source);
    this.#metrics = metrics && new SharedAnswer(() => metrics.text());
    this.#listeners = config.listeners.map(
      (listener) =>
        new TcpListener({ ...listener, retryMs, log, createApp: () => this.#createTcpApp(listener.parts) }),
    );
    this.#socket = new SocketListener({ path: socketPath, createApp: () => this.#createSocketApp(), log });
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

  #createSocketApp(): FastifyInstance {
    const { source, commands, explainer, past, log } = this.#options;
    const app = createApp(log, { limits: socketLimits });
    addData(app, source, this.#feed);
    if (explainer) addWhy(app, explainer);
    if (past) addPast(app, past, this.#pastAnswers);
    this.#addMetrics(app);
    addHealth(app, source);
    addCommands(app, commands);
    app.addHook('onSend', async ({ method }) => {
      if (method !== 'GET' && method !== 'HEAD') this.#feed.renew();
    });
    return app;
  }

  #createTcpApp(parts: readonly StatusPart[]): FastifyInstance {
    const { config, source, explainer, past, pageFiles, log } = this.#options;
    const app = createApp(log, {
      idleMs: IDLE_MS,
      refusalOf: (request) => refusalOf(request, config.hostNames),
    });
    if (parts.includes('page')) {
      app.register(async (page) => {
        if (config.password !== undefined) guardByPassword(page, config.password.reveal(), this.#gate);
        addPage(page, pageFiles, parts);
        addData(page, source, this.#feed, this.#tcpRoom);
        if (explainer) addWhy(page, explainer, this.#pastAnswers);
        if (past) addPast(page, past, this.#pastAnswers);
      });
    }
    if (parts.includes('metrics')) this.#addMetrics(app);
    if (parts.includes('health')) addHealth(app, source);
    return app;
  }

  #addMetrics(app: FastifyInstance): void {
    const { metrics } = this.#options;
    if (metrics !== undefined && this.#metrics !== undefined) addMetrics(app, metrics, this.#metrics);
  }
}
