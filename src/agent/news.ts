import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { DeviceInfo } from '../cloud/contract.ts';

interface Told {
  info: DeviceInfo;
  hasFacts: boolean;
  connection: string;
  text: string;
}

/** How each phone was when it was last told of: only news is told, and each change of its connection logged once. */
export class News {
  readonly #log: Logger;
  readonly #told = new Map<string, Told>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * Takes note of how a phone is told of, and logs how it is connected where that changed.
   *
   * @param hasFacts the phone itself has answered
   * @param slot where it sits, or was last
   * @returns whether it was told otherwise before
   */
  note(info: DeviceInfo, serial: string, hasFacts: boolean, slot?: string): boolean {
    const { udid, status, state, message, adbTunnelInfo, deviceName } = info;
    const before = this.#told.get(udid);
    if (before?.info === info && before.hasFacts === hasFacts) return false;
    const connection = JSON.stringify([status, state, adbTunnelInfo]);
    const text = JSON.stringify([message, hasFacts]);
    this.#told.set(udid, { info, hasFacts, connection, text });
    if (before?.connection === connection) return before.text !== text;
    const wasGoneBefore = before === undefined && status === 'UNPLUGGED'; // an earlier run has said so
    if (!wasGoneBefore) {
      this.#log.info(
        omitUndefined({ udid, serial, slot, state, deviceName, todo: message === '' ? undefined : message }),
        status === 'PLUGGED' ? 'phone attached' : 'phone gone',
      );
    }
    return true;
  }

  forget(udid: string): void {
    this.#told.delete(udid);
  }
}
