/**
 * Starts an adb server if none runs.
 *
 * Never uses `adb start-server` or another command of adb's client: a client kills a running server of another version.
 * A server that is started in the foreground on a taken port simply ends.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { childEnvironment, type HostKind } from '../base/environment.ts';
import { AdbUnavailableError, hasCode } from '../base/errors.ts';
import { sleep } from '../base/time.ts';
import { hasUnit } from './remedy.ts';

/** Hosts on which `-L tcp:localhost:PORT` listens. */
const SERVED: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

const CONNECT_LIMIT_MS = 1_000;
const START_LIMIT_MS = 10_000;
const CONNECT_EVERY_MS = 50;

export interface ServerStart {
  host: string;
  port: number;
  bin: string;
  /** Where hostnode-adb is installed, none but that unit starts one: a server of another user has another key. */
  hostKind: Pick<HostKind, 'units'>;
  /** The environment of this process: the server gets it without our keys. */
  env: NodeJS.ProcessEnv;
  /** Ends the wait, and a server that does not listen by then. */
  signal?: AbortSignal;
}

/**
 * Starts a server on this machine if nothing listens on the port, and waits until it listens. The server continues when
 * hostnode ends, as with every adb command.
 *
 * If two processes start one at once, the second server ends by itself; we may still return its process id.
 *
 * @returns its process id; undefined if a server already runs, would not serve this address, or is a unit's
 * @throws {AdbUnavailableError} when it does not start
 */
export async function startServerIfNone(start: ServerStart): Promise<number | undefined> {
  const { host, port, bin, hostKind, env, signal } = start;
  if (!SERVED.has(host) || hasUnit(hostKind) || (await isListening(host, port)) !== 'refused')
    return undefined;
  const args = ['-L', `tcp:localhost:${port}`, 'server', 'nodaemon'];
  const byHand = `Start it by hand to see why: ${bin} ${args.join(' ')}`;
  const child = spawn(bin, args, {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
    env: childEnvironment(env),
  });
  const ended = new Promise<Error>((resolve) => {
    const end = (message: string, remedy: string, cause?: Error) =>
      resolve(new AdbUnavailableError('absent', message, { cause, remedy }));
    child.once('error', (cause) => {
      if (hasCode(cause, 'ENOENT')) {
        const message = `no adb server at ${host}:${port}, and no program "${bin}" to start one`;
        end(message, 'Install adb (Debian: apt-get install adb), or set adb.bin to the program', cause);
      } else {
        end(`"${bin}" cannot be started`, 'Set adb.bin to an adb program that this user may run', cause);
      }
    });
    child.once('exit', (code, signal) =>
      end(`"${bin}" ended at once (${signal ?? `exit code ${code}`}) instead of serving`, byHand),
    );
  });
  child.unref();
  const limit = performance.now() + START_LIMIT_MS;
  while (performance.now() < limit && !signal?.aborted) {
    if ((await isListening(host, port)) === 'listening') return child.pid;
    const failure = await Promise.race([ended, sleep(CONNECT_EVERY_MS)]);
    if (failure === undefined) continue;
    if ((await isListening(host, port)) === 'listening') return undefined; // another one was faster
    throw failure;
  }
  child.kill(); // our own server, which has no clients yet
  signal?.throwIfAborted();
  throw new AdbUnavailableError('absent', `"${bin}" was started and does not listen at ${host}:${port}`, {
    remedy: byHand,
  });
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
