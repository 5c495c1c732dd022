/** `hostnode run` between the phones and the cloud of the bench. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { weightOf } from './measure.ts';
import { type Setting, serviceEnv } from './setting.ts';
import type { Report } from './world.ts';

export interface DaemonOptions {
  /** Cron fields of full reports. */
  schedule: string;
  /** A file for the longest that its event loop was held, before `startIsOver` and in each half minute since; written at its end. */
  loopFile?: string;
}

/** No full report but the one at the start. */
export const never = '0 0 1 1 *';

const WAIT_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 100;

export class Daemon implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #setting: Setting;

  constructor(setting: Setting, { schedule, loopFile }: DaemonOptions) {
    const { hostnode, world, env, stateDir } = setting;
    const [node = '', ...args] = hostnode;
    const watch =
      loopFile === undefined ? [] : [`--import=${fileURLToPath(new URL('loop.js', import.meta.url))}`];
    this.#setting = setting;
    this.#process = spawn(node, [...watch, ...args, 'run'], {
      env: {
        PATH: process.env.PATH ?? '',
        ...serviceEnv(),
        ...env,
        ...world.env(stateDir()),
        HOSTNODE_REPORT_SCHEDULE: schedule,
        ...(loopFile !== undefined && { BENCH_LOOP_FILE: loopFile }),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  get weight(): { residentBytes: number; cpuMs: number } {
    return weightOf(this.#process.pid ?? 0);
  }

  /** What its event loop does from now on is no start any more. */
  startIsOver(): void {
    this.#process.kill('SIGUSR2');
  }

  /** Waits for the first report that holds facts of so many phones. */
  async reported(phones: number, after = 0): Promise<Report> {
    const until = performance.now() + WAIT_LIMIT_MS;
    while (performance.now() < until) {
      const found = (await this.#setting.world.reports())
        .slice(after)
        .find(({ devices }) => devices.filter(({ hasFacts }) => hasFacts).length >= phones);
      if (found) return found;
      await wait(LOOK_EVERY_MS);
    }
    throw new Error(`no report with the facts of ${phones} phones within ${WAIT_LIMIT_MS / 1000} s`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) throw new Error(`the daemon ended with ${this.#process.exitCode}`);
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
  }
}
