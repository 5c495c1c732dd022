import { type AgentClient, MOST_UNSENT_KEPT } from './agent-client.ts';
import type { DeviceInfo, DevicesAnswer, FailedDevice, Machine } from './contract/report.ts';
import { CloudTooLargeError } from './errors.ts';

/** If this many single devices are too large in a row and none fits, their size is not the reason. */
const MOST_TOO_LARGE = 3;

/**
 * Sends a report in as many parts as the cloud needs. `PUT /devices` does not change the devices that it leaves out, so
 * the parts add up.
 */
export class Delivery {
  readonly #client: Pick<AgentClient, 'putDevices'>;
  /** Devices in one body: the size that worked since the cloud last said "too large". */
  #partSize = Number.POSITIVE_INFINITY;

  constructor(client: Pick<AgentClient, 'putDevices'>) {
    this.#client = client;
  }

  /**
   * Sends all devices; without `devices`, only the machine. Halves a part that is too large (413), and remembers the
   * size that worked for the next report. Returns a single device that is too large as failed.
   *
   * @throws what `putDevices` throws; `CloudTooLargeError` only when the cloud seems to accept no body at all
   */
  async putAll(
    nodeId: string,
    machine: Machine,
    devices: readonly DeviceInfo[] | undefined,
    signal: AbortSignal,
  ): Promise<DevicesAnswer> {
    if (devices === undefined) return this.#client.putDevices({ nodeId, machine }, signal);
    const waiting = split(devices, this.#partSize);
    const failedDevices = new Map<string, FailedDevice>(); // the first of each udid
    const mostFailed = devices.length + MOST_UNSENT_KEPT;
    const tooLarge: FailedDevice[] = [];
    let wasHalved = false;
    let largestAccepted = 0;
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      try {
        const answer = await this.#client.putDevices({ nodeId, machine, devices: part }, signal);
        for (const failed of answer.failedDevices)
          if (!failedDevices.has(failed.udid) && failedDevices.size < mostFailed)
            failedDevices.set(failed.udid, failed);
        largestAccepted = Math.max(largestAccepted, part.length);
      } catch (error) {
        if (!(error instanceof CloudTooLargeError) || part.length === 0) throw error;
        if (part.length === 1) {
          tooLarge.push(...part.map(tooLargeAlone));
          if (largestAccepted === 0 && tooLarge.length === MOST_TOO_LARGE) throw error;
        } else {
          waiting.unshift(...split(part, Math.ceil(part.length / 2)));
          wasHalved = true;
        }
      }
    }
    // no device was accepted: check that the cloud accepts at least the host itself
    if (largestAccepted === 0 && tooLarge.length > 0)
      await this.#client.putDevices({ nodeId, machine }, signal);
    // one oversized device says nothing about how many of the others fit
    if (wasHalved && tooLarge.length === 0) this.#partSize = largestAccepted;
    return { failedDevices: [...failedDevices.values(), ...tooLarge] };
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
