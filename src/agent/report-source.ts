/** The phones in the cloud's shape, and which of them changed since their last report. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { isToReport } from '../roster/device-changes.ts';
import type { AdbHealth } from './adb-health.ts';
import type { AgentServices, ReportedPhone, ReportedPhones } from './options.ts';

export interface ReportSourceOptions
  extends Pick<AgentServices, 'roster' | 'probePool' | 'hostReport' | 'reported' | 'log'> {
  adbHealth: Pick<AdbHealth, 'state'>;
}

export class ReportSource {
  readonly #options: ReportSourceOptions;
  readonly #reported = new Map<string, ReportedPhone>();
  /** Attached phones that the log does not list since a reload. */
  readonly #unlisted: Set<string>;
  #hasPrepared = false;

  constructor(options: ReportSourceOptions) {
    this.#options = options;
    for (const [udid, phone] of options.reported ?? [])
      this.#reported.set(udid, { ...phone, isPresumed: true });
    this.#unlisted = new Set(options.reported?.keys());
  }

  get reported(): ReportedPhones {
    return this.#reported;
  }

  /** A full report was about to be sent since this agent began. */
  get hasPrepared(): boolean {
    return this.#hasPrepared;
  }

  /** The cloud has all phones from an earlier run: until they are reported, only another connection is a change. */
  presume(): void {
    for (const info of this.#devices() ?? []) this.#note(info, true);
  }

  /** Has this phone changed since it was last reported? From now on it counts as reported. */
  noteChange(udid: string): boolean {
    const [info] = this.#devices(new Set([udid])) ?? [];
    if (info === undefined) return false;
    const isPresumed = this.#reported.get(udid)?.isPresumed ?? false;
    const change = this.#note(info, isPresumed);
    return this.#isToReport(info) && (change === 'connection' || (change === 'content' && !isPresumed));
  }

  /**
   * The phones for a report that is about to be sent: all, or those named, in the cloud's shape.
   *
   * @returns undefined while adb cannot be reached: an empty list would say that no phone is plugged in
   */
  prepare(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    const known = this.#devices(udids);
    if (udids === undefined) this.#hasPrepared = true;
    for (const info of known ?? []) this.#note(info, false);
    const devices = known?.filter((info) => this.#isToReport(info));
    this.#options.roster.phones.announced(devices?.map(({ udid }) => udid) ?? []);
    return devices;
  }

  forget(udid: string): void {
    this.#reported.delete(udid);
  }

  #devices(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    return this.#options.adbHealth.state === 'listed' ? this.#options.hostReport.devices(udids) : undefined;
  }

  #isToReport({ udid }: DeviceInfo): boolean {
    const device = this.#options.roster.get(udid);
    return device !== undefined && isToReport(device);
  }

  /**
   * Notes how a phone is reported, and logs its connection where that changed.
   *
   * @returns what of it was reported otherwise before; `content`: its message, whether it is hidden, or that it has facts
   */
  #note(info: DeviceInfo, isPresumed: boolean): 'connection' | 'content' | undefined {
    const { udid, status, message, isHidden } = info;
    const hasFacts = Object.keys(this.#options.probePool.facts(udid)).length > 0;
    const before = this.#reported.get(udid);
    this.#reported.set(udid, { info, hasFacts, isPresumed });
    const isUnlisted = this.#unlisted.delete(udid) && status === 'PLUGGED';
    if (before && isConnectedAlike(before.info, info)) {
      if (isUnlisted) this.#logConnection(info);
      const isSame =
        before.info.message === message && before.info.isHidden === isHidden && before.hasFacts === hasFacts;
      return isSame ? undefined : 'content';
    }
    const wasUnpluggedBefore = before === undefined && status === 'UNPLUGGED'; // an earlier run has logged it
    if (!wasUnpluggedBefore) this.#logConnection(info);
    return 'connection';
  }

  #logConnection({ udid, status, state, message, deviceName }: DeviceInfo): void {
    const { roster, hostReport, log } = this.#options;
    const device = roster.get(udid);
    const slot = device && hostReport.slotOf(device);
    const remedy = message === '' ? undefined : message;
    log.info(
      omitUndefined({ udid, serial: device?.serial ?? '', slot, state, deviceName, remedy }),
      status === 'PLUGGED' ? 'phone attached' : 'phone unplugged',
    );
  }
}

function isConnectedAlike(one: DeviceInfo, other: DeviceInfo): boolean {
  const connectionOf = ({ status, state, adbTunnelInfo }: DeviceInfo) =>
    JSON.stringify([status, state, adbTunnelInfo]);
  return one === other || connectionOf(one) === connectionOf(other);
}
