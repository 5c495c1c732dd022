/** The agent at one instant, for the status. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import type { PhoneInput } from '../diagnosis/rule-input.ts';
import type { Snapshot } from '../probe/snapshot.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { AdbSummary } from './adb-health.ts';
import type { Bookings } from './bookings.ts';
import type { ReportSummary } from './cloud-health.ts';
import type { AgentServices } from './options.ts';
import type { Reporter } from './reporter.ts';

export interface AgentState {
  nodeId: string;
  adb: AdbSummary;
  /** adb has listed its phones since the agent began: before that it is not known which are attached. */
  hasListed: boolean;
  reports: ReportSummary | { notReporting: string };
  nextReportMs: number;
  /** USB ports at which adb lists a phone, ignored ones too: `1-4.2`. */
  usbPorts: readonly string[];
  phones: readonly PhoneState[];
}

export interface PhoneState
  extends Pick<PhoneInput, 'wants' | 'silentSince' | 'alsoAt' | 'refused' | 'isBookedAndGone'> {
  device: RosterDevice;
  /** As it is reported. */
  info: DeviceInfo;
  /** What a person has to do, whatever the report says; empty when it needs nobody. */
  remedy: string;
  /** The slot in which it sits, or was last. */
  slot?: string;
  /** Its last snapshot, while that counts. */
  snapshot?: Snapshot;
  isSilent: boolean;
}

type PhonesSource = Pick<AgentServices, 'roster' | 'hostReport' | 'probePool'> & {
  reporter?: Reporter | undefined;
  bookings?: Bookings | undefined;
};

/** All phones of the roster, without ignored ones. */
export function phonesOf({ roster, hostReport, probePool, reporter, bookings }: PhonesSource): PhoneState[] {
  const infos = new Map(hostReport.devices().map((info) => [info.udid, info]));
  const { alsoAt } = roster;
  return roster.devices.flatMap((device) => {
    const { udid } = device;
    const info = infos.get(udid);
    const silentSince = probePool.silentSince(udid);
    if (info === undefined || device.supersededBy !== undefined || hostReport.isIgnored(device)) return [];
    return omitUndefined({
      device,
      info,
      remedy: hostReport.remedyOf(udid),
      slot: hostReport.slotOf(device),
      wants: hostReport.wantsOf(device),
      snapshot: probePool.snapshot(udid),
      isSilent: silentSince !== undefined,
      silentSince,
      alsoAt: alsoAt.get(udid),
      refused: reporter?.refusal(udid),
      isBookedAndGone: bookings?.isBookedAndGone(udid) || undefined,
    });
  });
}
