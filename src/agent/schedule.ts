/**
 * When full reports are due: a cron schedule, and for each host its own place in the period between two ticks, so
 * that ten thousand hosts do not speak at once.
 */
import { createHash } from 'node:crypto';
import { type Logger as CronLogger, createTask, type ScheduledTask } from 'node-cron';
import type { Logger } from '../log.ts';

/** However rare the reports are, a host is at most this late, ms. */
const LONGEST_OFFSET_MS = 3_600_000;

export interface ReportScheduleOptions {
  /** Cron fields: 5, or 6 with seconds. */
  expression: string;
  nodeId: string;
  log: Logger;
  onDue(): void;
}

export class ReportSchedule {
  readonly #task: ScheduledTask;
  readonly #share: number;
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;

  constructor({ expression, nodeId, log, onDue }: ReportScheduleOptions) {
    this.#share = offsetShare(nodeId);
    this.#onDue = onDue;
    this.#task = createTask(expression, () => this.#tick(), { noOverlap: true, logger: cronLogger(log) });
  }

  start(): void {
    this.#task.start();
  }

  stop(): void {
    this.#task.destroy();
    clearTimeout(this.#timer);
  }

  /** Until the next full report is due, ms. */
  get msToNext(): number {
    if (this.#dueAt > Date.now()) return this.#dueAt - Date.now();
    return (this.#task.msToNext() ?? 0) + this.#offsetMs();
  }

  #tick(): void {
    const delayMs = this.#offsetMs();
    clearTimeout(this.#timer);
    this.#dueAt = Date.now() + delayMs;
    this.#timer = setTimeout(this.#onDue, delayMs);
  }

  #offsetMs(): number {
    const [first, second] = this.#task.getNextRuns(2);
    const periodMs = first && second ? second.getTime() - first.getTime() : 0;
    return Math.floor(this.#share * Math.min(periodMs, LONGEST_OFFSET_MS));
  }
}

/** Where in the period this node speaks: 0 up to 1, the same at every start. */
export const offsetShare = (nodeId: string): number =>
  createHash('sha256').update(nodeId).digest().readUInt32BE(0) / 2 ** 32;

/** node-cron hands over a message, an error, or both; pino wants the error first. */
const cronLogger = (log: Logger): CronLogger => ({
  info: (message) => log.debug(message),
  debug: (message) => log.debug(String(message)),
  warn: (message) => log.debug(message),
  error: (message, error) => log.error({ err: error ?? message }, 'the schedule failed'),
});
