/** How the cloud is told of the phones: as what, what of it is news, and what it has stored. */

import type { Logger } from '../base/log.ts';
import type { DeviceInfo } from '../cloud/contract.ts';
import type { HostReport } from '../report/host-report.ts';
import type { Roster } from '../roster/roster.ts';
import type { AdbHealth } from './adb-health.ts';
import { News } from './news.ts';
import type { ProbePool } from './probe-pool.ts';

export interface ReportSourceOptions {
  roster: Roster;
  probePool: ProbePool;
  hostReport: HostReport;
  adbHealth: Pick<AdbHealth, 'state'>;
  log: Logger;
}

export class ReportSource {
  readonly #options: ReportSourceOptions;
  readonly #news: News;

  constructor(options: ReportSourceOptions) {
    this.#options = options;
    this.#news = new News(options.log);
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
    this.#news.forget(udid);
  }

  #devices(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    const { adbHealth, hostReport } = this.#options;
    return adbHealth.state === 'listed' ? hostReport.devices(udids) : undefined;
  }

  #note(info: DeviceInfo): boolean {
    const { roster, probePool, hostReport } = this.#options;
    const device = roster.get(info.udid);
    const hasFacts = Object.keys(probePool.facts(info.udid)).length > 0;
    return this.#news.note(info, device?.serial ?? '', hasFacts, device && hostReport.slotOf(device));
  }
}
