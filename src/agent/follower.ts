/**
 * Follows adb's list of phones for as long as the agent runs: events for speed, the list as the truth.
 *
 * The server's event stream only says "look again": it is lost when the server dies, and two phones of one serial
 * are one to it. The list is read after each event and every few seconds besides, which also shows a server that
 * accepts connections and answers nothing.
 */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { isPassing } from '../adb/passing-state.ts';
import { placeOf } from '../roster/udid.ts';
import { sleep } from '../sleep.ts';
import { Hint } from './hint.ts';

export interface FollowerOptions {
  adb: Adb;
  signal: AbortSignal;
  /** What was attached when an earlier run ended: the server may have just been started, like the host. */
  expected?: readonly Expected[];
  /** adb's list, each time it was read. */
  onListing(devices: ListedDevice[]): void;
  /** The server answers for the first time, or may be another one than before. */
  onServer?(): void;
  /** The list could not be read; called for each try that failed. */
  onLost(error: unknown): void;
  /** Between two readings without an event, ms. */
  relistMs: number;
  /** A server that has just come back lists its phones one by one: for so long what is missing may be on its way, ms. */
  recoveryMs: number;
}

type Expected = Pick<ListedDevice, 'serial' | 'devpath' | 'state'>;

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** Between two readings, however many events there are, ms. */
const LEAST_BETWEEN_MS = 50;
/** A server that breaks off again and again is waited for no longer than so many recoveries. */
const LONGEST_RECOVERY = 3;
/** A restart of the server takes a moment: before it counts as lost, ms. */
const LOST_AFTER_MS = 500;

/** Runs until the signal fires; never throws. */
export async function followDevices(options: FollowerOptions): Promise<void> {
  const events: Events = { changed: new Hint(), hasBrokenOff: false };
  await Promise.all([watch(options, events), list(options, events)]);
}

/** What the event stream says. */
interface Events {
  readonly changed: Hint;
  /** It has broken off since the list was last read: the server may be another one, that was quick to come. */
  hasBrokenOff: boolean;
}

async function watch({ adb, signal }: FollowerOptions, events: Events): Promise<void> {
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    await adb
      .watchDevices(() => {
        retryMs = FIRST_RETRY_MS;
        events.changed.raise();
      }, signal)
      .catch(() => {
        events.hasBrokenOff = true;
        events.changed.raise(); // what is wrong, the list will say
      });
    await sleep(retryMs, signal);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  }
}

async function list(options: FollowerOptions, events: Events): Promise<void> {
  const { changed } = events;
  const { adb, signal, onListing, onServer, onLost, relistMs, recoveryMs } = options;
  let isKnown = false;
  let retryMs = FIRST_RETRY_MS;
  let before: readonly Expected[] = options.expected ?? [];
  // what is expected may be on its way, as after a failure
  let failingSince: number | undefined = before.length > 0 ? performance.now() : undefined;
  let recoveredAt: number | undefined;
  let recoveringSince: number | undefined;
  while (!signal.aborted) {
    const askedAt = performance.now();
    let devices: ListedDevice[];
    try {
      devices = await adb.listDevices(signal);
    } catch (error) {
      if (signal.aborted) return;
      failingSince ??= askedAt;
      recoveredAt = undefined;
      recoveringSince = undefined;
      if (performance.now() - failingSince >= LOST_AFTER_MS) onLost(error);
      await sleep(retryMs, signal);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      continue;
    }
    if (events.hasBrokenOff) {
      events.hasBrokenOff = false;
      failingSince ??= askedAt;
      recoveredAt = undefined;
    }
    if (failingSince !== undefined) {
      const now = performance.now();
      recoveredAt ??= now;
      recoveringSince ??= now;
      const isInTime =
        now - recoveredAt < recoveryMs && now - recoveringSince < LONGEST_RECOVERY * recoveryMs;
      if (isInTime && !isWhole(devices, before)) {
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
    onListing(devices);
    if (!isKnown) onServer?.();
    isKnown = true;
    await sleep(LEAST_BETWEEN_MS, signal);
    await changed.wait(relistMs, signal);
  }
}

/** Are all the phones there that were there before, and no longer on their way? */
const isWhole = (devices: readonly ListedDevice[], before: readonly Expected[]): boolean =>
  before.every((expected) =>
    devices.some(
      (device) =>
        placeOf(device) === placeOf(expected) &&
        (device.state === expected.state || !isPassing(device.state)),
    ),
  );
