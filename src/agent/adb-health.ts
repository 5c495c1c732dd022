/** Whether adb can be reached: logs when that changes, and starts a server where none runs. */
import { adbFailureKindOf } from '../adb/remedy.ts';
import { type AdbFailureKind, AdbUnavailableError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { OutageLog } from '../base/outage-log.ts';
import { printable } from '../base/printable.ts';
import { pause } from '../base/time.ts';
import type { AgentServices } from './options.ts';

/** Longest failure that is shown, characters. */
const LONGEST_FAILURE = 300;
/** The list is read at once, the stream opens up to 2 s later: both notice one and the same new server, ms. */
const ONE_REPLACEMENT_MS = 5_000;

export interface AdbSummary {
  /** Whether its list can be read; `unknown` until the first try has ended. */
  state: 'unknown' | 'listed' | 'unreachable';
  /** Why the last try failed, while adb is unreachable. */
  failure?: string;
  failureKind?: AdbFailureKind;
  /** Its protocol version, e.g. 41. */
  version?: number;
}

type AdbHealthOptions = Pick<
  AgentServices,
  'adb' | 'checkpoint' | 'startAdb' | 'timing' | 'observer' | 'stopping' | 'log'
>;

export class AdbHealth {
  readonly #options: AdbHealthOptions;
  readonly #outage = new OutageLog();
  readonly #namelessLog = new OutageLog();
  /** Never ended: a phone that removes its forged lines and writes them again is logged once. */
  readonly #forgedLog = new OutageLog();
  #doubted: readonly string[] = [];
  readonly #firstListing = Promise.withResolvers<void>();
  #hasListed = false;
  #failure: Pick<AdbSummary, 'failure' | 'failureKind'> = {};
  #version: number | undefined;
  #starting: Promise<void> | undefined;
  #isLostRecorded: boolean;
  #hasAnswered = false;
  /** When another server was last recorded, by the monotonic clock, ms. */
  #anotherAt = Number.NEGATIVE_INFINITY;

  constructor(options: AdbHealthOptions) {
    this.#options = options;
    this.#isLostRecorded = options.checkpoint?.isAdbLost ?? false;
  }

  /** The history has it that adb is lost, perhaps from an earlier run. */
  get isLostRecorded(): boolean {
    return this.#isLostRecorded;
  }

  /** adb has listed its phones since this agent began: a phone that is not attached is unplugged. */
  get hasListed(): boolean {
    return this.#hasListed;
  }

  /** Resolves when adb has listed its phones for the first time. */
  get firstListing(): Promise<void> {
    return this.#firstListing.promise;
  }

  get state(): AdbSummary['state'] {
    if (this.#outage.isOpen) return 'unreachable';
    return this.#hasListed ? 'listed' : 'unknown';
  }

  get summary(): AdbSummary {
    return omitUndefined({ state: this.state, ...this.#failure, version: this.#version });
  }

  /**
   * @param nameless how many devices in it have neither serial nor USB path
   * @returns whether it could not be read before
   */
  listed(nameless: number): boolean {
    const { log } = this.#options;
    const isNew = this.state !== 'listed';
    this.#failure = {};
    this.#logForged();
    if (this.#outage.end()) log.info('the adb server answers again');
    if (nameless === 0) this.#namelessLog.end();
    else if (this.#namelessLog.begin(String(nameless))) {
      log.warn(
        { devices: nameless },
        'adb lists devices without serial number and USB path: they cannot be reported',
      );
    }
    this.#hasListed = true;
    this.#firstListing.resolve();
    return isNew;
  }

  /**
   * Logs lines of adb's list that its short list does not confirm, if a second listing has them too: in one listing, it
   * may be a phone that was plugged in meanwhile.
   */
  #logForged(): void {
    const { adb, log } = this.#options;
    for (const line of adb.doubts)
      if (this.#doubted.includes(line) && this.#forgedLog.begin(line))
        log.warn(
          { line },
          'ignored a line of adb’s list: adb does not confirm it, a phone may have written it',
        );
    this.#doubted = adb.doubts;
  }

  /**
   * @param failingMs how long ago the first request was sent that it did not answer
   * @returns whether this was the first try
   */
  lost(error: unknown, failingMs: number): boolean {
    const { observer, log } = this.#options;
    const isFirst = this.state === 'unknown';
    const failure = printable(error instanceof Error ? error.message : String(error), LONGEST_FAILURE);
    const failureKind = adbFailureKindOf(error);
    const isNewFailure = failure !== this.#failure.failure;
    this.#failure = { failure, failureKind };
    this.#version = undefined;
    if (this.#outage.begin(failure)) log.error({ err: error }, 'cannot reach adb');
    const at = Date.now();
    if (!this.#isLostRecorded)
      observer.happened([{ kind: 'adbLost', at, failureKind, since: Math.round(at - failingMs) }]);
    this.#isLostRecorded = true;
    if (isNewFailure) observer.changed();
    this.#start();
    return isFirst;
  }

  /** A retired host has no phones, whatever adb lists. */
  retire(): void {
    this.#failure = {};
    this.#outage.end();
    this.#hasListed = true;
  }

  /** The server answers for the first time, or it may be another one than before. Never throws. */
  async answers(version?: number): Promise<void> {
    const { adb, stopping, observer } = this.#options;
    const at = Date.now();
    const now = performance.now();
    const isReplaced = this.#hasAnswered && now - this.#anotherAt >= ONE_REPLACEMENT_MS;
    if (this.#isLostRecorded) observer.happened([{ kind: 'adbBack', at }]);
    else if (isReplaced) observer.happened([{ kind: 'adbReplaced', at, ...omitUndefined({ version }) }]);
    if (this.#isLostRecorded || isReplaced) this.#anotherAt = now;
    this.#isLostRecorded = false;
    this.#hasAnswered = true;
    this.#version = await adb.version(stopping).catch(() => undefined);
    observer.changed();
  }

  #start(): void {
    const { startAdb, timing, stopping, log } = this.#options;
    this.#starting ??= startAdb?.(stopping)
      .then((pid) => pid !== undefined && log.warn({ pid }, 'started an adb server'))
      .catch((error) => {
        const { remedy } = error instanceof AdbUnavailableError ? error : {};
        if (!stopping.aborted) log.error(omitUndefined({ err: error, remedy }), 'cannot start an adb server');
      })
      .then(() => pause(timing.startAdbEveryMs))
      .then(() => {
        this.#starting = undefined;
      });
  }
}
