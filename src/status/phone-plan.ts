/**
 * What people plan for phones, each until a time: a maintenance, in which they raise no alert, and a drain, in which the
 * cloud hides them. Stored in `maintenance.json` and `drain.json` of the state directory; expired entries are dropped.
 */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { clockVerdict, wrongClockMark } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { OutageLog } from '../base/outage-log.ts';
import { moment, readAtStart, readJsonFile, type Unread, writeJsonFile } from '../host/json-file.ts';
import { StateUnwritableError } from '../host/state-errors.ts';
import { withDiskTimeout } from '../host/state-file.ts';
import type { Plan } from './host-status.ts';

const VERSION = 1;

const record = z.object({
  version: z.literal(VERSION),
  phones: z.array(
    z.object({
      udid: z.string().min(1),
      until: moment,
      reason: z.string(),
      by: z.string().exactOptional(),
      /** The start by a clock that was certainly wrong, ms since the epoch: `until` counts from there. */
      wrongClockAt: moment.exactOptional(),
    }),
  ),
});

type PlanRecord = z.infer<typeof record>;
type Entry = Omit<PlanRecord['phones'][number], 'udid'>;

export const planKinds = ['maintenance', 'drain'] as const;
export type PlanKind = (typeof planKinds)[number];

/** How often to look whether the clock has passed an end, ms: somebody may set it. */
const LOOK_EVERY_MS = 10_000;

/** Called when the plan for a phone begins, changes or ends (undefined). `by`: who ended it; absent: its time is over. */
type Listener = (udid: string, planned: Plan | undefined, by?: string) => void;

export type Plans = Readonly<Record<PlanKind, PhonePlan>>;

/** As `PhonePlan.read` reads each. */
export const readPlans = async (stateDir: string, log: Logger, before?: Plans): Promise<Plans> => ({
  maintenance: await PhonePlan.read('maintenance', stateDir, log, before?.maintenance),
  drain: await PhonePlan.read('drain', stateDir, log, before?.drain),
});

/** Where a plan is kept: its file, and what is said of it. */
interface Place {
  kind: PlanKind;
  path: string;
  log: Logger;
}

export class PhonePlan {
  readonly #place: Place;
  readonly #phones: Map<string, Entry>;
  /** Does the file exist, or should it? */
  #hasFile: boolean;
  #writing: Promise<void> = Promise.resolve();
  /** The last write failed. */
  #isUnwritten = false;
  readonly #outage = new OutageLog();
  /** Set while the file cannot be read. */
  #unread: Unread<PlanRecord> | undefined;
  /** What the listener knows of each phone. */
  #reported: ReadonlyMap<string, Entry> = new Map();
  #listener: Listener | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Phones for which it ended while the file was unreadable: reading it later does not start it again. */
  readonly #ended = new Set<string>();

  /** @param before wins over what was found */
  private constructor(
    place: Place,
    { value, unread }: { value?: PlanRecord; unread?: Unread<PlanRecord> },
    before?: PhonePlan,
  ) {
    this.#place = place;
    this.#phones = new Map([...phonesOf(value), ...(before ? before.#phones : [])]);
    this.#hasFile = this.#phones.size > 0 || value !== undefined;
    this.#unread = unread;
  }

