/** A round: asks all phones of the roster, reports what they say, and keeps what the cloud has stored. */
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { HostReport } from '../report/host-report.ts';
import type { Roster } from '../roster/roster.ts';
import type { AdbHealth } from './adb-health.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { Asked, Collector } from './collector.ts';
import type { FreshList } from './fresh-list.ts';
import type { AgentObserver, Reported, RoundSummary } from './observer.ts';
import type { ProbePool } from './probe-pool.ts';
import type { Reporter } from './reporter.ts';
import type { Retention } from './retention.ts';
import { inBackground, pause } from './timing.ts';

export interface RoundsOptions {
  roster: Roster;
  probePool: ProbePool;
  freshList: FreshList;
  collector: Collector;
  /** Absent where no cloud is configured. */
  reporter?: Reporter;
  hostReport: HostReport;
  retention: Retention;
  adbHealth: AdbHealth;
  cloudHealth: CloudHealth;
  /** For how long a report waits for the phones, ms. */
  waitMs(): number;
  /** Writes the roster down. */
  save(): Promise<void>;
  /** The agent stops: no round begins any more. */
  stopping: AbortSignal;
  /** Ends the conversations that are under way. */
  stopAsking: AbortSignal;
  observer: Pick<AgentObserver, 'round'>;
  log: Logger;
}

/** A busy machine may be late; so late is not busy, ms. */
const OVERDUE_AFTER_MS = 30_000;

export class Rounds {
  readonly #options: RoundsOptions;
  /** The round that still asks the phones. */
  #asking: Promise<RoundSummary | undefined> | undefined;
  /** When that must have ended, by the monotonic clock, ms. */
  #askedBy = 0;
  /** Also those that wait for the cloud. */
  readonly #inHand = new Set<Promise<unknown>>();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  /**
   * Joins a round that still asks; one that waits for the cloud makes way. Never throws.
   *
   * @returns what came of it, once its report has come to its end; undefined when the agent stops, or it failed
   */
  run(): Promise<RoundSummary | undefined> {
    if (this.#options.stopping.aborted) return Promise.resolve(undefined);
    if (this.#asking !== undefined) return this.#asking;
    this.#askedBy = performance.now() + this.#options.waitMs() + OVERDUE_AFTER_MS;
    const round = this.#run()
      .catch((error) => {
        this.#options.log.error({ err: error }, 'the round failed');
        return undefined;
      })
      .finally(() => {
        this.#inHand.delete(round);
        if (this.#asking === round) this.#asking = undefined;
      });
    this.#inHand.add(round);
    this.#asking = round;
    return round;
  }

  /** Is a round still asking the phones, long after it should have stopped waiting for them? */
  get isOverdue(): boolean {
    return this.#asking !== undefined && performance.now() > this.#askedBy;
  }

  /** Resolves when the rounds in hand have ended. */
  async inHand(): Promise<void> {
    await Promise.all(this.#inHand);
  }

  async #run(): Promise<RoundSummary> {
    const { roster, retention, reporter, cloudHealth, observer, log, save } = this.#options;
    const startedAt = performance.now();
    retention.old();
    const { asked, failed } = await this.#askInTime();
    this.#asking = undefined;
    await save(); // what the cloud hears of must not be forgotten
    const reported = await reporter?.full();
    await save();
    const attached = roster.devices.filter((device) => device.attached).length;
    const counts = { attached, known: roster.devices.length, asked, failed };
    const durationMs = Math.round(performance.now() - startedAt);
    const outcome = reported ? outcomeOf(reported) : { notReporting: cloudHealth.notReporting };
    log.info({ ...counts, ...outcome, durationMs }, 'round');
    const summary = omitUndefined({ ...counts, reported, durationMs });
    observer.round(summary);
    return summary;
  }

  /**
   * Asks all phones; those that take too long are reported on their own when they are done. First adb's list is read: to a
   * server that is another one since, the numbers of the connections may be other phones'.
   */
  async #askInTime(): Promise<Asked> {
    const { roster, probePool, freshList, collector, adbHealth, hostReport, log, waitMs } = this.#options;
    const inTimeForIt = pause(waitMs());
    const isListed = adbHealth.state !== 'lost' && (await Promise.race([freshList.read(), inTimeForIt]));
    if (!isListed) return { asked: 0, failed: 0 };
    inBackground(collector.prove(), log);
    const online = roster.devices
      .filter((device) => device.state === 'device' && !hostReport.isIgnored(device))
      .map(({ udid }) => udid);
    const late = new Set(online);
    const inTime: Asked[] = [];
    const asking = online.map(async (udid) => {
      inTime.push(await collector.ask([udid]));
      late.delete(udid);
    });
    await Promise.race([Promise.all(asking), inTimeForIt]);
    for (const udid of late) if (probePool.isAsking(udid)) void this.#reportLate(udid);
    return {
      asked: inTime.reduce((sum, { asked }) => sum + asked, late.size),
      failed: inTime.reduce((sum, { failed }) => sum + failed, late.size),
    };
  }

  async #reportLate(udid: string): Promise<void> {
    const { probePool, reporter, stopAsking } = this.#options;
    const { snapshot, error } = await probePool.collect(udid, stopAsking);
    if (snapshot?.broken === undefined && error === undefined) await reporter?.some([udid]);
  }
}

function outcomeOf(reported: Reported) {
  if (reported.kind !== 'stored') return { report: reported.kind };
  return { reported: reported.devices, refused: reported.refused };
}
