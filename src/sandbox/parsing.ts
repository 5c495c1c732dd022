/** Reads uploaded files in the background. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { withoutEnvironment } from '../base/environment.ts';
import { Deadline } from '../base/time.ts';
import { isBuilt } from '../base/version.ts';
import type { ReadApk } from './apk-worker.ts';
import type { State } from './state.ts';

const WORKER = new URL(isBuilt ? './apk-worker.cjs' : './apk-worker.ts', import.meta.url);
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

export interface ParsingOptions {
  state(): State;
  changed(): void;
  /** Where the file of an upload lies. */
  fileOf(uploadId: number): string;
  /** A file that takes longer to read is none that we can read, ms. */
  deadlineMs: number;
}

export class Parsing {
  readonly #options: ParsingOptions;
  readonly #oneByOne = pLimit(1);
  readonly #running = new Set<Promise<void>>();
  readonly #ended = new AbortController();

  constructor(options: ParsingOptions) {
    this.#options = options;
  }

  /** Reads the file of this version; the state has the result later. */
  start(versionId: number): void {
    const running = this.#oneByOne(() => this.#parse(versionId)).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Reads what an earlier run did not come to. */
  resume(): void {
    for (const { id } of this.#options.state().versions.filter(({ parsed }) => parsed === undefined))
      this.start(id);
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await Promise.allSettled(this.#running);
  }

  async #parse(versionId: number): Promise<void> {
    const { state, changed, fileOf, deadlineMs } = this.#options;
    const before = state();
    const upload = before.uploads.find((each) => each.versionId === versionId);
    const read = upload && (await inThread(fileOf(upload.id), deadlineMs, this.#ended.signal));
    if (this.#ended.signal.aborted || state() !== before) return;
    const version = before.versions.get(versionId);
    if (version !== undefined) before.versions.put({ ...version, parsed: read?.app ?? null });
    if (version !== undefined && read?.icon) before.icons.put({ id: versionId, ...read.icon });
    changed();
    if (upload !== undefined) await rm(fileOf(upload.id), { force: true });
  }
}

/** What is in the file; undefined if it cannot be read, or not in time. */
async function inThread(file: string, deadlineMs: number, signal: AbortSignal): Promise<ReadApk | undefined> {
  if (signal.aborted) return undefined;
  const worker = new Worker(WORKER, {
    ...withoutEnvironment(),
    workerData: file,
    resourceLimits: LIMITS,
    stderr: true,
  });
  worker.on('error', () => {}); // its memory may run out while it is ended
  using deadline = new Deadline(deadlineMs, signal);
  try {
    const ended = once(worker, 'exit', deadline).then(() => []);
    const [read] = await Promise.race([once(worker, 'message', deadline), ended]);
    return read;
  } catch {
    return undefined; // it cannot be read, or the time is over
  } finally {
    await worker.terminate();
  }
}
