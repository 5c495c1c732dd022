/** A round: collects all phones of the roster and reports them. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { pause, wait, yieldToLoop } from '../base/time.ts';
import type { AdbHealth } from './adb-health.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { Collector } from './collector.ts';
import type { Hotplug } from './hotplug.ts';
import type { CollectCounts, ReportResult, RoundSummary } from './observer.ts';
import { type AgentServices, inBackground } from './options.ts';
import type { Collected } from './probed-phones.ts';
import type { Relist } from './probes.ts';
import type { ReadBack } from './read-back.ts';
import type { Reporter } from './reporter.ts';
import type { ReportSchedule } from './schedule.ts';

export interface RoundsOptions extends AgentServices {
  adbHealth: AdbHealth;
  cloudHealth: CloudHealth;
  relist: Relist;
  collector: Collector;
  /** Undefined where no cloud is configured. */
  reporter: Reporter | undefined;
  hotplug: Pick<Hotplug, 'expire'>;
  readBack: ReadBack | undefined;
  schedule: Pick<ReportSchedule, 'periodMs'>;
}

/** Slack before a round counts as hung, ms. */
const OVERDUE_AFTER_MS = 30_000;
/** A report waits this long for what the cloud has, ms. */
const READ_BACK_WAIT_MS = 2_000;

export class Rounds {
  readonly #options: RoundsOptions;
  #collecting: Promise<RoundSummary | undefined> | undefined;
  /** When that must have ended, by the monotonic clock, ms. */
  #collectedBy = 0;
  /** Somebody joined who wants the report. */
  #isReportWanted = false;
  #isUrgent = false;
  /** Also those that wait for the cloud. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /**
   * Joins a round that still collects; one that waits for the cloud makes way. Never throws.
   *
   * @param isReporting false: only collects, where nobody joins who wants the report
   * @param isScheduled nobody waits for its report
   * @returns what came of it, once its report has come to its end; undefined when the agent stops, or it failed
   */
  run({ isReporting = true, isScheduled = false } = {}): Promise<RoundSummary | undefined> {
    const { stopping, log } = this.#options;
    if (stopping.aborted) return Promise.resolve(undefined);
    this.#isReportWanted ||= isReporting;
    this.#isUrgent ||= isReporting && !isScheduled;
    if (this.#collecting !== undefined) return this.#collecting;
    this.#collectedBy = performance.now() + this.#waitMs + OVERDUE_AFTER_MS;
    const round = this.#run()
      .catch((error) => {
        log.error({ err: error }, 'the round failed');
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

  get #waitMs(): number {
    return Math.min(this.#options.timing.roundWaitMs, this.#options.schedule.periodMs / 2);
  }

  async #run(): Promise<RoundSummary> {
    const { roster, hotplug, reporter, cloudHealth, observer, save, log } = this.#options;
    const startedAt = performance.now();
    hotplug.expire();
    const { collected, failed } = await this.#collectInTime();
    const isReporting = this.#isReportWanted;
    const isUrgent = this.#isUrgent;
    this.#isReportWanted = false;
    this.#isUrgent = false;
    this.#collecting = undefined;
    await save(); // a restart must know what the cloud was sent
    if (isReporting) await this.#readBack();
    const reported = isReporting ? await reporter?.full(isUrgent) : undefined;
    await save();
    const attached = roster.devices.filter((device) => device.attached).length;
    const counts = { attached, known: roster.devices.length, collected, failed };
    const durationMs = Math.round(performance.now() - startedAt);
    const outcome = reported ? logged(reported) : { notReporting: cloudHealth.notReporting };
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
    const { roster, probePool, hostReport, adbHealth, relist, collector, log } = this.#options;
    const timeIsUp = pause(this.#waitMs);
    const isListed = adbHealth.state !== 'unreachable' && (await Promise.race([relist(), timeIsUp]));
    if (!isListed) return { collected: 0, failed: 0 };
    await wait(0); // taking a list is work enough for one turn, which an immediate would still be in
    inBackground(collector.prove(), log);
    const online = roster.devices.filter(
      (device) => device.state === 'device' && !hostReport.isIgnored(device),
    );
    const late = new Set(online.map(({ udid }) => udid));
    let collected = 0;
    let failed = 0;
    const collecting = online.map(async ({ udid }) => {
      const outcome = await collector.collect(udid);
      late.delete(udid);
      if (outcome) collected += 1;
      if (outcome === 'broken' || outcome === 'failed') failed += 1;
    });
    await Promise.race([Promise.all(collecting), timeIsUp]);
    for (const udid of late) {
      const answer = probePool.collecting(udid);
      if (this.#isReportWanted && answer) void this.#reportLate(udid, answer);
    }
    return { collected: collected + late.size, failed: failed + late.size };
  }

  /** A slow cloud does not hold the report. */
  async #readBack(): Promise<void> {
    const { readBack, adbHealth, cloudHealth, stopping } = this.#options;
    const isUseful = adbHealth.state === 'listed' && cloudHealth.trouble === undefined;
    if (isUseful && readBack?.isDue) await Promise.race([readBack.run(stopping), pause(READ_BACK_WAIT_MS)]);
  }

  async #reportLate(udid: string, answer: Promise<Collected>): Promise<void> {
    const { snapshot, error } = await answer;
    if (snapshot?.broken === undefined && error === undefined) await this.#options.reporter?.some([udid]);
  }
}

function logged(reported: ReportResult) {
  if (reported.kind !== 'stored') return { report: reported.kind };
  return { reported: reported.devices, refused: reported.refused };
}
