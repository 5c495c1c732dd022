import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/raw-server.ts';
import { askAdb } from './smart-socket.ts';

const startLimitMs = 10_000;

/**
 * A real adb server of our own: a free port, a key of its own, no USB and no look-out for emulators, so that it
 * meets no other server and no real phone of this machine.
 */
export class RealAdb implements AsyncDisposable {
  readonly host = '127.0.0.1';
  readonly port: number;
  readonly #home: string;
  #process: ChildProcess;
  #log = '';

  private constructor(port: number, home: string) {
    this.port = port;
    this.#home = home;
    this.#process = this.#spawn();
  }

  static async start(): Promise<RealAdb> {
    const adb = new RealAdb(await freePort(), await mkdtemp(join(tmpdir(), 'hostnode-adb-')));
    await adb.#listening();
    return adb;
  }

  /** What the server has written to stderr so far. */
  get log(): string {
    return this.#log;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Resolves when the server is gone, however that came about. */
  async ended(): Promise<void> {
    if (this.isRunning) await once(this.#process, 'exit');
  }

  /** Asks for one text, e.g. `host:devices-l`. */
  ask(service: string): Promise<string> {
    return askAdb(this.port, service);
  }

  /** Attaches a phone that listens on this port of the machine. Resolves with what the server says of it. */
  connect(phonePort: number): Promise<string> {
    return this.ask(`host:connect:127.0.0.1:${phonePort}`);
  }

  disconnect(phonePort: number): Promise<string> {
    return this.ask(`host:disconnect:127.0.0.1:${phonePort}`);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended();
  }

  /** Starts the server again on the same port, with the same key. Its phones are forgotten. */
  async restart(): Promise<void> {
    await this.kill();
    this.#process = this.#spawn();
    await this.#listening();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#home, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const server = ['adb', '-L', `tcp:localhost:${this.port}`, 'server', 'nodaemon'];
    // dies with the tests, however they end
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...server], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: this.#home,
        TMPDIR: this.#home,
        ADB_USB: '0',
        ADB_EMU: '0',
        ADB_MDNS: '0',
      },
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    return child;
  }

  async #listening(): Promise<void> {
    const deadline = Date.now() + startLimitMs;
    for (;;) {
      const version = await this.ask('host:version').catch(() => undefined);
      if (version !== undefined) return;
      if (!this.isRunning || Date.now() > deadline) throw new Error(`adb did not start: ${this.#log}`);
      await pause(10);
    }
  }
}
