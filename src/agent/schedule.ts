/**
 * When full reports are due: at the ticks of a cron schedule, each host with its own delay, so that ten thousand hosts do
 * not report at once.
 */
import { createHash } from 'node:crypto';
import { createTask, parse, type ScheduledTask } from 'node-cron';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/calendar.ts';

/** However rare the reports are, a host is at most this late, ms. */
const LONGEST_OFFSET_MS = HOUR_MS;
/** The clock may be set meanwhile: so the next report is computed at least this often, ms. */
const LONGEST_SLEEP_MS = 30_000;

export class ReportSchedule {
  readonly #ticks: Ticks;
  readonly #share: number;
  #onDue = () => {};
  #timer: NodeJS.Timeout | undefined;
  /** The next reports, ms since the epoch, in order. */
  #dues: number[] = [];

  /** @param expression cron fields: 5, or 6 with seconds */
  constructor(expression: string, nodeId: string) {
    this.#ticks = new Ticks(expression);
    this.#share = offsetShare(nodeId);
  }

  start(onDue: () => void): void {
    this.#onDue = onDue;
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
    this.#ticks.destroy();
    clearTimeout(this.#timer);
  }

  get msToNext(): number {
    const [due = Number.POSITIVE_INFINITY] = this.#upcoming();
    return due - Date.now();
  }

  get periodMs(): number {
    const [tick = 0, following = tick] = this.#ticks.after(Date.now(), 2);
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
    const [first = now, second = first, third = second] = this.#ticks.after(now, 3);
    const fresh = [first + this.#offsetMs(second - first), second + this.#offsetMs(third - second)];
    const kept = this.#dues.filter((due) => due > now && due < (fresh[0] ?? due));
    return [...kept, ...fresh];
  }

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

const SECOND_MS = 1000;
/** 29 February on a certain day of the week is up to 40 years away. */
const MOST_DAYS = 41 * 366;
/** No clock has been changed by more. */
const LONGEST_CHANGE_MS = 3 * HOUR_MS;

/** What the local clock shows, in ms since the epoch as if it were UTC. */
type LocalTime = number;

/** How far the local clock is ahead of UTC, ms. */
const aheadAt = (at: number): number => -new Date(at).getTimezoneOffset() * MINUTE_MS;

/**
 * The ticks of a cron expression in local time, also when daylight saving starts or ends. node-cron parses the
 * expression; we find the local time of each tick, and convert it to real time. node-cron 4.6 itself leaves out a tick
 * that the change skips, and all ticks of the hour that repeats.
 *
 * As in Vixie's cron, a schedule of certain hours means local time: a tick that the change skips is due when the clock
 * has changed, and one that repeats is due the first time. A schedule of every hour means elapsed time: in the hour that
 * repeats, it ticks twice.
 */
class Ticks {
  /** When it ticks on its days: local times from midnight, ms, in order. */
  readonly #times: readonly number[];
  readonly #months: ReadonlySet<number>;
  /** Not every hour has ticks. */
  readonly #isOfCertainHours: boolean;
  readonly #dates: ReadonlySet<number | string>;
  /** 0: Sunday. */
  readonly #weekdays: ReadonlySet<number | string>;
  /**
   * Never started: it only knows on which days the expression ticks, where one is no number (`L`, `5#2`). For its answer V8
   * reads ICU's data of all languages, 9 MB, which stay.
   */
  readonly #task: ScheduledTask | undefined;

  /** @param expression cron fields: 5, or 6 with seconds; one that node-cron takes */
  constructor(expression: string) {
    const { second, minute, hour, month, dayOfMonth, dayOfWeek } = parse(expression);
    const minutes = hour.flatMap((hours) => minute.map((each) => hours * HOUR_MS + each * MINUTE_MS));
    const times = minutes.flatMap((inMinute) => second.map((seconds) => inMinute + seconds * SECOND_MS));
    this.#times = times.sort((one, other) => one - other);
    this.#months = new Set(month);
    this.#isOfCertainHours = new Set(hour).size < 24;
    this.#dates = new Set(dayOfMonth);
    this.#weekdays = new Set(dayOfWeek);
    const isPlain = [...dayOfMonth, ...dayOfWeek].every((day) => typeof day === 'number');
    this.#task = isPlain ? undefined : createTask(expression, () => {}, { timezone: 'UTC' });
  }

  destroy(): void {
    this.#task?.destroy();
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
    const first = change + aheadThen;
    if (!this.#isOfCertainHours) return this.#search(change, first);
    return local < first ? change : this.#search(change, local); // a skipped tick is due when the clock has changed
  }

  /** The first local time of the expression that is not before `least`. */
  #localFrom(least: LocalTime): LocalTime | undefined {
    const firstDay = Math.floor(least / DAY_MS) * DAY_MS;
    for (let day = firstDay, days = 0; days < MOST_DAYS; day += DAY_MS, days += 1) {
      const time = this.#times.find((each) => day + each >= least);
      if (time !== undefined && this.#isOn(day)) return day + time;
    }
    return undefined;
  }

  #isOn(day: LocalTime): boolean {
    const [first = 0] = this.#times;
    const tick = new Date(day + first);
    if (!this.#months.has(tick.getUTCMonth() + 1)) return false;
    if (this.#task !== undefined) return this.#task.match(tick);
    return this.#dates.has(tick.getUTCDate()) && this.#weekdays.has(tick.getUTCDay());
  }
}

/** When the offset from UTC changed, after `from` and not after `until`; there must be one change. */
function changeBetween(from: number, until: number): number {
  const ahead = aheadAt(from);
  let before = from;
  let after = until;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (aheadAt(middle) === ahead) before = middle;
    else after = middle;
  }
  return after;
}
