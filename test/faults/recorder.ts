/** Starts processes that record into a history, and compares what they said with what is there. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { HistoryEvent } from '../../src/history/events/event.ts';
import { readEvents } from '../../src/history/store/reader.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the recorder and its thread, as the program is: so it starts fast. */
export async function buildRecorder(outdir: string): Promise<string> {
  await build({
    ...{ bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning', outdir },
    outExtension: { '.js': '.cjs' },
    entryPoints: [`${root}test/faults/history-process.ts`, `${root}src/diagnosis/history-worker.ts`],
    entryNames: '[name]',
    define: { HOSTNODE_VERSION: '"0.0.0"', 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  return join(outdir, 'history-process.cjs');
}

/** What all recorders of one history said. */
export class Ledger {
  readonly sent = new Set<number>();
  readonly onDisk = new Set<number>();
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /** What was said to be on the disk is there, each once and in its order; and nothing that nobody recorded. */
  compare(events: readonly HistoryEvent[], { lostAtMost = 0 } = {}): void {
    const numbers = numbersIn(events).toReversed();
    assert.equal(new Set(numbers).size, numbers.length, 'an event is there twice');
    assert.deepEqual(
      numbers.filter((number) => !this.sent.has(number)),
      [],
      'an event was made up',
    );
    const there = new Set(numbers);
    const lost = [...this.onDisk].filter((number) => !there.has(number));
    assert.ok(lost.length <= lostAtMost, `events are lost: ${lost.slice(0, 20).join()}`);
  }

  /** Nothing is missing, also of what was said not to be on the disk yet. */
  isComplete(events: readonly HistoryEvent[]): void {
    this.compare(events);
    const missing = this.sent.difference(new Set(numbersIn(events)));
    assert.deepEqual(missing, new Set(), 'what waited is not there');
  }
}

const numbersIn = (events: readonly HistoryEvent[]): number[] =>
  events.map((event) => {
    if (event.kind === 'note') return Number(event.text);
    return event.kind === 'agentStarted' ? Number(event.version) : -1;
  });

export interface RecorderOptions {
  /** From `buildRecorder`. */
  program: string;
  stateDir: string;
  ledger: Ledger;
  env?: Record<string, string>;
}

export class Recorder implements AsyncDisposable {
  readonly #ledger: Ledger;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (isOnDisk: boolean) => void>();
  log = '';

  constructor({ program, stateDir, ledger, env = {} }: RecorderOptions) {
    this.#ledger = ledger;
    this.#process = spawn(process.execPath, [program, stateDir], { env: { ...process.env, ...env } });
    let rest = '';
    this.#process.stdout?.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#hear(line);
    });
    this.#process.stderr?.on('data', (chunk) => {
      this.log += chunk;
    });
    this.#process.stdin?.on('error', () => {}); // it was killed
  }

  #hear(line: string): void {
    const [word, text] = line.split(' ');
    const number = Number(text);
    if (word === 'sent') this.#ledger.sent.add(number);
    if (word === 'disk') this.#ledger.onDisk.add(number);
    if (word !== 'sent') this.#waiting.get(number)?.(word === 'disk');
  }

  /** @returns whether it is on the disk; never, if the process is killed before it says so */
  record(): Promise<boolean> {
    const number = this.#ledger.next();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.set(number, resolve);
    this.#process.stdin?.write(`record ${number}\n`);
    return promise;
  }

  /** Records what nobody waits for. */
  happen(): void {
    this.#process.stdin?.write(`happen ${this.#ledger.next()}\n`);
  }

  /** Records until one is on the disk. */
  async recordUntilOnDisk(): Promise<void> {
    while (!(await this.record())) await new Promise((resolve) => setTimeout(resolve, 200));
  }

  /** Ends it, and waits for that. */
  async end(signal?: 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = once(this.#process, 'close');
    if (signal === undefined) this.#process.stdin?.end('end\n');
    else this.#process.kill(signal);
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end('SIGKILL');
  }
}

/** All events of a state directory that no process uses; newest first. */
export async function eventsIn(stateDir: string): Promise<HistoryEvent[]> {
  return (await readEvents(stateDir, {})) ?? [];
}
