/**
 * The ticks of a cron expression by the local clock, also where that clock is changed for daylight saving. Each is
 * worked out on the clock's face, by node-cron's reading of the expression, and then converted to real time: called for
 * a whole day, node-cron 4.6 passes over a tick that a change skips, and over all of the hour that comes twice.
 *
 * As in Vixie's cron, a schedule of certain hours means the face: a tick that the change skips is due when the clock
 * has changed, and one that comes twice is due the first time. A schedule of every hour means the time that passes:
 * in the hour that comes twice it ticks twice.
 */
import { createTask, parse, type ScheduledTask } from 'node-cron';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** 29 February on a certain day of the week is up to 40 years away. */
const MOST_DAYS = 41 * 366;
/** No clock has been changed by more. */
const LONGEST_CHANGE_MS = 3 * HOUR_MS;

/** What a clock on the wall shows, as ms since the epoch if it were UTC. */
type Face = number;

/** How far the local clock is ahead of UTC, ms. */
const aheadAt = (at: number): number => -new Date(at).getTimezoneOffset() * MINUTE_MS;

export class Ticks {
  readonly #seconds: readonly number[];
  readonly #minutes: readonly number[];
  readonly #hours: readonly number[];
  readonly #months: ReadonlySet<number>;
  /** Never started: it says on which days the expression ticks. */
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

  /** The face from which on nothing was shown before `moment`; −∞ where no hour comes twice. */
  #notTwice(moment: number): Face {
    const aheadBefore = aheadAt(moment - LONGEST_CHANGE_MS);
    if (!this.#isOfCertainHours || aheadBefore <= aheadAt(moment)) return Number.NEGATIVE_INFINITY;
    return changeBetween(moment - LONGEST_CHANGE_MS, moment) + aheadBefore;
  }

  /** @param from a moment; @param least the first face that counts, as the clock goes at `from` */
  #search(from: number, least: Face): number | undefined {
    const face = this.#faceFrom(least);
    if (face === undefined) return undefined;
    const ahead = aheadAt(from);
    const at = face - ahead;
    if (aheadAt(at) === ahead) return at;
    const change = changeBetween(from, at);
    const aheadThen = aheadAt(change);
    const isSkipped = face < change + aheadThen;
    if (isSkipped && this.#isOfCertainHours) return change;
    return this.#search(
      change,
      this.#isOfCertainHours ? Math.max(face, change + aheadThen) : change + aheadThen,
    );
  }

  get #isOfCertainHours(): boolean {
    return this.#hours.length < 24;
  }

  /** The first face of the expression that is not before `least`. */
  #faceFrom(least: Face): Face | undefined {
    const firstDay = Math.floor(least / DAY_MS) * DAY_MS;
    for (let day = firstDay, days = 0; days < MOST_DAYS; day += DAY_MS, days += 1) {
      const face = this.#isOn(day) ? this.#timeOn(day, least) : undefined;
      if (face !== undefined) return face;
    }
    return undefined;
  }

  #isOn(day: Face): boolean {
    if (!this.#months.has(new Date(day).getUTCMonth() + 1)) return false;
    const [hour = 0, minute = 0, second = 0] = [this.#hours[0], this.#minutes[0], this.#seconds[0]];
    return this.#task.match(new Date(day + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS));
  }

  #timeOn(day: Face, least: Face): Face | undefined {
    for (const hour of this.#hours) {
      const inHour = day + hour * HOUR_MS;
      if (inHour + HOUR_MS <= least) continue;
      for (const minute of this.#minutes) {
        const inMinute = inHour + minute * MINUTE_MS;
        if (inMinute + MINUTE_MS <= least) continue;
        const face = this.#seconds
          .map((second) => inMinute + second * SECOND_MS)
          .find((each) => each >= least);
        if (face !== undefined) return face;
      }
    }
    return undefined;
  }
}

/** A moment between two, the later one among them, at which the clock was changed; there must be one. */
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
