/**
 * The line that the daemon walks, and its parts from left to right, each joined to the next:
 *
 *     adb ─▶ roster ─▶ probe ─▶ facts ─▶ report ─▶ cloud
 *
 *     AdbLink     whether adb can be asked
 *     FreshList   adb's list, read anew before phones are asked
 *     HostClock   whether the clock by which ages are judged was set
 *     Changes     what adb's list brings: the phone that came, went or changed walks the line at once
 *     Rounds      all phones walk it, on schedule
 *     Asker       has phones asked (Collector, PhoneProbe), and asked again soon where that is worth it
 *     Telling     as what the cloud is told of each phone (Picture), and what of it is news
 *     Reporter    one report at a time; refused devices are sent again
 *     CloudLink   whether the cloud takes reports
 *     Forgetting  the end of the line: phones that are long gone
 */
import type { Adb } from '../adb/adb.ts';
import type { Logger } from '../base/log.ts';
import { present } from '../base/present.ts';
import type { Machine } from '../cloud/contract.ts';
import type { Delivery } from '../cloud/delivery.ts';
import type { Picture } from '../report/host-report.ts';
import type { HostClock } from '../roster/clock-step.ts';
import type { Roster } from '../roster/roster.ts';
import { AdbLink } from './adb-health.ts';
import { Asker } from './asker.ts';
import { Changes } from './changes.ts';
import { CloudLink, type CloudTimes } from './cloud-health.ts';
import type { Collector } from './collector.ts';
import { Forgetting } from './forgetting.ts';
import { FreshList } from './fresh-list.ts';
import { NO_CLOUD } from './health.ts';
import type { AgentObserver } from './observer.ts';
import { Telling } from './report-source.ts';
import { Reporter } from './reporter.ts';
import { Rounds } from './rounds.ts';
import { ReportSchedule } from './schedule.ts';
import type { AgentTiming } from './timing.ts';

export interface LineOptions {
  nodeId: string;
  /** Of the agent before a reload. */
  cloudTimes?: CloudTimes;
  adb: Adb;
  roster: Roster;
  hostClock: HostClock;
  collector: Collector;
  picture: Picture;
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

export type Line = ReturnType<typeof buildLine>;

/** A part refers to one further down the line only in what it calls back later. */
export function buildLine(options: LineOptions) {
  const { adb, roster, collector, picture, delivery, nodeId, observer, timing, stopping, log } = options;
  const onChanged = () => observer.changed();
  const freshList = new FreshList();
  collector.listedBy(freshList);
  const adbLink = new AdbLink({
    ...present({ startAdb: options.startAdb }),
    startAdbEveryMs: timing.startAdbEveryMs,
    readVersion: (signal) => adb.version(signal),
    onChanged,
    signal: stopping,
    log,
  });
  const notReporting = delivery ? undefined : (options.notReporting ?? NO_CLOUD);
  const cloudLink = new CloudLink({
    ...present({ notReporting, times: options.cloudTimes }),
    onChanged,
    log,
  });
  const schedule = new ReportSchedule({
    expression: options.schedule,
    nodeId,
    onDue: () => void rounds.run(),
  });
  const asker = new Asker({
    ...options,
    onRenamed: (devices) => changes.renamed(devices),
    onSoon: (udid) => changes.askAnew(udid),
  });
  const telling = new Telling({ roster, collector, picture, adbLink, log });
  const reporter =
    delivery &&
    new Reporter({
      ...options,
      delivery,
      telling,
      cloudLink,
      collect: async (udids) => void ((await freshList.read()) && (await asker.ask(udids))),
      msToNext: () => schedule.msToNext,
      firstRefusalDelayMs: timing.firstRefusalDelayMs,
    });
  const parts = { ...options, ...present({ reporter }), freshList, adbLink, cloudLink, asker, telling };
  const forgetting = new Forgetting(parts);
  const changes = new Changes(parts);
  const rounds = new Rounds({
    ...parts,
    forgetting,
    waitMs: () => Math.min(timing.roundWaitMs, schedule.periodMs / 2),
  });
  return {
    roster,
    collector,
    picture,
    freshList,
    adbLink,
    cloudLink,
    asker,
    reporter,
    forgetting,
    changes,
    rounds,
    schedule,
  };
}
