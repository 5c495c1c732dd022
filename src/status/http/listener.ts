/** One address on which the status is served. A port that is taken is said and tried again: no reason to stop. */
import { isIPv6 } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { hasCode } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { holderOf } from '../../host/port-holder.ts';

export interface ListenerOptions {
  address: string;
  /** 0: any that is free. */
  port: number;
  /** Makes the app anew for each try: one that could not listen is of no more use. */
  createApp(): FastifyInstance;
  /** Between two tries, ms. */
  retryMs: number;
  /** What it serves, for the log. */
  parts: readonly string[];
  log: Logger;
}

export class Listener {
  readonly #options: ListenerOptions;
  #app: FastifyInstance | undefined;
  #url: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #trouble = new OutageLog();
  #trying: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** Where the page is served; undefined while it is not. */
  get pageUrl(): string | undefined {
    return this.#options.parts.includes('page') ? this.#url : undefined;
  }

  /** Resolves after the first try, whatever came of it. */
  start(): Promise<void> {
    this.#trying = this.#listen();
    return this.#trying;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    await this.#trying;
    await this.#app?.close();
  }

  async #listen(): Promise<void> {
    const { address, port, parts, createApp, log } = this.#options;
    const app = createApp();
    try {
      await app.listen({ host: address, port });
    } catch (error) {
      await app.close().catch(() => {});
      await this.#sayTaken(error);
      this.#tryAgain();
      return;
    }
    this.#app = app;
    const at = app.server.address();
    const taken = typeof at === 'object' && at !== null ? at.port : port;
    this.#url = urlOf(address, taken);
    log.info({ url: this.#url, parts }, parts.includes('page') ? 'status page' : 'status');
  }

  #tryAgain(): void {
    if (this.#isStopped) return;
    this.#retry = setTimeout(() => {
      this.#trying = this.#listen();
    }, this.#options.retryMs).unref();
  }

  /** Once for each reason. */
  async #sayTaken(error: unknown): Promise<void> {
    const { address, port, log, retryMs } = this.#options;
    if (!this.#trouble.begin(String(error))) return;
    const by = hasCode(error, 'EADDRINUSE') ? await holderOf(port) : undefined;
    const fields = {
      url: urlOf(address, port),
      ...(by !== undefined && { by }),
      retrySeconds: retryMs / 1000,
    };
    if (hasCode(error, 'EADDRINUSE'))
      log.error(fields, 'the status page cannot be served: its port is taken; it will be tried again');
    else
      log.error({ ...fields, err: error }, 'the status page cannot be served there; it will be tried again');
  }
}

const urlOf = (address: string, port: number): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}/`;
