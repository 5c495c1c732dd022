import type { DeviceInfo, DevicesAnswer, DevicesBody, FailedDevice, Machine } from './contract.ts';
import { CloudTooLargeError } from './errors.ts';

/** Sends one body, with whatever retries there are. */
export type PutDevices = (body: DevicesBody, signal: AbortSignal) => Promise<DevicesAnswer>;

/** So many single devices are too large one after the other, and none fits: then it is not for their size. */
const MOST_TOO_LARGE = 3;

/**
 * Delivers a report in as many parts as the cloud wants. `PUT /devices` leaves the devices that it does not name as
 * they are, so parts add up to the whole.
 */
export class Delivery {
  readonly #put: PutDevices;
  /** Devices in one body: the size that worked since the cloud last said "too large". */
  #partSize = Number.POSITIVE_INFINITY;

  constructor(put: PutDevices) {
    this.#put = put;
  }

  /**
   * Sends all devices; without `devices`, the machine alone. A part that is too large (413) is halved, and the
   * size that worked is remembered for the next report. A single device that is too large is answered as failed.
   *
   * @throws what `put` throws; `CloudTooLargeError` only when it seems that no body at all is taken
   */
  async putAll(
    nodeId: string,
    machine: Machine,
    devices: readonly DeviceInfo[] | undefined,
    signal: AbortSignal,
  ): Promise<DevicesAnswer> {
    if (devices === undefined) return this.#put({ nodeId, machine }, signal);
    const waiting = split(devices, this.#partSize);
    const failedDevices: FailedDevice[] = [];
    const tooLarge: FailedDevice[] = [];
    let wasHalved = false;
    let largestTaken = 0;
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      try {
        const answer = await this.#put({ nodeId, machine, devices: part }, signal);
        failedDevices.push(...answer.failedDevices);
        largestTaken = Math.max(largestTaken, part.length);
      } catch (error) {
        if (!(error instanceof CloudTooLargeError) || part.length === 0) throw error;
        if (part.length === 1) {
          tooLarge.push(...part.map(tooLargeAlone));
          if (largestTaken === 0 && tooLarge.length === MOST_TOO_LARGE) throw error;
        } else {
          waiting.unshift(...split(part, Math.ceil(part.length / 2)));
          wasHalved = true;
        }
      }
    }
    // where no device was taken, perhaps no body is: the host itself at least has to be
    if (largestTaken === 0 && tooLarge.length > 0) await this.#put({ nodeId, machine }, signal);
    // one oversized device says nothing about how many of the others fit
    if (wasHalved && tooLarge.length === 0) this.#partSize = largestTaken;
    return { failedDevices: [...failedDevices, ...tooLarge] };
  }
}

const tooLargeAlone = (device: DeviceInfo): FailedDevice => ({
  udid: device.udid,
  message: `its report alone, ${Buffer.byteLength(JSON.stringify(device))} bytes, is too large for the cloud`,
});

/** Cuts a list into parts of at most `size`; an empty list is one empty part. */
function split<T>(list: readonly T[], size: number): T[][] {
  if (list.length <= size) return [[...list]];
  return [list.slice(0, size), ...split(list.slice(size), size)];
}
