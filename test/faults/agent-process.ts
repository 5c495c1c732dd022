/** The built daemon as a process, with its log read line by line. It needs no test around it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

export interface LogLine {
  level: string;
  msg: string;
  [field: string]: unknown;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How many of the last lines are kept: a soak writes without end. */
const KEPT_LINES = 20_000;
const SAY_LIMIT_MS = 60_000;
const SIGHUP_BIT = 1n << 0n;

export class AgentProcess extends EventEmitter<{ line: [LogLine] }> implements AsyncDisposable {
  readonly ended: Promise<Ended>;
  stderr = '';
  /** All of stdout that was no JSON. */
  readonly strange: string[] = [];
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #lines: LogLine[] = [];
  #dropped = 0;
  #isRunning = true;

  constructor([command = '', ...args]: string[], env: Record<string, string>) {
    super();
    this.setMaxListeners(0);
    // a process group of its own: what it starts ends with it
    this.#child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      this.#isRunning = false;
      return { code, signal };
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the agent could not be started');
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The end of the log as it is now; lines after it are new. */
  get mark(): number {
    return this.#dropped + this.#lines.length;
  }

  /** The lines with this message, after `mark`. */
  said(msg: string, mark = 0): LogLine[] {
    return this.linesSince(mark).filter((line) => line.msg === msg);
  }

  linesSince(mark: number): readonly LogLine[] {
    return this.#lines.slice(Math.max(0, mark - this.#dropped));
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Waits for a line with this message after `mark`. */
  async says(msg: string, mark = 0, isMeant: (line: LogLine) => boolean = () => true): Promise<LogLine> {
    const signal = AbortSignal.timeout(SAY_LIMIT_MS);
    for (;;) {
      const line = this.said(msg, mark).find(isMeant);
      if (line !== undefined) return line;
      if (!this.#isRunning) throw new Error(`it ended before it said "${msg}"\n${this.tail}`);
      await Promise.race([once(this, 'line', { signal }), this.ended]).catch(() => {
        throw new Error(`"${msg}" was not said\n${this.tail}`);
      });
    }
  }

  /** Its last words and its last complaints, for the message of a failed test. */
  get tail(): string {
    const isComplaint = ({ level }: LogLine) => level === 'warn' || level === 'error';
    const told = [...this.#lines.filter(isComplaint).slice(-10), '…', ...this.#lines.slice(-15)];
    return [...told.map((line) => JSON.stringify(line).slice(0, 500)), this.stderr].join('\n');
  }

  /** Waits until its first lines have run: of the signals that it catches, Node itself never catches SIGHUP. */
  async hasBegun(): Promise<void> {
    const isCaught = () => {
      const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
      return (BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`) & SIGHUP_BIT) !== 0n;
    };
    while (!isCaught()) await pause(1);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Signals it and waits for its end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended & { tookMs: number }> {
    const sentAt = performance.now();
    this.signal(signal);
    return { ...(await this.ended), tookMs: performance.now() - sentAt };
  }

  /** Closes the reading end of its log. */
  closeStdout(): void {
    this.#child.stdout.destroy();
  }

  /** What the kernel counts for it. */
  get weight(): { residentKb: number; peakKb: number; descriptors: number; threads: number } {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const number = (key: string) => Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(status)?.[1]);
    return {
      residentKb: number('VmRSS'),
      peakKb: number('VmHWM'),
      descriptors: readdirSync(`/proc/${this.pid}/fd`).length,
      threads: number('Threads'),
    };
  }

  /** Its peak is counted anew. */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isRunning) {
      try {
        process.kill(-this.pid, 'SIGKILL');
      } catch {
        // nobody is left
      }
    }
    this.#child.stdout.destroy();
    await this.ended;
  }

  #take(text: string): void {
    let line: LogLine;
    try {
      line = JSON.parse(text);
    } catch {
      this.strange.push(text);
      return;
    }
    this.#lines.push(line);
    if (this.#lines.length > 2 * KEPT_LINES) {
      this.#dropped += KEPT_LINES;
      this.#lines = this.#lines.slice(KEPT_LINES);
    }
    this.emit('line', line);
  }
}
