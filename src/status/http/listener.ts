/** One address of the status server. If its port is taken, it logs that and retries. */
import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { hasCode } from '../../base/errors.ts';
import { close, listen, portOf } from '../../base/http.ts';
import type { Logger } from '../../base/log.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { systemReason } from '../../host/state-errors.ts';
import { holderOf } from '../../host/tcp-listeners.ts';

export interface TcpListenerOptions {
  address: string;
  /** 0: any that is free. */
  port: number;
  /** The port before a reload: one that was free stays. */
  formerPort?: number | undefined;
  server: Server;
  retryMs: number;
  /** What it serves, for the log. */
  parts: readonly string[];
  log: Logger;
}

export class TcpListener {
  readonly #options: TcpListenerOptions;
  /** Where it listens; undefined while it does not. */
  url: string | undefined;
  port: number | undefined;
  /** Why it does not, and what to do. */
  problem: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #outage = new OutageLog();
  #trying: Promise<void> | undefined;

  constructor(options: TcpListenerOptions) {
    this.#options = options;
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
    await close(this.#options.server);
  }

  async #listen(): Promise<void> {
    const { address, port, formerPort, parts, server, log } = this.#options;
    try {
      await listen(server, { host: address, port: port === 0 ? (formerPort ?? 0) : port });
    } catch (error) {
      await this.#sayTaken(error);
      this.#tryAgain();
      return;
    }
    this.problem = undefined;
    this.port = portOf(server);
    this.url = urlOf(address, this.port);
    log.info({ url: this.url, parts }, parts.includes('page') ? 'status page' : 'status');
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
    if (!this.#outage.begin(String(error))) return;
    const isTaken = hasCode(error, 'EADDRINUSE');
    const by = isTaken ? await holderOf(port) : undefined;
    const url = urlOf(address, port);
    this.problem = isTaken
      ? `port ${port} is taken${by === undefined ? '' : ` by ${by}`}: end that process, or set status.port`
      : `cannot listen at ${url} (${systemReason(error)}): check status.listen`;
    const fields = { url, ...(by !== undefined && { by }), retrySeconds: retryMs / 1000 };
    if (isTaken)
      log.error(
        { ...fields, remedy: 'end that process, or set status.port (HOSTNODE_STATUS_PORT)' },
        'cannot serve the status page: its port is taken; will try again',
      );
    else log.error({ ...fields, err: error }, 'cannot serve the status page there; will try again');
  }
}

const urlOf = (address: string, port: number): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}/`;
