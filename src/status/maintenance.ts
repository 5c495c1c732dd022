/**
 * Phones that somebody works on: until when, and why. They are counted apart and raise no alarm. Kept in
 * `maintenance.json` of the state directory; what has expired is dropped.
 */
import { join } from 'node:path';
import * as z from 'zod';
import { judgeClock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { type ReadOptions, readJsonFile, writeJsonFile } from '../host/json-file.ts';
import { StateUnwritableError } from '../host/state-errors.ts';
import { Unread } from '../host/unread.ts';
import type { Maintenance } from './host-status.ts';

const VERSION = 1;

const record = z.object({
  version: z.literal(VERSION),
  phones: z.array(
    z.object({
      udid: z.string().min(1),
      until: z.number(),
      reason: z.string(),
      wrongClockAt: z.number().exactOptional(),
    }),
  ),
});

type MaintenanceRecord = z.infer<typeof record>;

interface Entry extends Maintenance {
  /** What the clock said when it began, where it was surely wrong, ms since the epoch: `until` counts from there. */
  readonly wrongClockAt?: number;
}

const pathIn = (stateDir: string): string => join(stateDir, 'maintenance.json');

export class MaintenancePlan {
  readonly #stateDir: string;
  readonly #log: Logger;
  readonly #phones: Map<string, Entry>;
  /** Is there, or should there be, a file? */
  #hasFile: boolean;
  #writing: Promise<void> = Promise.resolve();
  /** While the file cannot be read. */
  #unread: Unread<MaintenanceRecord> | undefined;
  /** What has ended meanwhile: it does not begin anew when the file can be read. */
  readonly #ended = new Set<string>();

  private constructor(stateDir: string, phones: Map<string, Entry>, hasFile: boolean, log: Logger) {
    this.#stateDir = stateDir;
    this.#phones = phones;
    this.#hasFile = hasFile;
    this.#log = log;
  }

  /**
   * What an earlier run has kept. Never throws: a file that cannot be used is set aside, one that cannot be read is not
   * written until it could be, and either is said.
   *
   * @param before the plan of another directory: what stands in it counts on, and before what is found
   */
  static async read(stateDir: string, log: Logger, before?: MaintenancePlan): Promise<MaintenancePlan> {
    const path = pathIn(stateDir);
    const read = (options?: ReadOptions) => readJsonFile(path, record, VERSION, options);
    const { value, problem, mustStay } = await read();
    if (problem !== undefined) log.error(problem);
    const phones = new Map([...phonesOf(value), ...(before ? before.#phones : [])]);
    const plan = new MaintenancePlan(stateDir, phones, phones.size > 0 || value !== undefined, log);
    if (mustStay) plan.#unread = new Unread({ path, read, log });
    return plan;
  }

  #join(late: MaintenanceRecord): void {
    for (const [udid, maintenance] of phonesOf(late)) {
      if (!this.#phones.has(udid) && !this.#ended.has(udid)) this.#phones.set(udid, maintenance);
    }
    this.#hasFile = true;
  }

  /** Reads the file again where it could not be read; what has come meanwhile is written then. */
  async catchUp(): Promise<void> {
    if (this.#unread && !this.#unread.isOver && (await this.#unread.tryAgain((late) => this.#join(late))))
      await this.keep();
  }

  get stateDir(): string {
    return this.#stateDir;
  }

  of(udid: string, now = Date.now()): Maintenance | undefined {
    const entry = this.#lasting(now).get(udid);
    return entry && maintenanceOf(entry);
  }

  /** All that last, those that end first before the others. */
  list(now = Date.now()): (Maintenance & { udid: string })[] {
    return [...this.#lasting(now)]
      .map(([udid, entry]) => ({ udid, ...maintenanceOf(entry) }))
      .sort((one, other) => one.until - other.until);
  }

  /** By a clock that is surely wrong nothing ends that began by a right one; what began by it lasts as long by a right one. */
  #lasting(now: number): Map<string, Entry> {
    const isRight = judgeClock(now) === 'right';
    for (const [udid, { wrongClockAt, ...entry }] of this.#phones)
      if (isRight && wrongClockAt !== undefined)
        this.#phones.set(udid, { ...entry, until: now + entry.until - wrongClockAt });
    return new Map(
      [...this.#phones].filter(
        ([, { until, wrongClockAt }]) => until > now || (!isRight && wrongClockAt === undefined),
      ),
    );
  }

  /** @throws {StateUnwritableError} and it counts nevertheless, until a restart */
  begin(udid: string, maintenance: Maintenance): Promise<void> {
    const now = Date.now();
    const clock = judgeClock(now) === 'right' ? {} : { wrongClockAt: now };
    this.#phones.set(udid, { ...maintenance, ...clock });
    this.#ended.delete(udid);
    this.#log.info(
      { udid, until: new Date(maintenance.until).toISOString(), reason: maintenance.reason },
      'maintenance',
    );
    return this.#write();
  }

  /**
   * @returns whether there was any
   * @throws {StateUnwritableError} and it has ended nevertheless, until a restart
   */
  async end(udid: string): Promise<boolean> {
    const was = this.of(udid) !== undefined;
    if (this.#unread && !this.#unread.isOver) this.#ended.add(udid);
    if (!this.#phones.delete(udid)) return false;
    if (was) this.#log.info({ udid }, 'maintenance ended');
    await this.#write();
    return was;
  }

  /** Writes it again, where there is any: somebody may have removed the file, or the disk has taken nothing so far. */
  async keep(): Promise<void> {
    if (this.#hasFile) await this.#write().catch(() => {}); // the roster says that the disk takes nothing
  }

  #write(): Promise<void> {
    this.#hasFile = true;
    const phones = () => [...this.#lasting(Date.now())].map(([udid, entry]) => ({ udid, ...entry }));
    const write = async () => {
      const path = pathIn(this.#stateDir);
      if (this.#unread && !(await this.#unread.tryAgain((late) => this.#join(late)))) {
        throw new StateUnwritableError(path, 'it could not be read yet');
      }
      await writeJsonFile(path, { version: VERSION, phones: phones() });
    };
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => {});
    return written;
  }
}

const phonesOf = (found: MaintenanceRecord | undefined): (readonly [string, Entry])[] =>
  found?.phones.map(({ udid, ...entry }) => [udid, entry] as const) ?? [];

const maintenanceOf = ({ until, reason }: Entry): Maintenance => ({ until, reason });
