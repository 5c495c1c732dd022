/** What the parts of the agent share. Wired once (wiring.ts). */
import type { Adb } from '../adb/adb.ts';
import type { Logger } from '../base/log.ts';
import type { Machine } from '../cloud/contract/report.ts';
import type { Delivery } from '../cloud/delivery.ts';
import type { Checkpoint } from '../diagnosis/events/checkpoint.ts';
import type { HostReport } from '../report/host-report.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { Roster } from '../roster/roster.ts';
import type { AgentEvents } from './observer.ts';
import type { ProbePool } from './probe-pool.ts';
import type { AgentTiming } from './timing.ts';

export interface AgentContext {
  nodeId: string;
  adb: Adb;
  roster: Roster;
  clockStep: ClockStep;
  probePool: ProbePool;
  hostReport: HostReport;
  /** Absent where no cloud is configured: the phones are followed and nothing is reported. */
  delivery?: Delivery;
  /** Why there is no `delivery`, where a cloud is configured. */
  notReporting?: string;
  /** What the agent before this one, or an earlier run, recorded last. */
  checkpoint?: Checkpoint;
  /** Of the agent before a reload. */
  cloudTimes?: CloudTimes;
  readMachine(): Promise<Machine>;
  /** Writes the roster. */
  save(): Promise<void>;
  /** When full reports are due: cron fields. */
  reportSchedule: string;
  /** Retries of a refused device on its own. */
  refusedRetries: number;
  /** A phone that stays unplugged expires after this, ms. */
  forgetAfterMs: number;
  /** Starts an adb server where none runs; absent where the configuration forbids it. */
  startAdb?(signal: AbortSignal): Promise<number | undefined>;
  observer: AgentEvents;
  timing: AgentTiming;
  /** The agent stops: no round and no report of a change begins any more. */
  stopping: AbortSignal;
  /** Ends the conversations that are under way. */
  stopCollecting: AbortSignal;
  log: Logger;
}

/** What outlives a reload. `Retry-After` does not: the person who reloads may know better. */
export interface CloudTimes {
  /** When the cloud last stored a report, by the monotonic clock, ms. */
  storedAt?: number;
}
