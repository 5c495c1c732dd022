/** What an agent is made of, and its delays. */

import type { Adb, ListedDevice } from '../adb/adb.ts';
import { TRUSTED_MS } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { AgentClient } from '../cloud/agent-client.ts';
import type { DeviceInfo, Machine } from '../cloud/contract/report.ts';
import type { Delivery } from '../cloud/delivery.ts';
import type { Checkpoint } from '../history/events/checkpoint.ts';
import type { NewEvent } from '../history/events/event.ts';
import type { HostReport } from '../report/host-report.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { RosterRecord } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import type { AgentEvents } from './observer.ts';
import type { ProbePool } from './probes.ts';

/** What an agent leaves to the one after a reload. */
export interface AgentCarried {
  /** All phones: the disk may not have stored them. */
  readonly roster: RosterRecord;
  /** What was last recorded of phones and host: nothing is recorded twice, and nothing in between is lost. */
  readonly checkpoint: Checkpoint;
  /** How adb listed the attached phones, by udid. */
  readonly connections: ReadonlyMap<string, ListedDevice>;
  /** How each phone was last reported: until the next full report, only another connection is reported and logged. */
  readonly reported: ReportedPhones;
  /** When the cloud last stored a report, by `uptimeMs`. */
  readonly storedAt?: number;
}

export interface AgentOptions extends Partial<Omit<AgentCarried, 'roster'>> {
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
  readMachine(): Promise<Machine>;
  /** Writes the roster. */
  save(): Promise<void>;
  /** When full reports are due: cron fields. */
  reportSchedule: string;
  /** Retries of a refused device on its own. */
  refusedRetries: number;
  forgetAfterMs: number;
  /** Starts an adb server where none runs; absent where the configuration forbids it. */
  startAdb?(signal: AbortSignal): Promise<number | undefined>;
  timing?: Partial<AgentTiming>;
  /** Closes the connections that are kept open, when the agent has stopped. */
  close?(): void;
  /** Report all phones as unplugged at the end: for a host that is retired. */
  unplugOnStop: boolean;
  log: Logger;
}

export type CloudReader = Pick<AgentClient, 'pluggedIn'>;

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
export const standardTiming = {
  /** How long a phone has to stay unchanged before its change is reported. */
  quietMs: 250,
  /** The same for a phone that turned `offline`: adbd is offline for a second or two when it restarts. */
  quietOfflineMs: 700,
  /** Longest debounce after the first change, for a phone that never calms down. */
  longestDebounceMs: 5_000,
  /** How long the report of a debounced phone waits for its facts. */
  factsWaitMs: 400,
  /** How long a full report waits for the phones, and never over half a period; slower ones follow on their own. */
  roundWaitMs: 10_000,
  /** A host whose phones the cloud has sends its first report at its place in this time; 0: at once. */
  firstReportMs: 60_000,
  /** Between two readings of what the cloud has, a tenth more or less. */
  readBackMs: 3_600_000,
  /** Without what an earlier run left, the cloud is first read back within this time, at random; 0: at once. */
  firstReadBackMs: 120_000,
  /** Whether a lost phone is booked is asked so long after its loss: it may come back by itself. */
  askOfLostMs: 5_000,
  /** The cloud has so long to say which of the phones that a person drains are booked. */
  bookingsMs: 90_000,
  /** Between two readings of adb's list without an event. */
  relistMs: 10_000,
  /** How long to wait for missing phones when an adb server has just come back: it lists them one by one. */
  recoveryMs: 3_000,
  /** Delay before a phone that is starting, locked or broke off is collected again, … */
  collectSoonMs: 5_000,
  /** … and how many times in a row. */
  collectSoonTimes: 60,
  /** Between two tries to start an adb server. */
  startAdbEveryMs: 30_000,
  /** A phone that is still connecting is recorded after this time only: mostly it has another state by then. */
  passingMs: 5_000,
  /** Delay before the first retry of a refused device; it doubles with each refusal. */
  firstRefusalDelayMs: 2_000,
  /** No phone expires before the clock of this host was not set for so long. */
  steadyClockMs: TRUSTED_MS,
  /** How long a running conversation may go on after the stop began, … */
  stopCollectingMs: 4_000,
  /** … and the round as a whole. */
  stopMs: 9_000,
};

export type AgentTiming = Readonly<typeof standardTiming>;

/** Work that nobody waits for: what it throws is logged and does not end the process. */
export function inBackground(work: Promise<unknown>, log: Logger): void {
  work.catch((error) => log.error({ err: error }, 'this should not have happened'));
}
