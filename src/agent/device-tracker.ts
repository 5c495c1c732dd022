/**
 * Follows adb's list of phones for as long as the agent runs: events for speed, the list as the truth.
 *
 * The server's event stream only says "look again": it is lost when the server dies, and two phones of one serial
 * are one to it. The list is read after each event and every few seconds besides, which also finds a server that
 * accepts connections and answers nothing.
 *
 * The stream may also stay open when its server was replaced, on another host by a power cut. So a change of the
 * server's version, or numbers of connections that do not go up, count for another server as well as a stream that breaks
 * off; and before phones are collected, the list is read (`fresh`).
 */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { isPassing } from '../adb/passing-state.ts';
import { sleep } from '../base/time.ts';
import { placeOf } from '../roster/udid.ts';
import type { FreshList } from './fresh-list.ts';
import { ServerNumbers } from './server-numbers.ts';

export interface DeviceTrackerOptions {
  adb: Adb;
  signal: AbortSignal;
  /** What was attached when an earlier run ended: the server may have just been started, like the host. */
  expected?: readonly Expected[];
  /** Who wants the list read at once. */
  fresh?: FreshList;
  /** adb's list, each time it was read. `isAnotherServer`: it may be another one's than the list before. */
  onListing(devices: ListedDevice[], isAnotherServer: boolean): void;
  /** The server answers for the first time, or may be another one than before. */
  onServer?(): void;
  /** The list could not be read; called for each try that failed. */
  onLost(error: unknown): void;
  /** Between two readings without an event, ms. */
  relistMs: number;
  /** A server that has just come back lists its phones one by one: how long to wait for missing ones, ms. */
  recoveryMs: number;
}

type Expected = Pick<ListedDevice, 'serial' | 'devpath' | 'state'>;

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** Between two readings, however many events there are, ms. */
const LEAST_BETWEEN_MS = 50;
/** Longest wait for a server that breaks off again and again, in recoveries. */
const LONGEST_RECOVERY = 3;
/** A restart of the server takes a moment: before it counts as lost, ms. */
const LOST_AFTER_MS = 500;

/** Runs until the signal fires; never throws. */
export async function trackDevices(options: DeviceTrackerOptions): Promise<void> {
  const events: Events = {
    changed: new Hint(),
    isOpen: false,
    hasBrokenOff: false,
    watching: new AbortController(),
  };
  options.fresh?.follow(() => events.changed.raise());
  await Promise.all([watch(options, events), list(options, events)]);
  options.fresh?.end();
}

/** The state of the event stream. */
interface Events {
  readonly changed: Hint;
  /** It is open. While it is not, no event shows that the server was replaced. */
  isOpen: boolean;
  /** It has broken off since the list was last read: the server may be another one, that was quick to come. */
  hasBrokenOff: boolean;
  /** Ends the stream: it comes from a server that was replaced. */
  watching: AbortController;
}

async function watch({ adb, signal }: DeviceTrackerOptions, events: Events): Promise<void> {
  let retryMs = FIRST_RETRY_MS;
  let wasBroken = false;
  while (!signal.aborted) {
    const { signal: isOver } = events.watching;
    await adb
      .watchDevices(
        () => {
          retryMs = FIRST_RETRY_MS;
          events.hasBrokenOff ||= wasBroken; // once more, perhaps, while it was not open
          wasBroken = false;
          events.isOpen = true;
          events.changed.raise();
        },
        AbortSignal.any([signal, isOver]),
      )
      .catch(() => {
        wasBroken = true;
        events.isOpen = false;
        events.hasBrokenOff ||= !isOver.aborted;
        events.changed.raise(); // the list will show what is wrong
      });
    await sleep(retryMs, signal);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  }
}

async function list(options: DeviceTrackerOptions, events: Events): Promise<void> {
  const { changed } = events;
  const { adb, fresh, signal, onListing, onServer, onLost, relistMs, recoveryMs } = options;
  const server = new Server(adb);
  let isKnown = false;
  let isAnotherServer = false;
  let retryMs = FIRST_RETRY_MS;
  let before: readonly Expected[] = options.expected ?? [];
  // what is expected may be on its way, as after a failure
  let failingSince: number | undefined = before.length > 0 ? performance.now() : undefined;
  let recoveredAt: number | undefined;
  let recoveringSince: number | undefined;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { hasBrokenOff } = events;
    events.hasBrokenOff = false;
    isAnotherServer ||= !events.isOpen;
    const reading = fresh?.begin();
    let listed: Listed;
    try {
      listed = await server.list(reading?.isWanted ?? false, signal);
    } catch (error) {
      reading?.done(false);
      if (signal.aborted) return;
      isAnotherServer = true;
      failingSince ??= startedAt;
      recoveredAt = undefined;
      recoveringSince = undefined;
      if (performance.now() - failingSince >= LOST_AFTER_MS) onLost(error);
      await sleep(retryMs, signal);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      continue;
    }
    const { devices } = listed;
    if (listed.isAnother) {
      events.watching.abort();
      events.watching = new AbortController();
    }
    if (hasBrokenOff || listed.isAnother) {
      isAnotherServer = true;
      failingSince ??= startedAt;
      recoveredAt = undefined;
    }
    if (failingSince !== undefined) {
      const now = performance.now();
      recoveredAt ??= now;
      recoveringSince ??= now;
      const isInTime =
        now - recoveredAt < recoveryMs && now - recoveringSince < LONGEST_RECOVERY * recoveryMs;
      if (isInTime && !isWhole(devices, before)) {
        reading?.heldBack();
        await sleep(LEAST_BETWEEN_MS, signal);
        await changed.wait(FIRST_RETRY_MS, signal);
        continue;
      }
      failingSince = undefined;
      recoveredAt = undefined;
      recoveringSince = undefined;
      retryMs = FIRST_RETRY_MS;
      isKnown = false;
    }
    before = devices;
    reading?.done(true);
    onListing(devices, isAnotherServer);
    isAnotherServer = false;
    if (!isKnown) onServer?.();
    isKnown = true;
    await sleep(LEAST_BETWEEN_MS, signal);
    await changed.wait(relistMs, signal);
  }
}

/** A flag that one side raises and the other waits for. Raised twice before it is read, it counts once. */
class Hint {
  #raised = false;
  #wake: (() => void) | undefined;

  raise(): void {
    this.#raised = true;
    this.#wake?.();
  }

  /** Waits until it is raised, `ms` have passed or the signal fires, and lowers it. Never throws. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#raised && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', this.#wake, { once: true });
      });
      if (this.#wake) signal.removeEventListener('abort', this.#wake);
      this.#wake = undefined;
    }
    this.#raised = false;
  }
}

interface Listed {
  devices: ListedDevice[];
  /** Another server must have taken the place of the one before. */
  isAnother: boolean;
}

/** Reads the list, and notices when another server answers. */
class Server {
  readonly #adb: Adb;
  readonly #numbers = new ServerNumbers();
  #version: number | undefined;

  constructor(adb: Adb) {
    this.#adb = adb;
  }

  /** @throws {AdbUnavailableError} */
  async list(withVersion: boolean, signal: AbortSignal): Promise<Listed> {
    const before = this.#version;
    const [devices, version = before] = await Promise.all([
      this.#adb.listDevices(signal),
      withVersion ? this.#adb.version(signal).catch(() => undefined) : undefined,
    ]);
    this.#version = version;
    const isAnotherVersion = before !== undefined && before !== version;
    return { devices, isAnother: this.#numbers.areAnothers(devices) || isAnotherVersion };
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
