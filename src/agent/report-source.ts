/** The phones in the cloud's shape, and which of them changed since their last report. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import type { AdbHealth } from './adb-health.ts';
import type { AgentContext } from './context.ts';

type SourceContext = Pick<AgentContext, 'roster' | 'probePool' | 'hostReport' | 'log'>;

/** How a phone was last reported: only a change is reported out of turn. */
interface ReportedPhone {
  info: DeviceInfo;
  hasFacts: boolean;
  connection: string;
  message: string;
}

export class ReportSource {
  readonly #context: SourceContext;
  readonly #adbHealth: Pick<AdbHealth, 'state'>;
  /** How each phone was last reported, by udid. */
  readonly #reported = new Map<string, ReportedPhone>();
  /** Phones that only an earlier run reported: the cloud has them, perhaps with other facts and another message. */
  readonly #presumed = new Set<string>();
  #hasPrepared = false;

  constructor(context: SourceContext, adbHealth: Pick<AdbHealth, 'state'>) {
    this.#context = context;
    this.#adbHealth = adbHealth;
  }

  /** A full report was about to be sent since this agent began. */
  get hasPrepared(): boolean {
    return this.#hasPrepared;
  }

  /** The cloud has all phones from an earlier run: until they are reported, only another connection is a change. */
  presume(): void {
    for (const info of this.#devices() ?? []) {
      this.#note(info);
      this.#presumed.add(info.udid);
    }
  }

  /** Has this phone changed since it was last reported? From now on it counts as reported. */
  noteChange(udid: string): boolean {
    const [info] = this.#devices(new Set([udid])) ?? [];
    if (info === undefined) return false;
    const before = this.#reported.get(udid);
    const hasChanged = this.#note(info);
    const isConnectedAlike = before?.connection === this.#reported.get(udid)?.connection;
    return hasChanged && !(isConnectedAlike && this.#presumed.has(udid));
  }

  /**
   * The phones for a report that is about to be sent: all, or those named, in the cloud's shape.
   *
   * @returns undefined while adb cannot be reached: an empty list would say that no phone is plugged in
   */
  prepare(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    const devices = this.#devices(udids);
    if (udids === undefined) this.#hasPrepared = true;
    for (const info of devices ?? []) {
      this.#note(info);
      this.#presumed.delete(info.udid);
    }
    this.#context.roster.phones.announced(devices?.map(({ udid }) => udid) ?? []);
    return devices;
  }

  forget(udid: string): void {
    this.#reported.delete(udid);
    this.#presumed.delete(udid);
  }

  #devices(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    return this.#adbHealth.state === 'listed' ? this.#context.hostReport.devices(udids) : undefined;
  }

  /**
   * Notes how a phone is reported, and logs its connection where that changed.
   *
   * @returns whether it was reported otherwise before
   */
  #note(info: DeviceInfo): boolean {
    const { udid, status, state, message, adbTunnelInfo } = info;
    const hasFacts = Object.keys(this.#context.probePool.facts(udid)).length > 0;
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
    const { roster, hostReport, log } = this.#context;
    const device = roster.get(udid);
    const slot = device && hostReport.slotOf(device);
    const remedy = message === '' ? undefined : message;
    log.info(
      omitUndefined({ udid, serial: device?.serial ?? '', slot, state, deviceName, remedy }),
      status === 'PLUGGED' ? 'phone attached' : 'phone unplugged',
    );
  }
}
