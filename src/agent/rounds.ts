/** A round: asks all phones of the roster, reports what they say, and keeps what the cloud has stored. */
import type { Logger } from '../base/log.ts';
import { present } from '../base/present.ts';
import type { Picture } from '../report/host-report.ts';
import type { Roster } from '../roster/roster.ts';
import type { AdbLink } from './adb-health.ts';
import type { Asked, Asker } from './asker.ts';
import type { Reported } from './attempt.ts';
import { inBackground } from './background.ts';
import type { CloudLink } from './cloud-health.ts';
import type { Collector } from './collector.ts';
import type { Forgetting } from './forgetting.ts';
import type { FreshList } from './fresh-list.ts';
import type { AgentObserver, RoundSummary } from './observer.ts';
import type { Reporter } from './reporter.ts';
import { pause } from './timing.ts';

export interface RoundsOptions {
  roster: Roster;
  collector: Collector;
  freshList: FreshList;
  asker: Asker;
  /** Absent where no cloud is configured. */
  reporter?: Reporter;
  picture: Picture;
  forgetting: Forgetting;
  adbLink: AdbLink;
  cloudLink: CloudLink;
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
    const { roster, forgetting, reporter, cloudLink, observer, log, save } = this.#options;
    const startedAt = performance.now();
    forgetting.old();
    const { asked, failed } = await this.#askInTime();
    this.#asking = undefined;
    await save(); // what the cloud hears of must not be forgotten
    const reported = await reporter?.full();
    await save();
    const attached = roster.devices.filter((device) => device.attached).length;
    const counts = { attached, known: roster.devices.length, asked, failed };
    const durationMs = Math.round(performance.now() - startedAt);
    const outcome = reported ? outcomeOf(reported) : { notReporting: cloudLink.notReporting };
    log.info({ ...counts, ...outcome, durationMs }, 'round');
    const summary = present({ ...counts, reported, durationMs });
    observer.round(summary);
    return summary;
  }

  /**
   * Asks all phones; those that take too long are reported on their own when they are done. First adb's list is read: to a
   * server that is another one since, the numbers of the connections may be other phones'.
   */
  async #askInTime(): Promise<Asked> {
    const { roster, collector, freshList, asker, adbLink, picture, log, waitMs } = this.#options;
    const inTimeForIt = pause(waitMs());
    const isListed = adbLink.state !== 'lost' && (await Promise.race([freshList.read(), inTimeForIt]));
    if (!isListed) return { asked: 0, failed: 0 };
    inBackground(asker.prove(), log);
    const online = roster.devices
      .filter((device) => device.state === 'device' && !picture.isIgnored(device))
      .map(({ udid }) => udid);
    const late = new Set(online);
    const inTime: Asked[] = [];
    const asking = online.map(async (udid) => {
      inTime.push(await asker.ask([udid]));
      late.delete(udid);
    });
    await Promise.race([Promise.all(asking), inTimeForIt]);
    for (const udid of late) if (collector.isAsking(udid)) void this.#reportLate(udid);
    return {
      asked: inTime.reduce((sum, { asked }) => sum + asked, late.size),
      failed: inTime.reduce((sum, { failed }) => sum + failed, late.size),
    };
  }

  async #reportLate(udid: string): Promise<void> {
    const { collector, reporter, stopAsking } = this.#options;
    const { snapshot, error } = await collector.collect(udid, stopAsking);
    if (snapshot?.broken === undefined && error === undefined) await reporter?.some([udid]);
  }
}

function outcomeOf(reported: Reported) {
  if (reported.kind !== 'stored') return { report: reported.kind };
  return { reported: reported.devices, refused: reported.refused };
}
