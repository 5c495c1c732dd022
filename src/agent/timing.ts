import type { Logger } from '../base/log.ts';

/** The delays of the agent, ms; tests set shorter ones. */
export interface AgentTiming {
  /** How long a phone has to stay unchanged before its change is reported. */
  quietMs: number;
  /** The same for a phone that turned `offline`: adbd is offline for a second or two when it restarts. */
  quietOfflineMs: number;
  /** Longest debounce after the first change, for a phone that never calms down. */
  longestDebounceMs: number;
  /** How long the report of a debounced phone waits for its facts. */
  factsWaitMs: number;
  /** How long a full report waits for the phones, and never over half a period; slower ones follow on their own. */
  roundWaitMs: number;
  /** A host whose phones the cloud has sends its first report at its place in this time; 0: at once. */
  firstReportMs: number;
  /** Between two readings of adb's list without an event. */
  relistMs: number;
  /** How long to wait for missing phones when an adb server has just come back: it lists them one by one. */
  recoveryMs: number;
  /** Delay before a phone that is starting, locked or broke off is collected again, … */
  collectSoonMs: number;
  /** … and how many times in a row. */
  collectSoonTimes: number;
  /** Between two tries to start an adb server. */
  startAdbEveryMs: number;
  /** A phone that is still connecting is told of after this time only: mostly it has another state by then. */
  passingMs: number;
  /** Delay before the first retry of a refused device; it doubles with each refusal. */
  firstRefusalDelayMs: number;
  /** How long a running conversation may go on after the stop began, … */
  stopCollectingMs: number;
  /** … and the round as a whole. */
  stopMs: number;
}

export const standardTiming: AgentTiming = {
  quietMs: 250,
  quietOfflineMs: 700,
  longestDebounceMs: 5_000,
  factsWaitMs: 400,
  roundWaitMs: 10_000,
  firstReportMs: 60_000,
  relistMs: 10_000,
  recoveryMs: 3_000,
  collectSoonMs: 5_000,
  collectSoonTimes: 60,
  startAdbEveryMs: 30_000,
  passingMs: 5_000,
  firstRefusalDelayMs: 2_000,
  stopCollectingMs: 4_000,
  stopMs: 9_000,
};

/** Work that nobody waits for: what it throws is logged and does not end the process. */
export function inBackground(work: Promise<unknown>, log: Logger): void {
  work.catch((error) => log.error({ err: error }, 'this should not have happened'));
}
