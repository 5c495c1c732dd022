/** One address of the status server. If its port is taken, it logs that and retries. */
import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { hasCode } from '../../base/errors.ts';
import { close, listen, portOf } from '../../base/http.ts';
import type { Logger } from '../../base/log.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
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
    const { address, port, formerPort, parts, server, retryMs, log } = this.#options;
    try {
      await listen(server, { host: address, port: port === 0 ? (formerPort ?? 0) : port });
    } catch (error) {
      if (this.#outage.begin(String(error))) await this.#say(error);
      if (!this.#isStopped) this.#retry = setTimeout(() => void this.start(), retryMs).unref();
      return;
    }
    this.problem = undefined;
    this.port = portOf(server);
    this.url = urlOf(address, this.port);
    log.info({ url: this.url, parts }, parts.includes('page') ? 'status page' : 'status');
  }

  async #say(error: unknown): Promise<void> {
    const { address, port, log, retryMs } = this.#options;
    const url = urlOf(address, port);
    const retrySeconds = retryMs / 1000;
    if (!hasCode(error, 'EADDRINUSE')) {
      this.problem = `cannot listen at ${url} (${systemReason(error)}): check status.listen`;
      log.error({ url, retrySeconds, err: error }, 'cannot serve the status page there; will try again');
      return;
    }
    const by = await holderOf(port);
    this.problem = `port ${port} is taken${by === undefined ? '' : ` by ${by}`}: end that process, or set status.port`;
    const remedy = 'end that process, or set status.port (HOSTNODE_STATUS_PORT)';
    const fields = omitUndefined({ url, by, retrySeconds, remedy });
    log.error(fields, 'cannot serve the status page: its port is taken; will try again');
  }
}

const urlOf = (address: string, port: number): string =>
  `http://${isIPv6(address) ? `[${address}]` : address}:${port}/`;
