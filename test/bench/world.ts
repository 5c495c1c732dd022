/** Simulated phones, their adb server and a cloud, in another process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface WorldOptions {
  phones: number;
  /** The adb server waits so long before it answers a request, ms. */
  delayMs?: number;
  /** So many of the phones, the last ones, open their shells and say nothing. */
  hung?: number;
  /** So many more send without end instead of an answer. */
  flooding?: number;
  /** In place of these phones, a server that lists so many, others each time. */
  listed?: number;
  /** How long each phone thinks before one of its answers, in turn, ms. */
  answerAfterMs?: number[];
}

export interface Opened {
  adbPort: number;
  cloudUrl: string;
}

export interface Counted {
  connections: number;
  requests: number;
  /** By kind, e.g. `host:devices-l`. */
  byKind: Record<string, number>;
  /** By serial, the services opened on this phone. */
  conversations: Record<string, number>;
}

export interface Report {
  /** By the clock of the other process, ms. */
  atMs: number;
  devices: { udid: string; state: string; hasFacts: boolean }[];
}

export interface Call {
  id: number;
  call: 'open' | 'counted' | 'reports' | 'plug';
  options?: unknown;
}

export const credentials = { username: 'bench', apiKey: 'bench-key' };

export class World implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #opened: Opened = { adbPort: 0, cloudUrl: '' };
  #lastId = 0;

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
    process.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the simulated world has ended'));
    });
  }

  static async start(): Promise<World> {
    const process = fork(fileURLToPath(new URL('world-process.ts', import.meta.url)));
    await once(process, 'message');
    return new World(process);
  }

  /** Plugs these phones in, in place of those before, and counts from nothing. */
  async open(options: WorldOptions): Promise<void> {
    this.#opened = (await this.#call('open', options)) as Opened;
  }

  get adbPort(): number {
    return this.#opened.adbPort;
  }

  /** What makes an agent of this world's; its state goes into `stateDir`. */
  env(stateDir: string): Record<string, string> {
    return {
      HOSTNODE_NODE_ID: 'bench',
      HOSTNODE_ADB_PORT: String(this.#opened.adbPort),
      HOSTNODE_CLOUD_BASE_URL: this.#opened.cloudUrl,
      HOSTNODE_CLOUD_USERNAME: credentials.username,
      HOSTNODE_CLOUD_API_KEY: credentials.apiKey,
      HOSTNODE_STATE_DIR: stateDir,
    };
  }

  /** What the adb server was asked since the last time this was called. */
  counted(): Promise<Counted> {
    return this.#call('counted') as Promise<Counted>;
  }

  /** What the cloud got since the phones were plugged in. */
  reports(): Promise<Report[]> {
    return this.#call('reports') as Promise<Report[]>;
  }

  /** Plugs a further phone in and out again. @returns from plug to report, ms */
  plug(index: number): Promise<number> {
    return this.#call('plug', { index }) as Promise<number>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.disconnect();
    await ended;
  }

  #call(call: Call['call'], options?: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#process.send({ id, call, options } satisfies Call);
    return answer.promise;
  }
}
