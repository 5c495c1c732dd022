/** How the agent is doing, for those who look on from the side. */
import type { AdbView } from './adb-health.ts';
import type { Wiring } from './wiring.ts';

/** How the reports go. */
export interface ReportHealth {
  /** Since the cloud last stored a report, ms. */
  storedAgoMs?: number;
  /** What the last attempt failed of; absent while the cloud takes reports. */
  failure?: string;
  /** For how long no attempt has succeeded, ms. */
  failingForMs?: number;
}

export interface AgentHealth {
  adb: AdbView;
  /** A word for each phone that is attached: `answers`, `silent`, `not asked yet`, else adb's state. */
  phones: readonly string[];
  /** Or why nothing is reported. */
  reports: ReportHealth | { notReporting: string };
}

/** Why nothing is reported where nobody wants it to be. */
export const NO_CLOUD = 'no cloud configured';

export function healthOf({ adbHealth, cloudHealth, roster, probePool, hostReport }: Wiring): AgentHealth {
  const attached = roster.devices.filter((device) => device.attached && !hostReport.isIgnored(device));
  return {
    adb: adbHealth.view,
    phones: attached.map(({ udid, state }) => {
      if (state !== 'device') return state;
      if (probePool.isSilent(udid)) return 'silent';
      return probePool.snapshot(udid) ? 'answers' : 'not asked yet';
    }),
    reports: cloudHealth.health,
  };
}
