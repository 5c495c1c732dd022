/**
 * The line that the daemon walks, and its parts from left to right, each joined to the next:
 *
 *     adb ─▶ roster ─▶ probe ─▶ facts ─▶ report ─▶ cloud
 *
 *     AdbHealth     whether adb can be asked
 *     FreshList   adb's list, read anew before phones are asked
 *     ClockStep   whether the clock by which ages are judged was set
 *     Changes     what adb's list brings: the phone that came, went or changed walks the line at once
 *     Rounds      all phones walk it, on schedule
 *     Collector       has phones asked (ProbePool, PhoneProbe), and asked again soon where that is worth it
 *     ReportSource     as what the cloud is told of each phone (Picture), and what of it is news
 *     Reporter    one report at a time; refused devices are sent again
 *     CloudHealth   whether the cloud takes reports
 *     Forgetting  the end of the line: phones that are long gone
 */
import type { Adb } from '../adb/adb.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Machine } from '../cloud/contract.ts';
import type { Delivery } from '../cloud/delivery.ts';
import type { HostReport } from '../report/host-report.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { Roster } from '../roster/roster.ts';
import { AdbHealth } from './adb-health.ts';
import { Changes } from './changes.ts';
import { CloudHealth, type CloudTimes, NO_CLOUD } from './cloud-health.ts';
import { Collector } from './collector.ts';
import { FreshList } from './fresh-list.ts';
import type { AgentObserver } from './observer.ts';
import type { ProbePool } from './probe-pool.ts';
import { ReportSource } from './report-source.ts';
import { Reporter } from './reporter.ts';
import { Retention } from './retention.ts';
import { Rounds } from './rounds.ts';
import { ReportSchedule } from './schedule.ts';
import type { AgentTiming } from './timing.ts';

export interface WiringOptions {
  nodeId: string;
  /** Of the agent before a reload. */
  cloudTimes?: CloudTimes;
  adb: Adb;
  roster: Roster;
  clockStep: ClockStep;
  probePool: ProbePool;
  hostReport: HostReport;
  /** Absent where no cloud is configured: then the phones are followed and nothing is reported. */
  delivery?: Delivery;
  /** Why there is no `delivery`, where that is not for want of a cloud. */
  notReporting?: string;
  readMachine(): Promise<Machine>;
  /** Writes the roster down. */
  save(): Promise<void>;
  /** When full reports are due: cron fields. */
  schedule: string;
  /** So often a refused device is sent again on its own. */
  refusedRetries: number;
  /** A phone that is unplugged for so long is forgotten, ms. */
  forgetAfterMs: number;
  /** Starts an adb server where there is none; absent where the lab wants none started. */
  startAdb?(signal: AbortSignal): Promise<number | undefined>;
  /** Is told what happens. */
  observer: AgentObserver;
  timing: AgentTiming;
  /** The agent stops: no round begins any more, and no change is told. */
  stopping: AbortSignal;
  /** Ends the conversations that are under way. */
  stopAsking: AbortSignal;
  log: Logger;
}

export type Wiring = ReturnType<typeof buildWiring>;

/** A part refers to one further down the line only in what it calls back later. */
export function buildWiring(options: WiringOptions) {
  const { adb, roster, probePool, hostReport, delivery, nodeId, observer, timing, stopping, log } = options;
  const onChanged = () => observer.changed();
  const freshList = new FreshList();
  probePool.listedBy(freshList);
  const adbHealth = new AdbHealth({
    ...omitUndefined({ startAdb: options.startAdb }),
    startAdbEveryMs: timing.startAdbEveryMs,
    readVersion: (signal) => adb.version(signal),
    onChanged,
    signal: stopping,
    log,
  });
  const notReporting = delivery ? undefined : (options.notReporting ?? NO_CLOUD);
  const cloudHealth = new CloudHealth({
    ...omitUndefined({ notReporting, times: options.cloudTimes }),
    onChanged,
    log,
  });
  const schedule = new ReportSchedule({
    expression: options.schedule,
    nodeId,
    onDue: () => void rounds.run(),
  });
  const collector = new Collector({
    ...options,
    onRenamed: (devices) => changes.renamed(devices),
    onSoon: (udid) => changes.askAnew(udid),
  });
  const reportSource = new ReportSource({ roster, probePool, hostReport, adbHealth, log });
  const reporter =
    delivery &&
    new Reporter({
      ...options,
      delivery,
      reportSource,
      cloudHealth,
      collect: async (udids) => void ((await freshList.read()) && (await collector.ask(udids))),
      msToNext: () => schedule.msToNext,
      firstRefusalDelayMs: timing.firstRefusalDelayMs,
    });
  const parts = {
    ...options,
    ...omitUndefined({ reporter }),
    freshList,
    adbHealth,
    cloudHealth,
    collector,
    reportSource,
  };
  const retention = new Retention(parts);
  const changes = new Changes(parts);
  const rounds = new Rounds({
    ...parts,
    retention,
    waitMs: () => Math.min(timing.roundWaitMs, schedule.periodMs / 2),
  });
  return {
    roster,
    probePool,
    hostReport,
    freshList,
    adbHealth,
    cloudHealth,
    collector,
    reporter,
    retention,
    changes,
    rounds,
    schedule,
  };
}
