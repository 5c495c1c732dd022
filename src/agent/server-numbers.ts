import type { ListedDevice } from '../adb/adb.ts';
import { placeOf } from '../roster/udid.ts';

/**
 * Finds out by the numbers of the connections whether another server lists the phones: each server counts them up (AOSP
 * adb/transport.cpp: NextTransportId), so that a new connection has a number above all that were seen before.
 */
export class ServerNumbers {
  #numbers = new Map<string, number>();
  #highest = 0;
  #last: readonly ListedDevice[] | undefined;

  /** @returns whether this list must come from another server than the last one */
  areAnothers(listed: readonly ListedDevice[]): boolean {
    if (listed === this.#last) return false;
    this.#last = listed;
    const now = new Map(
      listed.flatMap((device) =>
        device.transportId === undefined ? [] : [[placeOf(device), device.transportId] as const],
      ),
    );
    const isAnother = [...now].some(
      ([place, number]) => number !== this.#numbers.get(place) && number <= this.#highest,
    );
    this.#numbers = now;
    this.#highest = Math.max(isAnother ? 0 : this.#highest, ...now.values());
    return isAnother;
  }
}
