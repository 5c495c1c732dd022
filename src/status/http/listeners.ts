/**
 * Where the status server listens: its addresses, and the Unix socket of a running agent, by which whoever may open it may read
 * everything and command the agent.
 */
import { once } from 'node:events';
import { lstat, unlink } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect, isIPv6 } from 'node:net';
import { basename, dirname } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { close, listen, portOf } from '../../base/http.ts';
import type { Logger } from '../../base/log.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { Folder, inodeOf, plainMessage } from '../../host/folder.ts';
import { systemReason } from '../../host/state-errors.ts';
import { holderOf } from '../../host/tcp-listeners.ts';
import { tooLong } from './socket-path.ts';

export interface TcpListenerOptions {
  address: string;
  /** 0: any that is free. */
  port: number;
  /** The port before a reload: one that was free stays. */
  formerPort?: number | undefined;
  server: Server;
  /** `::` without IPv4: that has a listener of its own at this port. */
  ipv6Only: boolean;
  retryMs: number;
  /** What it serves, for the log. */
  parts: readonly string[];
  log: Logger;
}

/** One address. If its port is taken, it logs that and retries. */
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
  #formerPort: number | undefined;

  constructor(options: TcpListenerOptions) {
    this.#options = options;
    this.#formerPort = options.formerPort;
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
    const { address, port, parts, server, ipv6Only, retryMs, log } = this.#options;
    try {
      await listen(server, { host: address, port: port === 0 ? (this.#formerPort ?? 0) : port, ipv6Only });
    } catch (error) {
      if (port === 0 && this.#formerPort !== undefined) {
        this.#formerPort = undefined; // somebody has it now
        return this.#listen();
      }
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

/** For its owner and its group. */
const MODE = 0o660;

/** The Unix socket at a path. */
export function socketListener({ path, server, log }: { path: string; server: Server; log: Logger }) {
  /** The socket's: through it, nobody can redirect the path. It stays open while the server listens. */
  let folder: Folder | undefined;
  /** Of the socket: while it is listening, no other file can get its number. */
  let inode: string | undefined;
  let trying: Promise<void> = Promise.resolve();
  let isStopped = false;
  const outage = new OutageLog();

  const leave = async (): Promise<void> => {
    await close(server);
    await folder?.close();
    folder = undefined;
    inode = undefined;
  };

  const open = async (): Promise<void> => {
    const problem = tooLong(path);
    if (problem !== undefined) throw new Error(problem);
    const opened = await Folder.open(dirname(path));
    const place = opened.path(basename(path));
    try {
      await makeRoom(place);
      await leave(); // only now: it unlinks the old socket
      await listenWithMode(server, place);
    } catch (error) {
      await opened.close();
      throw error;
    }
    folder = opened;
    inode = await inodeOf(place);
  };

  return {
    /** Listens unless it already does and its socket still exists. Logs a failure once: the agent continues without it. */
    listen(): Promise<void> {
      trying = trying.then(async () => {
        const isListening = inode !== undefined && inode === (await inodeOf(path));
        if (isStopped || isListening) return;
        try {
          await open();
          outage.end();
        } catch (error) {
          const reason = plainMessage(error);
          if (outage.begin(reason))
            log.error({ reason, path }, 'cannot open the Unix socket: the agent takes no commands');
        }
      });
      return trying;
    },

    async stop(): Promise<void> {
      isStopped = true;
      await trying;
      await leave();
    },
  };
}

/** Removes the socket of a killed agent. Leaves any other file alone, and throws. */
async function makeRoom(place: string): Promise<void> {
  const before = await inodeOf(place);
  if (before === undefined) return;
  const isSocket = (await lstat(place)).isSocket();
  if (isSocket && !(await isDead(place))) throw new Error('another program listens there');
  if (!isSocket || (await inodeOf(place)) !== before) throw new Error('another file is in its place');
  await unlink(place);
}

async function isDead(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const caller = connect(path, () => resolve(false));
  caller.on('error', (error) => resolve(hasCode(error, 'ECONNREFUSED')));
  const answer = await promise;
  caller.destroy();
  return answer;
}

/**
 * Creates the socket with its mode: a later chmod could hit another file at its path. The umask is global to the
 * process, but `listen` binds before it returns.
 */
async function listenWithMode(server: Server, path: string): Promise<void> {
  const before = process.umask(0o777 & ~MODE);
  try {
    server.listen({ path });
  } finally {
    process.umask(before);
  }
  await once(server, 'listening');
}
