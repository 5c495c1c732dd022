/**
 * One agent a state directory. The lock is a Unix socket that listens for as long as its process lives: the kernel
 * ends it with the process, however that dies, and whoever finds it can ask it who it is.
 *
 * Each agent listens on a name of its own first and then links it as `agent.lock.N`, N above every number there:
 * of several that start at once one gets the link. It looks again after that and steps back from anyone alive.
 * A number whose socket is dead is removed by the next holder only.
 */
import { randomBytes } from 'node:crypto';
import { link, readdir, stat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { hasCode } from '../base/errors.ts';
import { withDiskTimeout } from './disk-timeout.ts';
import { Folder } from './folder.ts';
import { giveSocketToOwner } from './owner.ts';
import { StateLockedError, StateUnwritableError } from './state-errors.ts';

export interface StateLock {
  /** The directory that it holds. */
  readonly dir: string;
  /** Does whoever comes to `dir` find it? Not where the directory was removed, or another one took its place. */
  isInPlace(): Promise<boolean>;
  /**
   * Gives the directory free. Never throws: a file that stays behind is a dead one, and keeps nobody out.
   *
   * @returns why the lock's file could not be removed, where it could not
   */
  release(): Promise<StateUnwritableError | undefined>;
}

const PREFIX = 'agent.lock.';
const ANSWER_TIMEOUT_MS = 1000;

const isMissing = (error: unknown) => hasCode(error, 'ENOENT');

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** Who holds the socket: a process number, `'silent'` when it is alive but does not say, undefined when it is dead. */
function askHolder(path: string): Promise<number | 'silent' | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(path);
    const settle = (holder: number | 'silent' | undefined) => {
      socket.destroy();
      resolve(holder);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => settle('silent'));
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('end', () => settle(/^\d+\n$/.test(answer) ? Number(answer) : 'silent'));
    // ECONNREFUSED: a socket without its process; anything but that and a missing file may be alive
    socket.on('error', (error) =>
      settle(hasCode(error, 'ECONNREFUSED') || isMissing(error) ? undefined : 'silent'),
    );
  });
}

/** A socket that tells each caller this process's number. */
function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((caller) => {
      caller.on('error', () => {});
      caller.end(`${process.pid}\n`);
    });
    server.unref();
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

/** `missing` only where that is certain: a disk that fails for a while has lost nothing. */
const whyNot = (error: unknown): 'missing' | 'unknown' =>
  isMissing(error) || hasCode(error, 'ENOTDIR') ? 'missing' : 'unknown';

const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

/** The numbers there are, without `own`; throws when one of them is alive. */
async function deadNumbers(folder: Folder, own?: number): Promise<number[]> {
  const numbers = (await readdir(folder.path('.')))
    .filter((name) => name.startsWith(PREFIX) && /^\d+$/.test(name.slice(PREFIX.length)))
    .map((name) => Number(name.slice(PREFIX.length)))
    .filter((number) => number !== own);
  for (const number of numbers) {
    const holder = await askHolder(folder.path(PREFIX + number));
    if (holder !== undefined)
      throw new StateLockedError(folder.dir, holder === 'silent' ? undefined : holder);
  }
  return numbers;
}

/** Links `own` as the next number, and returns that. */
async function claim(folder: Folder, own: string): Promise<number> {
  for (;;) {
    const number = Math.max(0, ...(await deadNumbers(folder))) + 1;
    try {
      await link(folder.path(own), folder.path(PREFIX + number));
      return number;
    } catch (error) {
      // someone else was faster: the next look finds it alive, or dead again
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

async function lock(folder: Folder): Promise<{ server: Server; name: string; dev: number; ino: number }> {
  await deadNumbers(folder); // who holds it is heard also where nothing can be written
  const own = `.agent.lock.${randomBytes(6).toString('hex')}.tmp`;
  const server = await listen(folder.path(own));
  try {
    await giveSocketToOwner(own, folder);
    const { dev, ino } = await stat(folder.path(own));
    const number = await claim(folder, own);
    const name = PREFIX + number;
    try {
      for (const dead of await deadNumbers(folder, number)) await unlinkIfThere(folder.path(PREFIX + dead));
    } catch (error) {
      await unlinkIfThere(folder.path(name));
      throw error;
    }
    return { server, name, dev, ino };
  } catch (error) {
    await close(server);
    throw error;
  } finally {
    await unlinkIfThere(folder.path(own));
  }
}

/**
 * Who uses a state directory, without touching it: a process number, `'silent'` where it does not say, undefined
 * where nobody does.
 *
 * @throws the file system's error when the directory cannot be read
 */
export async function lockHolder(dir: string): Promise<number | 'silent' | undefined> {
  await using folder = await Folder.open(dir);
  try {
    await deadNumbers(folder);
    return undefined;
  } catch (error) {
    if (error instanceof StateLockedError) return error.pid ?? 'silent';
    throw error;
  }
}

/**
 * Takes the lock of a state directory, until `release` or the end of this process. It does not keep the process alive.
 *
 * @throws {StateLockedError} when another agent has it
 * @throws {StateUnwritableError} when the directory is not there or takes no socket
 */
export async function lockStateDirectory(dir: string): Promise<StateLock> {
  let opened: Folder | undefined;
  try {
    const folder = await Folder.open(dir);
    opened = folder;
    const { server, name, dev, ino } = await lock(folder);
    return {
      dir,
      async isInPlace() {
        const found = await withDiskTimeout(stat(join(dir, name)).catch(whyNot));
        return typeof found === 'object' ? found.dev === dev && found.ino === ino : found !== 'missing';
      },
      async release() {
        try {
          await withDiskTimeout(unlinkIfThere(folder.path(name)));
          return undefined;
        } catch (error) {
          return new StateUnwritableError(dir, error);
        } finally {
          await close(server);
          await folder.close();
        }
      },
    };
  } catch (error) {
    await opened?.close();
    if (error instanceof StateLockedError) throw error;
    throw new StateUnwritableError(dir, error);
  }
}
