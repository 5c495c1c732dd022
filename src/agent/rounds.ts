/** A round: asks all phones, builds the report, puts it, settles the answer. */
import type { Logger } from '../log.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import type { Asked, Asker } from './asker.ts';
import type { Collector } from './collector.ts';
import type { News } from './news.ts';
import type { AgentObserver, RoundSummary } from './observer.ts';
import type { Reported, Reporter } from './reporter.ts';
import { pause } from './timing.ts';

export interface RoundsOptions {
  roster: Roster;
  collector: Collector;
  asker: Asker;
  /** Absent where no cloud is configured. */
  reporter?: Reporter;
  news: News;
  /** Why there is no reporter, where that is not for want of a cloud. */
  notReporting?: string;
  isAdbLost(): boolean;
  isIgnored(device: RosterDevice): boolean;
  /** For how long a report waits for the phones, ms. */
  waitMs(): number;
  /** Phones that are unplugged are forgotten after so long, ms. */
  forgetAfterMs: number;
  /** Writes the roster down. */
  save(): Promise<void>;
  /** Ends the conversations that are under way. */
  signal: AbortSignal;
  observer: Pick<AgentObserver, 'round' | 'changed'>;
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
   * @returns what came of it, once its report has come to its end
   */
  run(): Promise<RoundSummary | undefined> {
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

  /**
   * Forgets the phones that have been gone since before `before`, ms since the epoch, where the cloud need not hear
   * of it any more.
   *
   * @param only this one
   */
  forget(before: number, only?: string): void {
    const { roster, news, reporter, observer, log } = this.#options;
    const isTold = ({ reported, isGoneStored }: RosterDevice) =>
      !reporter || !reported || isGoneStored === true;
    const isMeant = (device: RosterDevice) => (only === undefined || device.udid === only) && isTold(device);
    for (const udid of roster.forget(before, isMeant)) {
      news.forget(udid);
      log.info({ udid }, 'phone forgotten');
      observer.changed(udid);
    }
  }

  async #run(): Promise<RoundSummary> {
    const { roster, reporter, observer, log, forgetAfterMs, save } = this.#options;
    const { notReporting = 'no cloud configured' } = this.#options;
    const startedAt = performance.now();
    this.forget(Date.now() - forgetAfterMs);
    const { asked, failed } = await this.#askInTime();
    this.#asking = undefined;
    await save(); // what the cloud hears of must not be forgotten
    const reported = await reporter?.full();
    await save();
    const summary = {
      attached: roster.devices.filter(({ attached }) => attached).length,
      known: roster.devices.length,
      asked,
      failed,
      durationMs: Math.round(performance.now() - startedAt),
    };
    const { durationMs, ...counts } = summary;
    log.info(
      { ...counts, ...(reported ? outcomeOf(reported) : { reported: notReporting }), durationMs },
      'round',
    );
    const round = { ...summary, ...(reported && { reported }) };
    observer.round(round);
    return round;
  }

  /** Asks all phones; those that take too long are reported on their own when they are done. */
  async #askInTime(): Promise<Asked> {
    const { roster, collector, asker, isAdbLost, isIgnored, waitMs } = this.#options;
    if (isAdbLost()) return { asked: 0, failed: 0 };
    const online = roster.devices
      .filter((device) => device.state === 'device' && !isIgnored(device))
      .map(({ udid }) => udid);
    const inTime = await Promise.race([asker.ask(online), pause(waitMs())]);
    if (inTime) return inTime;
    const late = online.filter((udid) => collector.isAsking(udid));
    for (const udid of late) void this.#reportLate(udid);
    return { asked: online.length, failed: late.length };
  }

  async #reportLate(udid: string): Promise<void> {
    const { collector, reporter, signal } = this.#options;
    const { snapshot, error } = await collector.collect(udid, signal);
    if (snapshot?.broken === undefined && error === undefined) await reporter?.some([udid]);
  }
}

function outcomeOf(reported: Reported) {
  if (reported.kind !== 'stored') return { reported: reported.kind };
  return { reported: reported.devices, refused: reported.refused };
}
