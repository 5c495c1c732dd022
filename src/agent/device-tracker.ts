/**
 * Tracks adb's list of phones while the agent runs: events for speed, the list as the truth.
 *
 * The server's event stream only says "look again": it ends when the server dies, and it shows two phones with one
 * serial as one. So we read the list after each event, and every few seconds. That also finds a server that accepts
 * connections but does not answer.
 *
 * The stream may stay open although its server was replaced, as by a power cut of another host. So we also assume
 * another server when the version changes, or when connection numbers do not go up. And we read the list before we
 * collect phones (`fresh`).
 */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { isPassing } from '../adb/passing-state.ts';
import { sleep } from '../base/time.ts';
import { placeOf } from '../roster/udid.ts';
import type { FreshList } from './fresh-list.ts';
import { Recovery } from './recovery.ts';
import { ServerNumbers } from './server-numbers.ts';

export interface DeviceTrackerOptions {
  adb: Adb;
  signal: AbortSignal;
  /** What was attached when an earlier run ended: the server may have just been started, like the host. */
  expected?: readonly Expected[];
  /** The callers that want the list read at once. */
  fresh?: FreshList;
  /** adb's list, each time it was read. `isAnotherServer`: it may come from another server than the last one. */
  onListing(devices: readonly ListedDevice[], isAnotherServer: boolean): void;
  /**
   * The server answers for the first time, or it may be another server than before. Called before its list is given.
   *
   * @param version of its protocol, if that was read with the list
   */
  onServer?(version?: number): void;
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
/** A server that restarts fails for a moment: adb counts as lost only after this, ms. */
const LOST_AFTER_MS = 500;

/** Runs until the signal fires; never throws. */
export async function trackDevices(options: DeviceTrackerOptions): Promise<void> {
  const events: Events = {
    changed: new Flag(),
    isOpen: false,
    hasEnded: false,
    watching: new AbortController(),
  };
  options.fresh?.track(() => events.changed.raise());
  await Promise.all([watch(options, events), list(options, events)]);
  options.fresh?.end();
}

/** The state of the event stream. */
interface Events {
  readonly changed: Flag;
  /** It is open. While it is not, no event shows that the server was replaced. */
  isOpen: boolean;
  /** It has ended since the list was last read: another server may have started quickly. */
  hasEnded: boolean;
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
          events.hasEnded ||= wasBroken; // the server may have been replaced again while it was not open
          wasBroken = false;
          events.isOpen = true;
          events.changed.raise();
        },
        AbortSignal.any([signal, isOver]),
      )
      .catch(() => {
        wasBroken = true;
        events.isOpen = false;
        events.hasEnded ||= !isOver.aborted;
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
  const recovery = new Recovery(recoveryMs);
  let isServerKnown = false;
  let isAnotherServer = false;
  let retryMs = FIRST_RETRY_MS;
  let before: readonly Expected[] = options.expected ?? [];
  // adb may have just started, and list the expected phones one by one: like after a failure
  if (before.length > 0) recovery.begin(performance.now());
  while (!signal.aborted) {
    const startedAt = performance.now();
    const { hasEnded } = events;
    events.hasEnded = false;
    isAnotherServer ||= !events.isOpen;
    const reading = fresh?.begin();
    let listed: Listed;
    try {
      listed = await server.list(reading?.isWanted ?? false, signal);
    } catch (error) {
      reading?.done(false);
      if (signal.aborted) return;
      isAnotherServer = true;
      if (recovery.failed(startedAt) >= LOST_AFTER_MS) onLost(error);
      await sleep(retryMs, signal);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      continue;
    }
    const { devices } = listed;
    if (listed.isAnother) {
      events.watching.abort();
      events.watching = new AbortController();
    }
    if (hasEnded || listed.isAnother) {
      isAnotherServer = true;
      recovery.begin(startedAt);
    }
    if (recovery.isOpen) {
      if (recovery.mayWait() && !isWhole(devices, before)) {
        reading?.heldBack();
        await sleep(LEAST_BETWEEN_MS, signal);
        await changed.wait(FIRST_RETRY_MS, signal);
        continue;
      }
      recovery.end();
      retryMs = FIRST_RETRY_MS;
      isServerKnown = false;
    }
    before = devices;
    reading?.done(true);
    if (!isServerKnown) onServer?.(listed.version);
    isServerKnown = true;
    onListing(devices, isAnotherServer);
    isAnotherServer = false;
    await sleep(LEAST_BETWEEN_MS, signal);
    await changed.wait(relistMs, signal);
  }
}

/** A flag that one side raises and the other waits for. Raised twice before it is read, it counts once. */
class Flag {
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
  devices: readonly ListedDevice[];
  /** It must be another server than before. */
  isAnother: boolean;
  /** Of its protocol, if that was read too. */
  version?: number;
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
    const [devices, version] = await Promise.all([
      this.#adb.listDevices(signal),
      withVersion ? this.#adb.version(signal).catch(() => undefined) : undefined,
    ]);
    this.#version = version ?? before;
    const isAnotherVersion = before !== undefined && version !== undefined && before !== version;
    const isAnother = this.#numbers.areAnothers(devices) || isAnotherVersion;
    return { devices, isAnother, ...(version !== undefined && { version }) };
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
