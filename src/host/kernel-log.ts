/**
 * Follows the kernel's log by `journalctl`, from where it was. It ends, floods, or is not there: nothing of that costs more
 * than a line of our log.
 */
import { spawn } from 'node:child_process';
import { childEnvironment, type Environment } from '../base/environment.ts';
import type { Logger } from '../base/log.ts';
import { OutageLog } from '../base/outage-log.ts';
import { printable } from '../base/printable.ts';
import { sleep } from '../base/time.ts';
import { type KernelLine, parseKernelLine } from './kernel-line.ts';

export interface KernelLogOptions {
  /** A line that shows a fault, and when the kernel wrote it, ms since the epoch. */
  onLine(line: KernelLine, at: number): void;
  log: Logger;
  /** The program gets it without our keys. */
  env: Environment;
  /** The program, and what comes before our arguments; a test has another. */
  command?: readonly [string, ...string[]];
  /** Between two starts, ms. */
  againMs?: number;
}

/** Of one line of JSON. */
const LONGEST = 16_384;
/** Bytes in `FLOOD_MS`: beyond them we read on when that time is over, and the program waits. */
const FLOOD_BYTES = 1_000_000;
const FLOOD_MS = 10_000;
const CURSOR = /^[\w=;-]{1,300}$/;
const LONGEST_REASON = 200;

export class KernelLog {
  readonly #options: KernelLogOptions;
  readonly #outage = new OutageLog();
  #cursor: string | undefined;
  /** It was after its cursor that the program ended: the cursor may be lost. */
  #isCursorNew = true;

  constructor(options: KernelLogOptions) {
    this.#options = options;
  }

  /** Until the signal fires. Never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const reason = await this.#follow(signal);
      if (signal.aborted) return;
      if (this.#outage.begin(reason))
        this.#options.log.warn(
          { reason: printable(reason, LONGEST_REASON) },
          'cannot follow the log of the kernel',
        );
      await sleep(this.#options.againMs ?? 60_000, signal);
    }
  }

  /** @returns why it ended */
  #follow(signal: AbortSignal): Promise<string> {
    const { command = ['journalctl'] } = this.#options;
    const [program, ...before] = command;
    const from =
      this.#cursor === undefined || !this.#isCursorNew ? ['--lines=0'] : [`--after-cursor=${this.#cursor}`];
    this.#isCursorNew = false;
    const args = [
      ...before,
      '--dmesg',
      '--follow',
      '--no-pager',
      '--output=json',
      '--output-fields=MESSAGE',
      ...from,
    ];
    return new Promise((resolve) => {
      const child = spawn(program, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: childEnvironment({ ...this.#options.env }),
        signal,
      });
      // where the process has no files left there is no pipe, and an error follows
      const { stdout, stderr } = child as Partial<typeof child>;
      let said = '';
      let rest = '';
      let bytes = 0;
      const resume = setInterval(() => {
        bytes = 0;
        stdout?.resume();
      }, FLOOD_MS).unref();
      stdout?.setEncoding('utf8').on('data', (text: string) => {
        bytes += text.length;
        if (bytes > FLOOD_BYTES) stdout.pause();
        const lines = (rest + text).split('\n');
        rest = (lines.pop() ?? '').slice(-LONGEST - 1);
        for (const line of lines) this.#read(line);
      });
      stderr?.setEncoding('utf8').on('data', (text: string) => {
        said ||= text.slice(0, LONGEST_REASON).trim();
      });
      const end = (reason: string) => {
        clearInterval(resume);
        resolve(said || reason);
      };
      child.once('error', (error) => end(error.message));
      child.once('close', (code, by) => end(`${program} ended (${by ?? `exit code ${code}`})`));
    });
  }

  #read(line: string): void {
    if (line.length > LONGEST) return;
    const { MESSAGE, __CURSOR, __REALTIME_TIMESTAMP } = objectIn(line);
    if (typeof __CURSOR === 'string' && CURSOR.test(__CURSOR)) {
      this.#cursor = __CURSOR;
      this.#isCursorNew = true;
      this.#outage.end();
    }
    const at = Math.round(Number(__REALTIME_TIMESTAMP) / 1000);
    const found = typeof MESSAGE === 'string' ? parseKernelLine(MESSAGE) : undefined;
    if (found !== undefined && Number.isSafeInteger(at)) this.#options.onLine(found, at);
  }
}

/** journald writes no nested values, and bytes that are no text as a list of numbers. */
function objectIn(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
