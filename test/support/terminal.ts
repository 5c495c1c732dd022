/** A command in a terminal of its own, by Debian's `script` (bsdutils): a test types, reads, and closes the window. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { cleanEnvironment, type Environment, programFile } from './program.ts';

const waitLimitMs = 15_000;

export class Terminal {
  /** All that the terminal got, with its escapes. */
  shown = '';
  /** Exit code of the command; 137 once the window was closed. */
  readonly ended: Promise<number | null>;
  readonly #window: ChildProcess;
  #read = 0;

  /** @param line of bash, in which `hostnode` is the program */
  constructor(line: string, env: Environment = {}, { rows = 40, columns = 140 } = {}) {
    const program = `hostnode() { '${process.execPath}' '${programFile()}' "$@"; }`;
    const size = `stty rows ${rows} cols ${columns}`;
    const window = spawn('script', ['-qec', `${size}; ${program}; ${line}`, '/dev/null'], {
      env: { NO_COLOR: '1', ...cleanEnvironment(env), SHELL: '/bin/bash', TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#window = window;
    window.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.shown += text;
    });
    this.ended = once(window, 'close').then(([code]) => code);
    onTestFinished(() => {
      for (const pid of this.pids) killIfThere(pid);
      window.kill('SIGKILL');
    });
  }

  /** The processes in the terminal. */
  get pids(): number[] {
    return descendants(this.#window.pid ?? 0);
  }

  /** Waits until it shows this, after what was last waited for. */
  async shows(text: string): Promise<void> {
    const signal = AbortSignal.timeout(waitLimitMs);
    for (;;) {
      const at = this.shown.indexOf(text, this.#read);
      if (at >= 0) {
        this.#read = at + text.length;
        return;
      }
      await once(this.#window.stdout ?? this.#window, 'data', { signal }).catch((cause) => {
        throw new Error(`the terminal does not show "${text}"\n${this.shown}`, { cause });
      });
    }
  }

  type(text: string): void {
    this.#window.stdin?.write(text);
  }

  /** Closes the window: the kernel hangs up the terminal. */
  close(): void {
    this.#window.kill('SIGKILL');
  }
}

/** True while the process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number);
    return children.flatMap((child) => [child, ...descendants(child)]);
  } catch {
    return [];
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
