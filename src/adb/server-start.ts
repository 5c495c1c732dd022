/**
 * Starts an adb server where there is none.
 *
 * Never by `adb start-server` or another command of adb's client: a client kills a running server of another
 * version. The server itself, started in the foreground on a port that somebody holds, only ends.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { childEnvironment } from '../base/environment.ts';
import { AdbUnavailableError, hasCode } from '../base/errors.ts';

/** Where a server of `-L tcp:localhost:PORT` listens. */
const SERVED: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

const CONNECT_LIMIT_MS = 1_000;
const START_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 50;

export interface ServerStart {
  host: string;
  port: number;
  /** The adb program. */
  bin: string;
  /** Of this process: the server gets it without our keys. */
  env: NodeJS.ProcessEnv;
  /** Gives the wait up; a server that does not listen by then is ended. */
  signal?: AbortSignal;
}

/**
 * Starts a server on this machine if nothing listens on the port, and waits until it listens. It goes on running
 * when hostnode ends, as with every adb command.
 *
 * Of two that start one at once, the one that came second ends by itself; it may still be taken for ours here.
 *
 * @returns its process id, or undefined where a server was there already, or the address is another one than it would serve
 * @throws {AdbUnavailableError} when it does not start
 */
export async function startServerIfNone(start: ServerStart): Promise<number | undefined> {
  const { host, port, bin, env, signal } = start;
  if (!SERVED.has(host) || (await isListening(host, port)) !== 'refused') return undefined;
  const child = spawn(bin, ['-L', `tcp:localhost:${port}`, 'server', 'nodaemon'], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
    env: childEnvironment(env),
  });
  const ended = new Promise<Error>((resolve) => {
    child.once('error', (cause) => {
      const missing = hasCode(cause, 'ENOENT');
      resolve(
        new AdbUnavailableError(
          'absent',
          missing
            ? `no adb server at ${host}:${port}, and no program "${bin}" to start one (Debian: apt-get install adb)`
            : `"${bin}" cannot be started`,
          { cause },
        ),
      );
    });
    child.once('exit', (code, signal) =>
      resolve(
        new AdbUnavailableError(
          'absent',
          `"${bin}" ended at once (${signal ?? `exit code ${code}`}) instead of serving`,
        ),
      ),
    );
  });
  child.unref();
  const limit = performance.now() + START_LIMIT_MS;
  while (performance.now() < limit && !signal?.aborted) {
    if ((await isListening(host, port)) === 'listening') return child.pid;
    const failure = await Promise.race([ended, pause(LOOK_EVERY_MS)]);
    if (failure === undefined) continue;
    if ((await isListening(host, port)) === 'listening') return undefined; // another one was faster
    throw failure;
  }
  child.kill(); // our own, which serves nobody yet
  signal?.throwIfAborted();
  throw new AdbUnavailableError('absent', `"${bin}" was started and does not listen at ${host}:${port}`);
}

function isListening(host: string, port: number): Promise<'listening' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_LIMIT_MS });
    const end = (answer: 'listening' | 'refused' | 'silent') => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end('listening'));
    socket.once('timeout', () => end('silent'));
    socket.once('error', (error) => end(hasCode(error, 'ECONNREFUSED') ? 'refused' : 'silent'));
  });
}
