/** A round: collects all phones of the roster and reports them. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { pause, yieldToLoop } from '../base/time.ts';
import type { AdbHealth } from './adb-health.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { Collector } from './collector.ts';
import type { AgentContext } from './context.ts';
import type { FreshList } from './fresh-list.ts';
import type { CollectCounts, ReportResult, RoundSummary } from './observer.ts';
import type { Reporter } from './reporter.ts';
import type { Retention } from './retention.ts';
import type { ReportSchedule } from './schedule.ts';
import { inBackground } from './timing.ts';

interface RoundsParts {
  freshList: FreshList;
  collector: Collector;
  /** Undefined where no cloud is configured. */
  reporter: Reporter | undefined;
  retention: Retention;
  adbHealth: AdbHealth;
  cloudHealth: CloudHealth;
  schedule: Pick<ReportSchedule, 'periodMs'>;
}

/** Slack before a round counts as hung, ms. */
const OVERDUE_AFTER_MS = 30_000;

export class Rounds {
  readonly #context: AgentContext;
  readonly #parts: RoundsParts;
  #collecting: Promise<RoundSummary | undefined> | undefined;
  /** When that must have ended, by the monotonic clock, ms. */
  #collectedBy = 0;
  /** Somebody joined who wants the report. */
  #isReportWanted = false;
  #isUrgent = false;
  /** Also those that wait for the cloud. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(context: AgentContext, parts: RoundsParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /**
   * Joins a round that still collects; one that waits for the cloud makes way. Never throws.
   *
   * @param isReporting false: only collects, where nobody joins who wants the report
   * @param isScheduled nobody waits for its report
   * @returns what came of it, once its report has come to its end; undefined when the agent stops, or it failed
   */
  run({ isReporting = true, isScheduled = false } = {}): Promise<RoundSummary | undefined> {
    if (this.#context.stopping.aborted) return Promise.resolve(undefined);
    this.#isReportWanted ||= isReporting;
    this.#isUrgent ||= isReporting && !isScheduled;
    if (this.#collecting !== undefined) return this.#collecting;
    this.#collectedBy = performance.now() + this.#waitMs + OVERDUE_AFTER_MS;
    const round = this.#run()
      .catch((error) => {
        this.#context.log.error({ err: error }, 'the round failed');
        return undefined;
      })
      .finally(() => {
        this.#running.delete(round);
        if (this.#collecting === round) this.#collecting = undefined;
      });
    this.#running.add(round);
    this.#collecting = round;
    return round;
  }

  /** Is a round still collecting, long after it should have stopped waiting for the phones? */
  get isOverdue(): boolean {
    return this.#collecting !== undefined && performance.now() > this.#collectedBy;
  }

  async running(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** A report waits this long for the phones, ms. */
  get #waitMs(): number {
    return Math.min(this.#context.timing.roundWaitMs, this.#parts.schedule.periodMs / 2);
  }

  async #run(): Promise<RoundSummary> {
    const { roster, observer, log, save } = this.#context;
    const { retention, reporter, cloudHealth } = this.#parts;
    const startedAt = performance.now();
    retention.expire();
    const { collected, failed } = await this.#collectInTime();
    const [isReporting, isUrgent] = [this.#isReportWanted, this.#isUrgent];
    [this.#isReportWanted, this.#isUrgent] = [false, false];
    this.#collecting = undefined;
    await save(); // a restart must know what the cloud was sent
    const reported = isReporting ? await reporter?.full(isUrgent) : undefined;
    await save();
    const attached = roster.devices.filter((device) => device.attached).length;
    const counts = { attached, known: roster.devices.length, collected, failed };
    const durationMs = Math.round(performance.now() - startedAt);
    const { notReporting } = cloudHealth;
    const outcome = reported ? outcomeOf(reported) : { notReporting };
    log.info({ ...counts, ...outcome, durationMs }, 'round');
    const summary = omitUndefined({ ...counts, reported, durationMs });
    await yieldToLoop();
    observer.round(summary);
    return summary;
  }

  /**
   * Collects all phones; slow ones are reported on their own when they are done. First adb's list is read: if the server
   * was replaced, the numbers of the connections may be other phones'.
   */
  async #collectInTime(): Promise<CollectCounts> {
    const { roster, probePool, hostReport, log } = this.#context;
    const { freshList, collector, adbHealth } = this.#parts;
    const timeIsUp = pause(this.#waitMs);
    const isListed = adbHealth.state !== 'unreachable' && (await Promise.race([freshList.read(), timeIsUp]));
    if (!isListed) return { collected: 0, failed: 0 };
    await yieldToLoop(); // taking a list is work enough for one turn
    inBackground(collector.prove(), log);
    const online = roster.devices
      .filter((device) => device.state === 'device' && !hostReport.isIgnored(device))
      .map(({ udid }) => udid);
    const late = new Set(online);
    const inTime: CollectCounts[] = [];
    const collecting = online.map(async (udid) => {
      inTime.push(await collector.collect([udid]));
      late.delete(udid);
    });
    await Promise.race([Promise.all(collecting), timeIsUp]);
    for (const udid of late)
      if (this.#isReportWanted && probePool.isCollecting(udid)) void this.#reportLate(udid);
    return {
      collected: inTime.reduce((sum, { collected }) => sum + collected, late.size),
      failed: inTime.reduce((sum, { failed }) => sum + failed, late.size),
    };
  }

  async #reportLate(udid: string): Promise<void> {
    const { probePool, stopCollecting } = this.#context;
    const { snapshot, error } = await probePool.collect(udid, stopCollecting);
    if (snapshot?.broken === undefined && error === undefined) await this.#parts.reporter?.some([udid]);
  }
}

function outcomeOf(reported: ReportResult) {
  if (reported.kind !== 'stored') return { report: reported.kind };
  return { reported: reported.devices, refused: reported.refused };
}
