/**
 * When full reports are due: at the ticks of a cron schedule, each host with its own delay, so that ten thousand hosts do
 * not report at once.
 */
import { createHash } from 'node:crypto';
import { Ticks } from './ticks.ts';

/** However rare the reports are, a host is at most this late, ms. */
const LONGEST_OFFSET_MS = 3_600_000;
/** The clock may be set meanwhile: so the next report is computed at least this often, ms. */
const LONGEST_SLEEP_MS = 30_000;

export interface ReportScheduleOptions {
  /** Cron fields: 5, or 6 with seconds. */
  expression: string;
  nodeId: string;
  onDue(): void;
}

export class ReportSchedule {
  readonly #schedule: Ticks;
  readonly #share: number;
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** The next reports, ms since the epoch, in order. */
  #dues: number[] = [];

  constructor({ expression, nodeId, onDue }: ReportScheduleOptions) {
    this.#share = offsetShare(nodeId);
    this.#onDue = onDue;
    this.#schedule = new Ticks(expression);
  }

  start(): void {
    this.#dues = this.#upcoming();
    this.#sleep();
  }

  /** One more report, at this host's place in the next `withinMs`, unless another one is due before. */
  soon(withinMs: number): void {
    this.#dues = this.#upcoming();
    const at = placeAfter(Date.now(), this.#share, withinMs);
    if (at < (this.#dues[0] ?? Number.POSITIVE_INFINITY)) this.#dues.unshift(at);
    clearTimeout(this.#timer);
    this.#sleep();
  }

  stop(): void {
    this.#schedule.destroy();
    clearTimeout(this.#timer);
  }

  /** Until the next full report is due, ms. */
  get msToNext(): number {
    const [due = Number.POSITIVE_INFINITY] = this.#upcoming();
    return due - Date.now();
  }

  /** From one tick of the schedule to the next, ms. */
  get periodMs(): number {
    const [tick = 0, following = tick] = this.#ticks();
    return following - tick;
  }

  #sleep(): void {
    const [due = Number.POSITIVE_INFINITY] = this.#dues;
    const leftMs = Math.max(0, due - Date.now()); // it may have come meanwhile
    this.#timer = setTimeout(() => this.#wake(), Math.min(leftMs, LONGEST_SLEEP_MS));
  }

  /** One report makes up for all that were missed while the host slept, or when its clock was set. */
  #wake(): void {
    const isDue = (this.#dues[0] ?? Number.POSITIVE_INFINITY) <= Date.now();
    this.#dues = this.#upcoming();
    this.#sleep();
    if (isDue) this.#onDue();
  }

  /** The next reports. One stays due although its tick has passed, unless the clock was set back since. */
  #upcoming(): number[] {
    const now = Date.now();
    const [first = now, second = first, third = second] = this.#ticks();
    const fresh = [first + this.#offsetMs(second - first), second + this.#offsetMs(third - second)];
    const kept = this.#dues.filter((due) => due > now && due < (fresh[0] ?? due));
    return [...kept, ...fresh];
  }

  /** The first three ticks after this moment, ms since the epoch. */
  #ticks(): number[] {
    return this.#schedule.after(Date.now(), 3);
  }

  /** How long after a tick this node reports, ms. */
  #offsetMs(periodMs: number): number {
    return Math.floor(this.#share * Math.min(periodMs, LONGEST_OFFSET_MS));
  }
}

/** Where in the period this node reports: 0 up to 1, the same at every start. */
export const offsetShare = (nodeId: string): number =>
  createHash('sha256').update(nodeId).digest().readUInt32BE(0) / 2 ** 32;

/**
 * The next moment that is at a node's place in a period; places are the same for all periods of this length.
 *
 * @param now ms since the epoch
 * @param share where in the period: 1 is a whole one
 * @returns ms since the epoch, after `now`
 */
export function placeAfter(now: number, share: number, periodMs: number): number {
  const offsetMs = Math.floor(share * periodMs);
  return (Math.floor((now - offsetMs) / periodMs) + 1) * periodMs + offsetMs;
}
