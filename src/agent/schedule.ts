/**
 * When full reports are due: a cron schedule, and for each host its own place in the period between two ticks, so
 * that ten thousand hosts do not speak at once.
 */
import { createHash } from 'node:crypto';
import { type Logger as CronLogger, createTask, type ScheduledTask } from 'node-cron';
import type { Logger } from '../log.ts';

/** However rare the reports are, a host is at most this late, ms. */
const LONGEST_OFFSET_MS = 3_600_000;
/** A timer may fire a moment early: its own tick is not the next one. The finest schedule ticks every second, ms. */
const TICK_SLACK_MS = 500;

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
    const now = Date.now();
    if (this.#dueAt > now) return this.#dueAt - now;
    const [tick, following] = this.#ticks(now);
    return tick - now + this.#offsetMs(following - tick);
  }

  /** From one tick of the schedule to the next, ms. */
  get periodMs(): number {
    const [tick, following] = this.#ticks(Date.now());
    return following - tick;
  }

  #tick(): void {
    const now = Date.now();
    const delayMs = this.#offsetMs(this.#ticks(now + TICK_SLACK_MS)[0] - now);
    clearTimeout(this.#timer);
    this.#dueAt = now + delayMs;
    this.#timer = setTimeout(this.#onDue, delayMs);
  }

  /** The first two ticks after this moment, ms since the epoch. */
  #ticks(after: number): [number, number] {
    const [first = after, second = first] = this.#task
      .getNextRuns(3)
      .map((date) => date.getTime())
      .filter((time) => time > after);
    return [first, second];
  }

  /** The place of this node between two ticks that are so far from each other. */
  #offsetMs(periodMs: number): number {
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
