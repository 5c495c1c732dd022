/** The Unix socket of a running agent: whoever may open it may read everything and command the agent. */
import { once } from 'node:events';
import { closeSync, constants, openSync, type Stats } from 'node:fs';
import { lstat, unlink } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { basename, dirname } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { OutageLog } from '../../base/outage-log.ts';
import { closed } from './listener.ts';
import { tooLong } from './socket-path.ts';

/** For its owner and its group. */
const MODE = 0o660;

export interface SocketListenerOptions {
  path: string;
  server: Server;
  log: Logger;
}

/** The open directory of the socket, so that nobody can redirect its path in the meantime. */
class OpenDirectory {
  readonly #descriptor: number;

  constructor(dir: string) {
    this.#descriptor = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY);
  }

  path(name: string): string {
    return `/proc/self/fd/${this.#descriptor}/${name}`;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

interface Listening {
  directory: OpenDirectory;
  inode: string | undefined;
}

export class SocketListener {
  readonly #options: SocketListenerOptions;
  #listening: Listening | undefined;
  #trying: Promise<void> = Promise.resolve();
  #isStopped = false;
  readonly #outage = new OutageLog();

  constructor(options: SocketListenerOptions) {
    this.#options = options;
  }

  /**
   * Listens unless it already does and its socket still exists. Logs a failure once: the agent continues without it.
   */
  listen(): Promise<void> {
    this.#trying = this.#trying.then(() => this.#listen());
    return this.#trying;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#trying;
    await this.#leave();
  }

  async #listen(): Promise<void> {
    const { path } = this.#options;
    if (this.#isStopped) return;
    if (this.#listening !== undefined && this.#listening.inode === (await inodeOf(path))) return;
    try {
      const problem = tooLong(path);
      if (problem !== undefined) throw new Error(problem);
      const directory = new OpenDirectory(dirname(path));
      await this.#listenIn(directory).catch((error) => {
        directory.close();
        throw error;
      });
      this.#outage.end();
    } catch (error) {
      this.#say(error);
    }
  }

  async #listenIn(directory: OpenDirectory): Promise<void> {
    const { path, server } = this.#options;
    const place = directory.path(basename(path));
    await makeRoom(place);
    await this.#leave(); // only now: it unlinks the old socket
    await listenWithMode(server, place);
    this.#listening = { directory, inode: await inodeOf(place) };
  }

  /** The directory stays open until the server has removed its socket. */
  async #leave(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    await closed(this.#options.server);
    listening?.directory.close();
  }

  #say(error: unknown): void {
    const { path, log } = this.#options;
    if (this.#outage.begin(String(error)))
      log.error({ err: error, path }, 'cannot open the Unix socket: the agent takes no commands');
  }
}

/** While a socket is listening, no other file can get its inode number. */
async function inodeOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && numberOf(found);
}

const numberOf = ({ dev, ino }: Stats): string => `${dev} ${ino}`;

/** Removes the socket of a killed agent. Leaves any other file alone, and throws. */
async function makeRoom(place: string): Promise<void> {
  const found = await lstat(place).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error('another file is in its place');
  if (!(await isDead(place))) throw new Error('another program listens there');
  if ((await inodeOf(place)) !== numberOf(found)) throw new Error('another file is in its place');
  await unlink(place);
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

async function isDead(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const caller = connect(path, () => resolve(false));
  caller.on('error', (error) => resolve(hasCode(error, 'ECONNREFUSED')));
  const answer = await promise;
  caller.destroy();
  return answer;
}
