/** What an agent is made of, and its delays. */

import type { Adb } from '../adb/adb.ts';
import { TRUSTED_MS } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { AgentClient } from '../cloud/agent-client.ts';
import type { DeviceInfo, Machine } from '../cloud/contract/report.ts';
import type { Delivery } from '../cloud/delivery.ts';
import type { Checkpoint } from '../history/events/checkpoint.ts';
import type { NewEvent } from '../history/events/event.ts';
import type { HostReport } from '../report/host-report.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { Roster } from '../roster/roster.ts';
import type { AgentEvents } from './observer.ts';
import type { ProbePool } from './probes.ts';

export interface AgentOptions {
  nodeId: string;
  adb: Adb;
  roster: Roster;
  clockStep: ClockStep;
  probePool: ProbePool;
  hostReport: HostReport;
  /** Absent where no cloud is configured: the phones are tracked and nothing is reported. */
  delivery?: Delivery;
  /** Reads back what the cloud has; absent where that is not wanted. */
  reader?: CloudReader;
  /** Knows which phones are booked; absent where no cloud is configured. */
  bookings?: BookingReader;
  /** The phones are on the USB of this machine, which is looked at when one is lost. */
  hasUsb?: boolean;
  /** Follow the log of the kernel for faults of USB; until the signal fires. */
  followKernel?(happened: (events: readonly NewEvent[]) => void, signal: AbortSignal): Promise<void>;
  /** No earlier run left a roster that could be read. */
  isStateLost?: boolean;
  /** Why there is no `delivery`, where a cloud is configured. */
  notReporting?: string;
  /** What the agent before this one, or an earlier run, recorded last. */
  checkpoint?: Checkpoint;
  /** How the agent before a reload last reported each phone. */
  reported?: ReportedPhones;
  /** When this cloud last stored a report, before a reload, by the monotonic clock, ms. */
  storedAt?: number;
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
  /** Delays that differ from the standard ones. */
  timing?: Partial<AgentTiming>;
  /** Closes the connections that are kept open, when the agent has stopped. */
  close?(): void;
  /** Report all phones as unplugged at the end: for a host that is retired. */
  unplugOnStop: boolean;
  log: Logger;
}

/** Reads the phones that the cloud has as plugged in. */
export type CloudReader = Pick<AgentClient, 'pluggedIn'>;

/** Reads which phones are booked, and ends that. */
export type BookingReader = Pick<AgentClient, 'isBooked' | 'endReservations'>;

/** How a phone was last reported: only a change is reported out of turn. */
export interface ReportedPhone {
  info: DeviceInfo;
  hasFacts: boolean;
  /** Only an earlier agent reported it: the cloud has it, perhaps with other facts and another message. */
  isPresumed: boolean;
}

/** By udid. */
export type ReportedPhones = ReadonlyMap<string, ReportedPhone>;

/** What the parts of an agent share. */
export interface AgentServices extends Omit<AgentOptions, 'timing'> {
  timing: AgentTiming;
  observer: AgentEvents;
  /** The agent stops: no round and no report of a change begins any more. */
  stopping: AbortSignal;
  /** Ends the conversations that are under way. */
  stopCollecting: AbortSignal;
}

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
  /** Between two readings of what the cloud has, a tenth more or less. */
  readBackMs: number;
  /** Without what an earlier run left, the cloud is first read back within this time, at random; 0: at once. */
  firstReadBackMs: number;
  /** Whether a lost phone is booked is asked so long after its loss: it may come back by itself. */
  askOfLostMs: number;
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
  /** A phone that is still connecting is recorded after this time only: mostly it has another state by then. */
  passingMs: number;
  /** Delay before the first retry of a refused device; it doubles with each refusal. */
  firstRefusalDelayMs: number;
  /** No phone expires before the clock of this host was not set for so long. */
  steadyClockMs: number;
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
  readBackMs: 3_600_000,
  firstReadBackMs: 120_000,
  askOfLostMs: 5_000,
  relistMs: 10_000,
  recoveryMs: 3_000,
  collectSoonMs: 5_000,
  collectSoonTimes: 60,
  startAdbEveryMs: 30_000,
  passingMs: 5_000,
  firstRefusalDelayMs: 2_000,
  steadyClockMs: TRUSTED_MS,
  stopCollectingMs: 4_000,
  stopMs: 9_000,
};

/** Work that nobody waits for: what it throws is logged and does not end the process. */
export function inBackground(work: Promise<unknown>, log: Logger): void {
  work.catch((error) => log.error({ err: error }, 'this should not have happened'));
}
