/** A program that runs beside a test until it is stopped, and ends with the test's process whatever happens to that. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** What it said last is kept for the error. */
const KEPT_CHARACTERS = 4000;
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 20_000;
const POLL_MS = 100;

export class Child implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #command: string;
  #said = '';

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.#command = command;
    this.#child = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.on('error', (error) => {
      this.#said += error.message;
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (data) => {
        this.#said = (this.#said + data).slice(-KEPT_CHARACTERS);
      });
  }

  /** 0 where it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Waits until this address answers with 200. @throws {Error} it ended before, with what it said */
  async answers(url: string): Promise<void> {
    const deadline = AbortSignal.timeout(START_LIMIT_MS);
    while (!(await isServed(url))) {
      if (this.#hasEnded || deadline.aborted)
        throw new Error(`${this.#command} does not answer at ${url}: ${this.#said}`);
      await pause(POLL_MS);
    }
  }

  /** Asks it to end; kills it when it does not. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const killing = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await ended;
    clearTimeout(killing);
  }

  get #hasEnded(): boolean {
    const { pid, exitCode, signalCode } = this.#child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }
}

const isServed = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
