/** The built program as a process, in an environment that holds nothing of the machine's but PATH. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

export type Environment = Record<string, string>;

export interface Ended {
  /** null when a signal killed it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

/** Ends the wait for a program that hangs. */
const waitLimitMs = 50_000;

export const programFile = (): string => join(inject('programFolder'), 'hostnode.cjs');

/** What the program sees of the machine; what Node compiled is kept for the next start. */
export const cleanEnvironment = (env: Environment): Environment => ({
  PATH: process.env.PATH ?? '',
  HOME: inject('programFolder'),
  XDG_RUNTIME_DIR: inject('programFolder'),
  HOSTNODE_STATUS_PORT: '0',
  ...env,
});

/** Runs a command of the program to its end. */
export async function hostnode(args: string[], env: Environment = {}): Promise<Ended> {
  const program = new Program([process.execPath, programFile(), ...args], env);
  const code = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/** Runs a line of bash in which "$@" is the program with these arguments. */
export async function inBash(line: string, args: string[], env: Environment = {}): Promise<Ended> {
  const program = startInBash(line, args, env);
  const code = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

export const startInBash = (line: string, args: string[], env: Environment): Program =>
  new Program(['bash', '-c', line, 'bash', process.execPath, programFile(), ...args], env);

/** A running program. It does not outlive its test. */
export class Program {
  stdout = '';
  stderr = '';
  /** Exit code, null when a signal killed it; once its outputs have ended too. */
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;

  constructor([command = '', ...args]: string[], env: Environment = {}) {
    const child = spawn(command, args, {
      env: cleanEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a process group of its own: what it starts ends with it
    });
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = once(child, 'close').then(([code]) => code);
    onTestFinished(() => this.#killGroup());
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Signals it and waits for its end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null }> {
    this.signal(signal);
    return { code: await this.ended };
  }

  #killGroup(): void {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // nobody is left
    }
  }
}

/** `hostnode run`, with its log read line by line. */
export class Daemon extends Program {
  #told = 0;

  constructor(env: Environment, ...args: string[]) {
    super([process.execPath, programFile(), 'run', ...args], env);
  }

  /** All that it has logged so far; each line is JSON. */
  get log(): LogLine[] {
    return this.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  logged(msg: string): LogLine[] {
    return this.log.filter((line) => line.msg === msg);
  }

  /** Waits for the next line with this message, after the one that was last waited for. */
  async says(msg: string): Promise<LogLine> {
    const signal = AbortSignal.timeout(waitLimitMs);
    for (;;) {
      const index = this.log.findIndex((line, place) => place >= this.#told && line.msg === msg);
      const line = this.log[index];
      if (line !== undefined) {
        this.#told = index + 1;
        return line;
      }
      await Promise.race([
        once(this.child.stdout ?? this.child, 'data', { signal }),
        this.ended.then((code) => {
          throw new Error(`it ended with ${code} before it said "${msg}"`);
        }),
      ]).catch((cause) => {
        throw new Error(`"${msg}" was not said\n${this.stdout}${this.stderr}`, { cause });
      });
    }
  }
}