  /**
   * The plan of this directory, as an earlier run left it. Never throws: it sets an unusable file aside, does not overwrite
   * an unreadable one, and logs either.
   *
   * @param before the plan before a reload: it goes on. In another directory it wins over the file, and calls nobody more
   */
  static async read(kind: PlanKind, stateDir: string, log: Logger, before?: PhonePlan): Promise<PhonePlan> {
    const path = join(stateDir, `${kind}.json`);
    if (before && before.#place.path === path) return before;
    const read = () => readJsonFile(path, record, VERSION);
    const plan = new PhonePlan({ kind, path, log }, await readAtStart({ path, read, log }), before);
    if (before === undefined) return plan;
    before.#listener = undefined;
    clearTimeout(before.#timer);
    await withDiskTimeout(plan.keep());
    return plan;
  }

  /**
   * The plan of an agent that may run, for a command that only reads.
   *
   * @returns `problem`: why the file cannot be used, one sentence
   */
  static async look(kind: PlanKind, stateDir: string, log: Logger) {
    const path = join(stateDir, `${kind}.json`);
    const found = await readJsonFile(path, record, VERSION, { mayRename: false });
    return omitUndefined({ plan: new PhonePlan({ kind, path, log }, found), problem: found.problem });
  }

  /**
   * Calls `listener` of each change, also those by time, and at once for what ended while no agent ran. What lasts already
   * counts as known. There is one listener, from now on this one.
   */
  onChange(listener: Listener): void {
    this.#lasting(Date.now()); // in the times of a right clock
    this.#reported = new Map(this.#phones);
    this.#listener = listener;
    this.#report();
  }

  #report(by?: string): void {
    const listener = this.#listener;
    if (listener === undefined) return;
    const now = Date.now();
    const before = this.#reported;
    const lasting = this.#lasting(now);
    this.#reported = lasting;
    for (const udid of before.keys()) if (!lasting.has(udid)) listener(udid, undefined, by);
    const over = [...this.#phones.keys()].filter((udid) => !lasting.has(udid));
    for (const udid of over) this.#phones.delete(udid);
    if (over.length > 0) void this.keep();
    for (const [udid, entry] of lasting)
      if (!isDeepStrictEqual(before.get(udid), entry)) listener(udid, planOf(entry));
    clearTimeout(this.#timer);
    if (lasting.size === 0) return;
    const leftMs = Math.min(...[...lasting.values()].map(({ until }) => until - now));
    this.#timer = setTimeout(() => this.#report(), Math.min(Math.max(leftMs, 1), LOOK_EVERY_MS)).unref();
  }

  #join(late: PlanRecord): void {
    for (const [udid, entry] of phonesOf(late)) {
      if (!this.#phones.has(udid) && !this.#ended.has(udid)) this.#phones.set(udid, entry);
    }
    this.#hasFile = true;
    this.#report();
  }

  async #isRead(): Promise<boolean> {
    return this.#unread === undefined || this.#unread.tryAgain((late) => this.#join(late));
  }

  /** Reads an unreadable file again, and writes the changes since, or those that the disk did not take. */
  async catchUp(): Promise<void> {
    const isUnread = this.#unread?.isOver === false;
    if (isUnread ? await this.#isRead() : this.#isUnwritten) await this.keep();
  }

  of(udid: string, now = Date.now()): Plan | undefined {
    const entry = this.#entry(udid, now);
    return entry && planOf(entry);
  }

  /** All current entries, the first to end first. */
  list(now = Date.now()): (Plan & { udid: string })[] {
    return [...this.#lasting(now)]
      .map(([udid, entry]) => ({ udid, ...planOf(entry) }))
      .sort((one, other) => one.until - other.until);
  }

  #lasting(now: number): Map<string, Entry> {
    const entries = [...this.#phones.keys()].map((udid) => [udid, this.#entry(udid, now)] as const);
    return new Map(entries.filter((each): each is [string, Entry] => each[1] !== undefined));
  }

  /** Undefined once it is over. What began by a wrong clock keeps its duration by a right one. */
  #entry(udid: string, now: number): Entry | undefined {
    let entry = this.#phones.get(udid);
    if (entry === undefined) return undefined;
    const isRight = clockVerdict(now) === 'right';
    if (entry.wrongClockAt !== undefined && isRight) {
      entry = { ...planOf(entry), until: now + entry.until - entry.wrongClockAt };
      this.#phones.set(udid, entry);
    }
    // a wrong clock ends nothing that began by a right one
    const isLasting = entry.until > now || (!isRight && entry.wrongClockAt === undefined);
    return isLasting ? entry : undefined;
  }

  /**
   * @param planned the same for all, or what is planned after what was planned
   * @throws {StateUnwritableError} the plan still holds, and is written with `catchUp`
   */
  begin(udids: readonly string[], planned: Plan | ((before: Plan | undefined) => Plan)): Promise<void> {
    const now = Date.now();
    for (const udid of udids) {
      const plan = typeof planned === 'function' ? planned(this.of(udid, now)) : planned;
      this.#phones.set(udid, { ...plan, ...wrongClockMark(now) });
      this.#ended.delete(udid);
      const until = new Date(plan.until).toISOString();
      this.#place.log.info({ udid, until, reason: plan.reason }, this.#place.kind);
    }
    this.#report();
    return this.#write();
  }

  /**
   * @param by who ends it
   * @returns those for which it lasted
   * @throws {StateUnwritableError} it has still ended, and that is written with `catchUp`
   */
  async end(udids: readonly string[], by?: string): Promise<string[]> {
    const were = udids.filter((udid) => this.of(udid) !== undefined);
    if (this.#unread && !this.#unread.isOver) for (const udid of udids) this.#ended.add(udid);
    const gone = udids.filter((udid) => this.#phones.delete(udid));
    if (gone.length === 0) return [];
    for (const udid of were) this.#place.log.info({ udid }, `${this.#place.kind} ended`);
    this.#report(by);
    await this.#write();
    return were;
  }

  /** A phone has another udid from now on: what is planned for it goes on, and nobody is called. */
  renamed(from: string, to: string): void {
    const entry = this.#phones.get(from);
    if (entry === undefined) return;
    const reported = new Map(this.#reported);
    for (const known of [this.#phones, reported]) {
      known.delete(from);
      if (!known.has(to)) known.set(to, entry);
    }
    this.#reported = reported;
    void this.keep();
  }

  /** Writes the file again, if needed: somebody may have removed it, or the disk was not writable. */
  async keep(): Promise<void> {
    if (this.#hasFile) await this.#write().catch(() => {}); // it is logged
  }

  #noted(error: unknown): void {
    const { kind, path, log } = this.#place;
    this.#isUnwritten = error !== undefined;
    if (error === undefined) this.#outage.end();
    else if (this.#outage.begin(String(error)))
      log.error({ err: error, path }, `the ${kind} of phones is not written: a restart would end it`);
  }

  #write(): Promise<void> {
    this.#hasFile = true;
    const write = async () => {
      const { path } = this.#place;
      if (!(await this.#isRead())) throw new StateUnwritableError(path, 'it could not be read yet');
      const phones = [...this.#lasting(Date.now())].map(([udid, entry]) => ({ udid, ...entry }));
      await writeJsonFile(path, { version: VERSION, phones });
    };
    const written = this.#writing.then(write);
    this.#writing = written.then(
      () => this.#noted(undefined),
      (error: unknown) => this.#noted(error),
    );
    return written;
  }
}

const phonesOf = (found: PlanRecord | undefined): (readonly [string, Entry])[] =>
  found?.phones.map(({ udid, ...entry }) => [udid, entry] as const) ?? [];

const planOf = ({ wrongClockAt: _, ...plan }: Entry): Plan => plan;
