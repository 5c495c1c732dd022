/**
 * The ticks of a cron expression in local time, also when daylight saving starts or ends. node-cron parses the
 * expression; we find the local time of each tick, and convert it to real time. node-cron 4.6 itself leaves out a tick
 * that the change skips, and all ticks of the hour that repeats.
 *
 * As in Vixie's cron, a schedule of certain hours means local time: a tick that the change skips is due when the clock
 * has changed, and one that repeats is due the first time. A schedule of every hour means elapsed time: in the hour that
 * repeats, it ticks twice.
 */
import { createTask, parse, type ScheduledTask } from 'node-cron';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/calendar.ts';

const SECOND_MS = 1000;
/** 29 February on a certain day of the week is up to 40 years away. */
const MOST_DAYS = 41 * 366;
/** No clock has been changed by more. */
const LONGEST_CHANGE_MS = 3 * HOUR_MS;

/** What the local clock shows, in ms since the epoch as if it were UTC. */
type LocalTime = number;

/** How far the local clock is ahead of UTC, ms. */
const aheadAt = (at: number): number => -new Date(at).getTimezoneOffset() * MINUTE_MS;

export class Ticks {
  readonly #seconds: readonly number[];
  readonly #minutes: readonly number[];
  readonly #hours: readonly number[];
  readonly #months: ReadonlySet<number>;
  /** Never started: it only knows on which days the expression ticks. */
  readonly #task: ScheduledTask;

  /** @param expression cron fields: 5, or 6 with seconds; one that node-cron takes */
  constructor(expression: string) {
    const { second, minute, hour, month } = parse(expression);
    const inOrder = (values: readonly number[]) => values.toSorted((one, other) => one - other);
    this.#seconds = inOrder(second);
    this.#minutes = inOrder(minute);
    this.#hours = inOrder(hour);
    this.#months = new Set(month);
    this.#task = createTask(expression, () => {}, { timezone: 'UTC' });
  }

  destroy(): void {
    this.#task.destroy();
  }

  /** The next ticks after a moment, in order, ms since the epoch; fewer where there are no more. */
  after(moment: number, count: number): number[] {
    const ticks: number[] = [];
    for (let at = moment; ticks.length < count; ) {
      const next = this.#next(at);
      if (next === undefined) break;
      ticks.push(next);
      at = next;
    }
    return ticks;
  }

  #next(moment: number): number | undefined {
    const ahead = aheadAt(moment);
    return this.#search(moment, Math.max(moment + ahead + 1, this.#notTwice(moment)));
  }

  /** From this local time on, the clock has shown none before `moment`; −∞ if no hour repeats. */
  #notTwice(moment: number): LocalTime {
    const aheadBefore = aheadAt(moment - LONGEST_CHANGE_MS);
    if (!this.#isOfCertainHours || aheadBefore <= aheadAt(moment)) return Number.NEGATIVE_INFINITY;
    return changeBetween(moment - LONGEST_CHANGE_MS, moment) + aheadBefore;
  }

  /** @param from a moment; @param least the earliest local time that counts, by the offset from UTC at `from` */
  #search(from: number, least: LocalTime): number | undefined {
    const local = this.#localFrom(least);
    if (local === undefined) return undefined;
    const ahead = aheadAt(from);
    const at = local - ahead;
    if (aheadAt(at) === ahead) return at;
    const change = changeBetween(from, at);
    const aheadThen = aheadAt(change);
    const isSkipped = local < change + aheadThen;
    if (isSkipped && this.#isOfCertainHours) return change;
    return this.#search(
      change,
      this.#isOfCertainHours ? Math.max(local, change + aheadThen) : change + aheadThen,
    );
  }

  get #isOfCertainHours(): boolean {
    return this.#hours.length < 24;
  }

  /** The first local time of the expression that is not before `least`. */
  #localFrom(least: LocalTime): LocalTime | undefined {
    const firstDay = Math.floor(least / DAY_MS) * DAY_MS;
    for (let day = firstDay, days = 0; days < MOST_DAYS; day += DAY_MS, days += 1) {
      const local = this.#isOn(day) ? this.#timeOn(day, least) : undefined;
      if (local !== undefined) return local;
    }
    return undefined;
  }

  #isOn(day: LocalTime): boolean {
    if (!this.#months.has(new Date(day).getUTCMonth() + 1)) return false;
    const [hour = 0, minute = 0, second = 0] = [this.#hours[0], this.#minutes[0], this.#seconds[0]];
    return this.#task.match(new Date(day + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS));
  }

  #timeOn(day: LocalTime, least: LocalTime): LocalTime | undefined {
    for (const hour of this.#hours) {
      const inHour = day + hour * HOUR_MS;
      if (inHour + HOUR_MS <= least) continue;
      for (const minute of this.#minutes) {
        const inMinute = inHour + minute * MINUTE_MS;
        if (inMinute + MINUTE_MS <= least) continue;
        const local = this.#seconds
          .map((second) => inMinute + second * SECOND_MS)
          .find((each) => each >= least);
        if (local !== undefined) return local;
      }
    }
    return undefined;
  }
}

/** When the offset from UTC changed, after `from` and not after `until`; there must be one change. */
function changeBetween(from: number, until: number): number {
  const ahead = aheadAt(from);
  let [before, after] = [from, until];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (aheadAt(middle) === ahead) before = middle;
    else after = middle;
  }
  return after;
}
