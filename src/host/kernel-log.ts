/**
 * Follows the kernel's log by `journalctl`, from where it was. It ends, floods, or is not there: nothing of that costs more
 * than a line of our log.
 */
import { spawn } from 'node:child_process';
import { childEnvironment, type Environment } from '../base/environment.ts';
import { parseJson } from '../base/errors.ts';
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

/** Until the signal fires. Never throws. */
export async function followKernelLog(options: KernelLogOptions, signal: AbortSignal): Promise<void> {
  const { onLine, log, env, command = ['journalctl'], againMs = 60_000 } = options;
  const outage = new OutageLog();
  const flood = new OutageLog();
  const flooded = (isFlooded: boolean): void => {
    if (!isFlooded) flood.end();
    else if (flood.begin('')) log.warn('the log of the kernel floods: it is read late');
  };
  let cursor: string | undefined;
  const read = (line: string): void => {
    const { MESSAGE, __CURSOR, __REALTIME_TIMESTAMP } = objectIn(line);
    if (typeof __CURSOR === 'string' && CURSOR.test(__CURSOR)) {
      cursor = __CURSOR;
      outage.end();
    }
    const at = Math.round(Number(__REALTIME_TIMESTAMP) / 1000);
    const found = typeof MESSAGE === 'string' ? parseKernelLine(MESSAGE) : undefined;
    if (found !== undefined && Number.isSafeInteger(at)) onLine(found, at);
  };
  while (!signal.aborted) {
    const from = cursor === undefined ? '--lines=0' : `--after-cursor=${cursor}`;
    cursor = undefined; // it may be lost, where the program ends without another one
    const args = ['--dmesg', '--follow', '--no-pager', '--output=json', '--output-fields=MESSAGE', from];
    const reason = await endOf(command, args, { env, signal, read, flooded });
    if (signal.aborted) return;
    if (outage.begin(reason))
      log.warn({ reason: printable(reason, LONGEST_REASON) }, 'cannot follow the log of the kernel');
    await sleep(againMs, signal);
  }
}

interface Reading {
  env: Environment;
  signal: AbortSignal;
  read(line: string): void;
  flooded(isFlooded: boolean): void;
}

/** Runs the program, and gives its lines to `read`. @returns why it ended */
function endOf(
  [program, ...before]: NonNullable<KernelLogOptions['command']>,
  args: readonly string[],
  { env, signal, read, flooded }: Reading,
): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(program, [...before, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnvironment({ ...env }),
      signal,
    });
    // where the process has no files left there is no pipe, and an error follows
    const { stdout, stderr } = child as Partial<typeof child>;
    let said = '';
    let rest = '';
    let bytes = 0;
    const resume = setInterval(() => {
      flooded(bytes > FLOOD_BYTES);
      bytes = 0;
      stdout?.resume();
    }, FLOOD_MS).unref();
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      bytes += text.length;
      if (bytes > FLOOD_BYTES) {
        stdout.pause();
        flooded(true);
      }
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(-LONGEST - 1);
      for (const line of lines) if (line.length <= LONGEST) read(line);
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

/** journald writes no nested values, and bytes that are no text as a list of numbers. */
const objectIn = (line: string): Record<string, unknown> => Object(parseJson(line));
