/** How the cloud is told of the phones: as what, what of it is news, and what it has stored. */

import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { DeviceInfo } from '../cloud/contract.ts';
import type { HostReport } from '../report/host-report.ts';
import type { Roster } from '../roster/roster.ts';
import type { AdbHealth } from './adb-health.ts';
import type { ProbePool } from './probe-pool.ts';

export interface ReportSourceOptions {
  roster: Roster;
  probePool: ProbePool;
  hostReport: HostReport;
  adbHealth: Pick<AdbHealth, 'state'>;
  log: Logger;
}

/** How a phone was last reported: only a change is reported out of turn. */
interface ReportedPhone {
  info: DeviceInfo;
  hasFacts: boolean;
  connection: string;
  message: string;
}

export class ReportSource {
  readonly #options: ReportSourceOptions;
  /** How each phone was last reported, by udid. */
  readonly #reported = new Map<string, ReportedPhone>();

  constructor(options: ReportSourceOptions) {
    this.#options = options;
  }

  /** Every phone that is still known. */
  get knownUdids(): ReadonlySet<string> {
    return new Set(this.#options.roster.devices.map(({ udid }) => udid));
  }

  /** Is this phone otherwise than it was told last? Asked once: it counts as told from then on. */
  isNews(udid: string): boolean {
    const [info] = this.#devices(new Set([udid])) ?? [];
    return info !== undefined && this.#note(info);
  }

  /**
   * The phones for a report that is about to be sent: all, or those named, in the cloud's shape.
   *
   * @returns undefined while adb cannot be asked: an empty list would be a claim
   */
  announce(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    const devices = this.#devices(udids);
    for (const info of devices ?? []) this.#note(info);
    this.#options.roster.announced(devices?.map(({ udid }) => udid) ?? []);
    return devices;
  }

  /**
   * The cloud has stored these, as they were sent, less those that it refused. A name that it was told is gone for good,
   * or never took, is forgotten here too.
   */
  settled(devices: readonly DeviceInfo[], refused: ReadonlySet<string>): void {
    const { roster } = this.#options;
    roster.stored(devices.filter(({ udid }) => !refused.has(udid)));
    roster.refused(refused);
    for (const { udid } of devices) if (roster.get(udid) === undefined) this.forget(udid);
  }

  forget(udid: string): void {
    this.#reported.delete(udid);
  }

  #devices(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    const { adbHealth, hostReport } = this.#options;
    return adbHealth.state === 'listed' ? hostReport.devices(udids) : undefined;
  }

  /**
   * Notes how a phone is reported, and logs its connection where that changed.
   *
   * @returns whether it was reported otherwise before
   */
  #note(info: DeviceInfo): boolean {
    const { udid, status, state, message, adbTunnelInfo } = info;
    const hasFacts = Object.keys(this.#options.probePool.facts(udid)).length > 0;
    const before = this.#reported.get(udid);
    if (before?.info === info && before.hasFacts === hasFacts) return false;
    const connection = JSON.stringify([status, state, adbTunnelInfo]);
    this.#reported.set(udid, { info, hasFacts, connection, message });
    if (before?.connection === connection) return before.message !== message || before.hasFacts !== hasFacts;
    const wasUnpluggedBefore = before === undefined && status === 'UNPLUGGED'; // an earlier run has logged it
    if (!wasUnpluggedBefore) this.#logConnection(info);
    return true;
  }

  #logConnection({ udid, status, state, message, deviceName }: DeviceInfo): void {
    const { roster, hostReport, log } = this.#options;
    const device = roster.get(udid);
    const slot = device && hostReport.slotOf(device);
    const todo = message === '' ? undefined : message;
    log.info(
      omitUndefined({ udid, serial: device?.serial ?? '', slot, state, deviceName, todo }),
      status === 'PLUGGED' ? 'phone attached' : 'phone gone',
    );
  }
}
