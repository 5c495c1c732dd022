/** Reads uploaded files in the background. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { withoutEnvironment } from '../base/environment.ts';
import { Deadline } from '../base/time.ts';
import { isBuilt } from '../base/version.ts';
import type { ReadApk } from './apk-worker.ts';
import type { Whole } from './state.ts';

const WORKER = new URL(isBuilt ? './apk-worker.cjs' : './apk-worker.ts', import.meta.url);
const LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

export class Parsing {
  readonly #sandbox: Whole;
  readonly #fileOf: (uploadId: number) => string;
  readonly #deadlineMs: number;
  #last: Promise<void> = Promise.resolve();
  readonly #ended = new AbortController();

  /**
   * @param fileOf where the file of an upload lies
   * @param deadlineMs a file that takes longer to read is none that we can read
   */
  constructor(sandbox: Whole, fileOf: (uploadId: number) => string, deadlineMs: number) {
    this.#sandbox = sandbox;
    this.#fileOf = fileOf;
    this.#deadlineMs = deadlineMs;
  }

  /** Reads the file of this version after those before; the state has the result later. */
  start(versionId: number): void {
    const parse = () => this.#parse(versionId);
    this.#last = this.#last.then(parse).catch(() => {}); // what cannot be kept now is kept with the next change
  }

  /** Reads what an earlier run did not come to. */
  resume(): void {
    for (const { id } of this.#sandbox.state.versions.filter(({ parsed }) => parsed === undefined))
      this.start(id);
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.#last;
  }

  async #parse(versionId: number): Promise<void> {
    const { state } = this.#sandbox;
    const upload = state.uploads.find((each) => each.versionId === versionId);
    const file = upload && this.#fileOf(upload.id);
    const read = file && (await inThread(file, this.#deadlineMs, this.#ended.signal));
    if (this.#ended.signal.aborted || this.#sandbox.state !== state) return; // after a reset it is another's
    const version = state.versions.get(versionId);
    const { app: parsed = null, icon } = read || {};
    this.#sandbox.change(() => version && state.versions.put({ ...version, parsed, icon }));
    if (file) await rm(file, { force: true });
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
