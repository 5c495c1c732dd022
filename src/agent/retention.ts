/** Forgets phones that are unplugged; not before the cloud has stored that they are gone. */
import type { Logger } from '../base/log.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import type { CloudHealth, ReportFailure } from './cloud-health.ts';
import type { AgentObserver } from './observer.ts';
import type { ReportSource } from './report-source.ts';
import type { Reporter } from './reporter.ts';

export interface RetentionOptions {
  roster: Roster;
  reportSource: ReportSource;
  cloudHealth: CloudHealth;
  clockStep: ClockStep;
  /** Absent where no cloud is configured. */
  reporter?: Reporter;
  /** A phone that is unplugged for so long is forgotten, ms. */
  forgetAfterMs: number;
  /** Writes the roster down. */
  save(): Promise<void>;
  observer: Pick<AgentObserver, 'changed'>;
  log: Logger;
}

export class Retention {
  readonly #options: RetentionOptions;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Those that have been gone for long. */
  old(): void {
    this.#options.clockStep.look();
    this.#forget(Date.now() - this.#options.forgetAfterMs, () => true);
  }

  /**
   * This one now.
   *
   * @returns why it is still known, where it is: because it is attached, or the cloud has not stored that it is gone
   */
  async now(udid: string): Promise<'attached' | ReportFailure | undefined> {
    const { roster, reporter, cloudHealth, save } = this.#options;
    const forgetIt = () => this.#forget(Number.POSITIVE_INFINITY, (device) => device.udid === udid);
    if (roster.get(udid)?.attached) return 'attached';
    forgetIt();
    if (reporter && roster.get(udid) !== undefined) {
      const told = await cloudHealth.orFailure(reporter.some([udid]));
      if ('failure' in told) return told;
      forgetIt();
    }
    const kept = roster.get(udid);
    if (kept?.attached) return 'attached';
    if (kept) return { failure: reporter?.refusal(udid) ?? 'it has not stored that the phone is gone' };
    await save();
    return undefined;
  }

  /** @param before ms since the epoch: those that went later are not meant */
  #forget(before: number, isMeant: (device: RosterDevice) => boolean): void {
    const { roster, reportSource, observer, log } = this.#options;
    for (const udid of roster.forget(before, (device) => isMeant(device) && this.#isTold(device))) {
      reportSource.forget(udid);
      log.info({ udid }, 'phone forgotten');
      observer.changed(udid);
    }
  }

  /** Need the cloud not hear of it any more? */
  #isTold({ reported, isGoneStored }: RosterDevice): boolean {
    return this.#options.reporter === undefined || !reported || isGoneStored === true;
  }
}
