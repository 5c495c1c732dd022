/** Forgets unplugged phones: by age, by command, and where there is no room for others. */
import { OutageLog } from '../base/outage-log.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { PhoneWatcher } from '../diagnosis/events/watcher.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { Collector } from './collector.ts';
import type { AgentServices } from './options.ts';
import type { ReportSource } from './report-source.ts';
import type { Reporter } from './reporter.ts';

export interface RetentionOptions
  extends Pick<AgentServices, 'roster' | 'clockStep' | 'observer' | 'forgetAfterMs' | 'save' | 'log'> {
  watcher: PhoneWatcher;
  collector: Collector;
  source: ReportSource;
  cloudHealth: CloudHealth;
  /** Undefined where no cloud is configured. */
  reporter: Reporter | undefined;
}

export class Retention {
  readonly #options: RetentionOptions;
  readonly #fullLog = new OutageLog();

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Forgets those that were unplugged long ago, but not before the cloud has stored that they are unplugged. */
  expire(): void {
    this.#options.clockStep.check();
    this.#forget(Date.now() - this.#options.forgetAfterMs, () => true);
  }

  /**
   * Forgets this one now.
   *
   * @returns undefined once it is forgotten; else why not: it is attached, or the cloud has not stored that it is
   *   unplugged
   */
  async now(udid: string): Promise<'attached' | CloudTrouble | undefined> {
    const { roster, save, reporter, cloudHealth } = this.#options;
    const forgetIt = () => this.#forget(Number.POSITIVE_INFINITY, (device) => device.udid === udid);
    if (roster.get(udid)?.attached) return 'attached';
    forgetIt();
    if (reporter && roster.get(udid) !== undefined) {
      const result = await cloudHealth.orFailure(reporter.some([udid]));
      if ('failure' in result) return result;
      forgetIt();
    }
    const kept = roster.get(udid);
    if (kept?.attached) return 'attached';
    if (kept) return { failure: reporter?.refusal(udid) ?? 'it has not stored that the phone is unplugged' };
    await save();
    return undefined;
  }

  /** adb's list was read: the roster may have forgotten phones to make room for others. */
  dropped(): void {
    const { roster, log } = this.#options;
    const dropped = roster.phones.takeDropped();
    this.#forgotten(dropped);
    const { beyond } = roster;
    if (!roster.phones.isFull) this.#fullLog.end();
    else if ((dropped.length > 0 || beyond > 0) && this.#fullLog.begin('full'))
      log.warn(
        { phones: roster.devices.length, ignored: beyond },
        'more phones than roster.maxPhones: unplugged ones expire before their time, further ones are ignored',
      );
  }

  /** @param before ms since the epoch: those that were unplugged later stay */
  #forget(before: number, isMeant: (device: RosterDevice) => boolean): void {
    const { roster, reporter, log } = this.#options;
    // the cloud knows that it is unplugged, or nothing of it
    const isStored = ({ reported, isGoneStored }: RosterDevice) =>
      reporter === undefined || !reported || isGoneStored === true;
    const forgotten = roster.phones.forget(before, (device) => isMeant(device) && isStored(device));
    for (const udid of forgotten) log.info({ udid }, 'phone forgotten');
    this.#forgotten(forgotten);
  }

  /** Nothing of these phones is to remain. */
  #forgotten(udids: readonly string[]): void {
    const { watcher, collector, source, observer } = this.#options;
    watcher.forgotten(udids);
    for (const udid of udids) {
      collector.forget(udid);
      source.forget(udid);
      observer.changed(udid);
    }
  }
}
