/**
 * Follows adb's list of phones for as long as the agent runs: events for speed, the list as the truth.
 *
 * The server's event stream only says "look again": it is lost when the server dies, and two phones of one serial
 * are one to it. The list is read after each event and every few seconds besides, which also shows a server that
 * accepts connections and answers nothing.
 */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { Hint } from './hint.ts';

export interface FollowerOptions {
  adb: Adb;
  signal: AbortSignal;
  /** adb's list, each time it was read. */
  onListing(devices: ListedDevice[]): void;
  /** The list could not be read; called for each try that failed. */
  onLost(error: unknown): void;
  /** Between two readings without an event, ms. */
  relistMs?: number;
}

const RELIST_MS = 5_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 2_000;
/** A server that has just come back lists its phones one by one: for so long what is missing may be on its way, ms. */
const RECOVERY_MS = 3_000;

/** Runs until the signal fires; never throws. */
export async function followDevices(options: FollowerOptions): Promise<void> {
  const changed = new Hint();
  await Promise.all([watch(options, changed), list(options, changed)]);
}

async function watch({ adb, signal }: FollowerOptions, changed: Hint): Promise<void> {
  const pause = new Hint();
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    await adb
      .watchDevices(() => {
        retryMs = FIRST_RETRY_MS;
        changed.raise();
      }, signal)
      .catch(() => changed.raise()); // what is wrong, the list will say
    await pause.wait(retryMs, signal);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  }
}

async function list(options: FollowerOptions, changed: Hint): Promise<void> {
  const { adb, signal, onListing, onLost, relistMs = RELIST_MS } = options;
  const pause = new Hint();
  let retryMs = FIRST_RETRY_MS;
  let before: ListedDevice[] = [];
  let recoveredAt: number | undefined;
  while (!signal.aborted) {
    let devices: ListedDevice[];
    try {
      devices = await adb.listDevices(signal);
    } catch (error) {
      if (signal.aborted) return;
      recoveredAt = undefined;
      if (retryMs >= FIRST_RETRY_MS * 4) onLost(error); // a restart of the server takes a moment
      await pause.wait(retryMs, signal);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      continue;
    }
    if (retryMs > FIRST_RETRY_MS) {
      recoveredAt ??= performance.now();
      const isWhole = before.every(({ serial, devpath }) =>
        devices.some(
          (device) => device.serial === serial && device.devpath === devpath && device.state !== 'offline',
        ),
      );
      if (!isWhole && performance.now() - recoveredAt < RECOVERY_MS) {
        await changed.wait(FIRST_RETRY_MS, signal);
        continue;
      }
      retryMs = FIRST_RETRY_MS;
    }
    before = devices;
    onListing(devices);
    await changed.wait(relistMs, signal);
  }
}
