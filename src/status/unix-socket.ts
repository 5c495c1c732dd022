/** The Unix socket of a running agent: who may open it may read all and command. */
import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { hasCode } from '../errors.ts';
import type { Logger } from '../log.ts';
import { tooLong } from './socket-path.ts';

/** Its owner and its group. */
const MODE = 0o660;

export interface SocketListenerOptions {
  path: string;
  /** Makes the app anew for each try: one that has listened, or could not, is of no more use. */
  createApp(): FastifyInstance;
  log: Logger;
}

export class SocketListener {
  readonly #options: SocketListenerOptions;
  #listening: { app: FastifyInstance; inode: string | undefined } | undefined;
  #trying: Promise<void> = Promise.resolve();
  #isStopped = false;
  #said: string | undefined;

  constructor(options: SocketListenerOptions) {
    this.#options = options;
  }

  /** Listens where it does not, or its socket is gone. What is in the way is said once: the agent goes on without. */
  listen(): Promise<void> {
    this.#trying = this.#trying.then(() => this.#listen());
    return this.#trying;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#trying;
    await this.#listening?.app.close();
  }

  async #listen(): Promise<void> {
    const { path, createApp } = this.#options;
    if (this.#isStopped) return;
    if (this.#listening !== undefined && this.#listening.inode === (await inodeOf(path))) return;
    try {
      await makeRoom(path);
      await this.#listening?.app.close(); // only now: it unlinks what is there
      this.#listening = undefined;
      const app = createApp();
      await app.listen({ path }).catch((error) => app.close().then(() => Promise.reject(error)));
      this.#listening = { app, inode: await inodeOf(path) };
      await chmod(path, MODE);
      this.#said = undefined;
    } catch (error) {
      this.#say(error);
    }
  }

  #say(error: unknown): void {
    const { path, log } = this.#options;
    const reason = String(error);
    if (reason === this.#said) return;
    this.#said = reason;
    log.error({ err: error, path }, 'no commands can be taken: the Unix socket cannot be opened');
  }
}

/** While somebody listens on it, no other file gets its number. */
async function inodeOf(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found && `${found.dev} ${found.ino}`;
}

/** Removes the socket of an agent that was killed; what else is there is left alone, and in the way. */
async function makeRoom(path: string): Promise<void> {
  const problem = tooLong(path);
  if (problem !== undefined) throw new Error(problem);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error('something else stands in its place');
  if (!(await isDead(path))) throw new Error('another program listens there');
  await unlink(path);
}

async function isDead(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const caller = connect(path, () => resolve(false));
  caller.on('error', (error) => resolve(hasCode(error, 'ECONNREFUSED')));
  const answer = await promise;
  caller.destroy();
  return answer;
}
