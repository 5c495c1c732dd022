/**
 * Allows one agent per state directory. The lock is a Unix socket that listens while its process lives. The kernel
 * closes it with the process, however that dies. Others can ask it for the process id.
 *
 * Each agent first listens on its own name, then links it as `agent.lock.N`. N is above all existing numbers, except
 * absurd ones (`MOST_STARTS`). Of several agents that start at once, one gets the link. Then it checks again, and yields
 * to any live holder. Only the next holder removes the dead sockets.
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
  readonly dir: string;
  /** Is the lock still in `dir`? False if somebody removed or replaced the directory. */
  isInPlace(): Promise<boolean>;
  /**
   * Releases the directory. Never throws: a file that remains is dead, and blocks nobody.
   *
   * @returns why the file could not be removed, if so
   */
  release(): Promise<StateUnwritableError | undefined>;
}

const PREFIX = 'agent.lock.';
const ANSWER_TIMEOUT_MS = 1000;
/** A start each second reaches it in 30 years. A higher number is not ours, and the next number does not follow it. */
const MOST_STARTS = 1_000_000_000;
/** Above it a number may not fit its name. We leave such names alone. */
const MOST_DIGITS = 15;
/** How often another agent may be faster. */
const MOST_CLAIMS = 100;

const isMissing = (error: unknown) => hasCode(error, 'ENOENT');

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** The holder of the socket: its process id, `'silent'` if it is alive but does not answer, undefined if it is dead. */
function readHolder(path: string): Promise<number | 'silent' | undefined> {
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
    // ECONNREFUSED means a socket without a process; after any other error but a missing file it may be alive
    socket.on('error', (error) =>
      settle(hasCode(error, 'ECONNREFUSED') || isMissing(error) ? undefined : 'silent'),
    );
  });
}

/** A socket that sends each caller our process id. */
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

/** `missing` only if that is certain: a disk may fail for a while without losing files. */
const whyNot = (error: unknown): 'missing' | 'unknown' =>
  isMissing(error) || hasCode(error, 'ENOTDIR') ? 'missing' : 'unknown';

const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

/** The existing numbers, without `own`. Throws if one of them is alive. */
async function deadNumbers(folder: Folder, own?: number): Promise<number[]> {
  const numbers = (await readdir(folder.path('.')))
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length))
    .filter((digits) => /^[1-9]\d*$/.test(digits) && digits.length <= MOST_DIGITS)
    .map(Number)
    .filter((number) => number !== own);
  for (const number of numbers) {
    const holder = await readHolder(folder.path(PREFIX + number));
    if (holder !== undefined)
      throw new StateLockedError(folder.dir, holder === 'silent' ? undefined : holder);
  }
  return numbers;
}

/** Links `own` as the next number, and returns the number. */
async function claim(folder: Folder, own: string): Promise<number> {
  for (let claims = 0; claims < MOST_CLAIMS; claims++) {
    const number = nextNumber(await deadNumbers(folder));
    try {
      await link(folder.path(own), folder.path(PREFIX + number));
      return number;
    } catch (error) {
      // another agent was faster: the next check finds it alive or dead
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  throw new Error('other programs keep taking its lock');
}

function nextNumber(dead: readonly number[]): number {
  const taken = new Set(dead);
  let next = 1 + dead.reduce((most, number) => (number <= MOST_STARTS ? Math.max(most, number) : most), 0);
  while (taken.has(next)) next += 1;
  return next;
}

async function lock(folder: Folder): Promise<{ server: Server; name: string; dev: number; ino: number }> {
  await deadNumbers(folder); // first: finds a holder even if the disk is not writable
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
 * Finds the user of a state directory without changing it: its process id, `'silent'` if it does not answer, undefined
 * if there is none.
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
 * Locks a state directory until `release` or the end of this process. The lock does not keep the process alive.
 *
 * @throws {StateLockedError} when another agent holds it
 * @throws {StateUnwritableError} when the directory does not exist or cannot hold a socket
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
