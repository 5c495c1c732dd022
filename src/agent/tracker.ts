/**
 * Tracks adb's list of phones while the agent runs: events for speed, the list as the truth.
 *
 * The server's event stream only says "look again": it ends when the server dies, and it shows two phones with one
 * serial as one. So we read the list after each event, and every few seconds. That also finds a server that accepts
 * connections but does not answer.
 *
 * The stream may stay open although its server was replaced, as by a power cut of another host. So we also assume
 * another server when the version changes, or when connection numbers do not go up. And we read the list before we
 * collect phones (`relist`).
 */
import { type Adb, isPassing, type ListedDevice } from '../adb/adb.ts';
import { sleep } from '../base/time.ts';
import { placeOf } from '../roster/udid.ts';
import type { AgentTiming } from './options.ts';

export interface Tracking {
  /** What was attached when an earlier run ended: the server may have just been started, like the host. */
  expected?: readonly Expected[];
  /** adb's list, each time it was read. `isAnotherServer`: it may come from another server than the last one. */
  onListing(devices: readonly ListedDevice[], isAnotherServer: boolean): void;
  /**
   * The server answers for the first time, or it may be another server than before. Called before its list is given.
   *
   * @param version of its protocol, if that was read with the list
   */
  onServer?(version?: number): void;
  /** The list could not be read; called for each try that failed. */
  onLost(error: unknown, failingMs: number): void;
}

type TrackedAdb = Pick<Adb, 'listDevices' | 'version' | 'watchDevices'>;
type TrackerTiming = Pick<AgentTiming, 'relistMs' | 'recoveryMs'>;
type Expected = Pick<ListedDevice, 'serial' | 'devpath' | 'state'>;

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** Between two readings, however many events there are, ms. */
const LEAST_BETWEEN_MS = 50;
/** A server that restarts fails for a moment: adb counts as lost only after this, ms. */
const LOST_AFTER_MS = 500;

export class DeviceTracker {
  readonly #adb: TrackedAdb;
  readonly #timing: TrackerTiming;
  #isRunning = false;
  /** The list is to be read again. */
  #isChanged = false;
  #nap = new AbortController();
  /** The event stream is open. While it is not, no event shows that the server was replaced. */
  #isWatching = false;
  /** It has ended since the list was last read: another server may have started quickly. */
  #hasEnded = false;
  /** Ends the stream: it comes from a server that was replaced. */
  #watch = new AbortController();
  /** Those that wait for a new list, in order. */
  readonly #waiting: ((isTaken: boolean) => void)[] = [];
  /** A list was taken in this turn of the event loop. */
  #isFresh = false;

  constructor(adb: TrackedAdb, timing: TrackerTiming) {
    this.#adb = adb;
    this.#timing = timing;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Runs until the signal fires; never throws. */
  async run(signal: AbortSignal, tracking: Tracking): Promise<void> {
    this.#isRunning = true;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    await Promise.all([this.#watchEvents(signal), this.#readLists(signal, tracking)]).finally(() => {
      this.#isRunning = false;
      this.#serve(this.#waiting.length, false);
    });
  }

  /**
   * Has the list read again, together with the other callers that wait for it.
   *
   * @returns true once the agent has a list whose reading began after this call; at once if it has just taken one, or
   *   nobody tracks the list. False if the list could not be read, or the tracker has ended
   */
  async relist(): Promise<boolean> {
    if (!this.#isRunning || this.#isFresh) return true;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#wake();
    });
  }

  /** @param isTaken the agent has the new list; false: it could not be read */
  #serve(count: number, isTaken: boolean): void {
    this.#isFresh = isTaken;
    setImmediate(() => {
      this.#isFresh = false;
    });
    for (const resolve of this.#waiting.splice(0, count)) resolve(isTaken);
  }

  #wake(): void {
    this.#isChanged = true;
    this.#nap.abort();
  }

  /** Until something has changed, or `ms` have passed; several changes count once. */
  async #untilChanged(ms: number): Promise<void> {
    if (!this.#isChanged) {
      this.#nap = new AbortController();
      await sleep(ms, this.#nap.signal);
    }
    this.#isChanged = false;
  }

  async #watchEvents(signal: AbortSignal): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    let wasBroken = false;
    while (!signal.aborted) {
      const { signal: isOver } = this.#watch;
      const onChange = () => {
        retryMs = FIRST_RETRY_MS;
        this.#hasEnded ||= wasBroken; // the server may have been replaced again while it was not open
        wasBroken = false;
        this.#isWatching = true;
        this.#wake();
      };
      await this.#adb.watchDevices(onChange, AbortSignal.any([signal, isOver])).catch(() => {
        wasBroken = true;
        this.#isWatching = false;
        this.#hasEnded ||= !isOver.aborted;
        this.#wake(); // the list will show what is wrong
      });
      await sleep(retryMs, signal);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    }
  }

  async #readLists(
    signal: AbortSignal,
    { expected = [], onListing, onServer, onLost }: Tracking,
  ): Promise<void> {
    const { relistMs, recoveryMs } = this.#timing;
    const server = new ListedServer(this.#adb);
    const recovery = new Recovery(recoveryMs);
    let isServerKnown = false;
    let isAnotherServer = false;
    let retryMs = FIRST_RETRY_MS;
    let before = expected;
    // adb may have just started, and list the expected phones one by one: like after a failure
    if (before.length > 0) recovery.begin(performance.now());
    while (!signal.aborted) {
      const startedAt = performance.now();
      const hasEnded = this.#hasEnded;
      this.#hasEnded = false;
      isAnotherServer ||= !this.#isWatching;
      const served = this.#waiting.length; // who comes later waits for the next reading
      const listed = await server.list(served > 0, signal).catch((error: unknown) => ({ error }));
      if ('error' in listed) {
        this.#serve(served, false);
        if (signal.aborted) return;
        isAnotherServer = true;
        const failingMs = recovery.failed(startedAt);
        if (failingMs >= LOST_AFTER_MS) onLost(listed.error, failingMs);
        await sleep(retryMs, signal);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
        continue;
      }
      const { devices, isAnother, version } = listed;
      if (isAnother) {
        this.#watch.abort();
        this.#watch = new AbortController();
      }
      if (hasEnded || isAnother) {
        isAnotherServer = true;
        recovery.begin(startedAt);
      }
      if (recovery.isOpen) {
        if (recovery.mayWait() && !isWhole(devices, before)) {
          await sleep(LEAST_BETWEEN_MS, signal);
          await this.#untilChanged(FIRST_RETRY_MS);
          continue;
        }
        recovery.end();
        retryMs = FIRST_RETRY_MS;
        isServerKnown = false;
      }
      before = devices;
      this.#serve(served, true);
      if (!isServerKnown) onServer?.(version);
      isServerKnown = true;
      onListing(devices, isAnotherServer);
      isAnotherServer = false;
      await sleep(LEAST_BETWEEN_MS, signal);
      await this.#untilChanged(relistMs);
    }
  }
}

