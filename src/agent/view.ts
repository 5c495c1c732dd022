/** The agent as those see it who look on from the side: all of it at one instant. */
import type { DeviceInfo } from '../cloud/contract.ts';
import type { Snapshot } from '../probe/phone-probe.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { AgentHealth } from './health.ts';

export interface AgentView {
  nodeId: string;
  adb: AdbView;
  reports: AgentHealth['reports'];
  /** Until the next full report is due, ms. */
  nextReportMs: number;
  /** All phones of the roster but those that the lab ignores. */
  phones: readonly PhoneView[];
}

export interface AdbView {
  /** Whether its list can be read; `unasked` until the first try has ended. */
  state: 'unasked' | 'listed' | 'lost';
  /** What the last try failed of, while it is lost. */
  failure?: string;
  /** Its protocol version, e.g. 41. */
  version?: number;
}

export interface PhoneView {
  device: RosterDevice;
  /** As the cloud is told of it. */
  info: DeviceInfo;
  /** The slot in which it sits, or was last. */
  slot?: string;
  /** What it said last, while that counts. */
  snapshot?: Snapshot;
  /** adb calls it `device`, and it does not answer. */
  isSilent: boolean;
  /** What the cloud said when it last refused it. */
  refused?: string;
}
