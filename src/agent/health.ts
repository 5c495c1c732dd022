/** How the agent is doing, for those who look on from the side. */

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
  /** Whether adb's list can be read; `unasked` until the first try has ended. */
  adb: 'unasked' | 'listed' | 'lost';
  /** A word for each phone that is attached: `answers`, `silent`, `not asked yet`, else adb's state. */
  phones: readonly string[];
  /** Or why nothing is reported. */
  reports: ReportHealth | { notReporting: string };
}