/** Does the list have all phones of the list before, in a lasting state? */
const isWhole = (devices: readonly ListedDevice[], before: readonly Expected[]): boolean =>
  before.every((expected) =>
    devices.some(
      (device) =>
        placeOf(device) === placeOf(expected) &&
        (device.state === expected.state || !isPassing(device.state)),
    ),
  );

/**
 * Reads the list, and finds out whether another server answers: by its version, and by the numbers of the connections.
 * Each server counts them up (AOSP adb/transport.cpp: NextTransportId), so that a new connection has a number above all
 * that were seen before.
 */
export class ListedServer {
  readonly #adb: Pick<Adb, 'listDevices' | 'version'>;
  #version: number | undefined;
  /** The numbers of the last list, by place. */
  #numbers = new Map<string, number>();
  #highest = 0;
  #last: readonly ListedDevice[] | undefined;

  constructor(adb: Pick<Adb, 'listDevices' | 'version'>) {
    this.#adb = adb;
  }

  /**
   * @returns the list; `isAnother`: it must be another server than before; `version` of its protocol, if that was read too
   * @throws {AdbUnavailableError}
   */
  async list(withVersion: boolean, signal: AbortSignal) {
    const before = this.#version;
    const [devices, version] = await Promise.all([
      this.#adb.listDevices(signal),
      withVersion ? this.#adb.version(signal).catch(() => undefined) : undefined,
    ]);
    this.#version = version ?? before;
    const isAnotherVersion = before !== undefined && version !== undefined && before !== version;
    return { devices, version, isAnother: this.#areNumbersOfAnother(devices) || isAnotherVersion };
  }

  #areNumbersOfAnother(devices: readonly ListedDevice[]): boolean {
    if (devices === this.#last) return false;
    this.#last = devices;
    const now = new Map<string, number>();
    for (const device of devices) {
      const place = placeOf(device);
      const number = device.transportId ?? this.#numbers.get(place); // a list may leave them out for a while
      if (number !== undefined) now.set(place, number);
    }
    const isAnother = [...now].some(
      ([place, number]) => number !== this.#numbers.get(place) && number <= this.#highest,
    );
    this.#numbers = now;
    this.#highest = Math.max(isAnother ? 0 : this.#highest, ...now.values());
    return isAnother;
  }
}

/** A server that fails for longer gets no more time than this, in units of `recoveryMs`. */
const LONGEST_RECOVERY = 3;

/**
 * How long to wait for missing phones after the adb server failed or was replaced: it lists its phones one by one. All
 * times are ms of the monotonic clock.
 */
export class Recovery {
  readonly #recoveryMs: number;
  #failingSince: number | undefined;
  /** When it first answered since the last failure or replacement. */
  #answeringSince: number | undefined;
  /** When it first answered since the last failure: a server that is replaced again and again gets no more time. */
  #recoveringSince: number | undefined;

  /** @param recoveryMs how long to wait after the first answer */
  constructor(recoveryMs: number) {
    this.#recoveryMs = recoveryMs;
  }

  /** True from a failure or replacement until `end`. */
  get isOpen(): boolean {
    return this.#failingSince !== undefined;
  }

  /** The server answers, but may be another one since `at`. */
  begin(at: number): void {
    this.#failingSince ??= at;
    this.#answeringSince = undefined;
  }

  /**
   * The server did not answer a request that began at `at`.
   *
   * @returns for how long it has been failing, ms
   */
  failed(at: number): number {
    this.begin(at);
    this.#recoveringSince = undefined;
    return performance.now() - (this.#failingSince ?? at);
  }

  /** The server has answered. May we still wait for phones that its list lacks? */
  mayWait(): boolean {
    const now = performance.now();
    this.#answeringSince ??= now;
    this.#recoveringSince ??= now;
    return (
      now - this.#answeringSince < this.#recoveryMs &&
      now - this.#recoveringSince < LONGEST_RECOVERY * this.#recoveryMs
    );
  }

  end(): void {
    this.#failingSince = undefined;
    this.#answeringSince = undefined;
    this.#recoveringSince = undefined;
  }
}
