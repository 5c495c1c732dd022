/**
 * Builds the parts of the agent and joins them, in the order in which data passes them:
 *
 *     adb ─▶ roster ─▶ probe ─▶ facts ─▶ report ─▶ cloud
 *
 *     AdbHealth      whether adb can be reached
 *     FreshList      adb's list, read again before phones are collected
 *     PhoneEvents    what happens to each phone, for the history
 *     Collector      collects phones (ProbePool, PhoneProbe), and again soon where that is worth it
 *     Changes        a phone that appeared, vanished or changed is collected and reported at once
 *     Rounds         all phones are collected and reported, on schedule
 *     ReportSource   the phones in the cloud's shape, and which of them changed since their last report
 *     Reporter       one report at a time; refused devices are sent again
 *     CloudHealth    whether the cloud stores reports
 *     Retention      forgets phones that were unplugged long ago
 */
import { AdbHealth } from './adb-health.ts';
import { Changes } from './changes.ts';
import { CloudHealth } from './cloud-health.ts';
import { Collector } from './collector.ts';
import type { AgentContext } from './context.ts';
import { FreshList } from './fresh-list.ts';
import { PhoneEvents } from './phone-events.ts';
import { ReportSource } from './report-source.ts';
import { Reporter } from './reporter.ts';
import { Retention } from './retention.ts';
import { Rounds } from './rounds.ts';
import { Sampler } from './sampler.ts';
import { ReportSchedule } from './schedule.ts';

export type Wiring = ReturnType<typeof buildWiring>;

export function buildWiring(context: AgentContext) {
  const { roster, probePool, hostReport, delivery, nodeId } = context;
  const freshList = new FreshList();
  probePool.listedBy(freshList);
  const adbHealth = new AdbHealth(context);
  const cloudHealth = new CloudHealth(context);
  const schedule = new ReportSchedule({
    expression: context.reportSchedule,
    nodeId,
    onDue: () => void rounds.run({ isScheduled: true }),
  });
  const phoneEvents = new PhoneEvents(context);
  const sampler = new Sampler(context);
  context.clockStep.onStep((byMs) =>
    context.observer.happened([{ kind: 'clockStepped', byMs, at: Date.now() }]),
  );
  const collector = new Collector(context, { freshList, phoneEvents, sampler });
  const reportSource = new ReportSource(context, adbHealth);
  const reporter =
    delivery &&
    new Reporter({ ...context, delivery }, { reportSource, cloudHealth, collector, schedule, phoneEvents });
  const retention = new Retention(context, { reportSource, cloudHealth, reporter, phoneEvents, sampler });
  const changes = new Changes(context, { collector, reportSource, reporter, phoneEvents, sampler });
  const rounds = new Rounds(context, {
    freshList,
    collector,
    reporter,
    retention,
    adbHealth,
    cloudHealth,
    schedule,
  });
  return {
    roster,
    probePool,
    hostReport,
    freshList,
    adbHealth,
    cloudHealth,
    phoneEvents,
    collector,
    reportSource,
    reporter,
    retention,
    changes,
    rounds,
    schedule,
  };
}
