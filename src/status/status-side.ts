/** The status server that fits the configuration in force: a reload that changes nothing of it leaves it alone. */

import type { Environment } from '../base/environment.ts';
import type { Logger } from '../base/log.ts';
import type { Config } from '../config/load.ts';
import { isSameStatus, type StatusConfig } from '../config/status.ts';
import type { Commands } from './commands.ts';
import type { Explains } from './explainer.ts';
import { readPageFiles } from './http/page-files.ts';
import type { StatusServer } from './http/server.ts';
import { socketPathOf } from './http/socket-path.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { PhonePast } from './source.ts';
import type { StatusModel } from './status-model.ts';

export interface StatusSideOptions {
  env: Environment;
  statusModel: StatusModel;
  commands: Commands;
  /** Absent where no history is kept. */
  explainer?: Explains;
  /** Absent where no history is kept. */
  past?: PhonePast;
  /** Metrics are wanted from now on: they observe what happens. */
  onMetrics(metrics: Metrics): void;
  log: Logger;
}

interface Serving {
  status: StatusConfig;
  socketPath: string;
  server: StatusServer;
}

export class StatusSide {
  readonly #options: StatusSideOptions;
  #serving: Serving | undefined;
  #metrics: Metrics | undefined;

  constructor(options: StatusSideOptions) {
    this.#options = options;
  }

  /** Where the page is served; undefined while it is not. */
  get pageUrl(): string | undefined {
    return this.#serving?.server.pageUrl;
  }

  /** Undefined where nobody has wanted them yet. */
  get metrics(): Metrics | undefined {
    return this.#metrics;
  }

  /** Why the page is not served, and what to do. */
  get pageProblem(): string | undefined {
    return this.#serving?.server.pageProblem;
  }

  /** Makes ready for this configuration, before its agent is: what happens is to be counted from the start. */
  async prepare({ status, metrics: { otlp } }: Config): Promise<void> {
    const isWanted = otlp !== undefined || status.listeners.some(({ parts }) => parts.includes('metrics'));
    if (!isWanted || this.#metrics !== undefined) return;
    const { Metrics } = await import('./metrics/metrics.ts');
    this.#metrics = new Metrics(this.#options.statusModel);
    this.#options.onMetrics(this.#metrics);
  }

  /** Serves as this configuration says. Resolves when each place was tried. */
  async serve({ status, state }: Config): Promise<void> {
    const { env, statusModel, commands, explainer, past, log } = this.#options;
    const socketPath = socketPathOf(env, state.dir);
    const before = this.#serving;
    if (before?.socketPath === socketPath && isSameStatus(before.status, status)) return this.reopenSocket();
    await this.stop();
    const { StatusServer } = await import('./http/server.ts');
    const hasPage = status.listeners.some(({ parts }) => parts.includes('page'));
    const pageFiles = hasPage ? await readPageFiles() : undefined;
    const server = new StatusServer({
      config: status,
      socketPath,
      source: statusModel,
      commands,
      ...(explainer && { explainer }),
      ...(past && { past }),
      ...(pageFiles && { pageFiles }),
      ...(this.#metrics && { metrics: this.#metrics }),
      log,
    });
    this.#serving = { status, socketPath, server };
    await server.start();
  }

  /** Listens again where the socket is gone. */
  async reopenSocket(): Promise<void> {
    await this.#serving?.server.reopenSocket();
  }

  async stop(): Promise<void> {
    const serving = this.#serving;
    this.#serving = undefined;
    await serving?.server.stop();
  }
}
