/** Forgets unplugged phones, but not before the cloud has stored that they are unplugged. */
import type { CloudTrouble } from '../cloud/errors.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { AgentContext } from './context.ts';
import type { PhoneEvents } from './phone-events.ts';
import type { ReportSource } from './report-source.ts';
import type { Reporter } from './reporter.ts';
import type { Sampler } from './sampler.ts';

interface RetentionParts {
  reportSource: ReportSource;
  cloudHealth: CloudHealth;
  reporter: Reporter | undefined;
  phoneEvents: Pick<PhoneEvents, 'forgotten'>;
  sampler: Pick<Sampler, 'forgotten'>;
}

export class Retention {
  readonly #context: AgentContext;
  readonly #parts: RetentionParts;

  constructor(context: AgentContext, parts: RetentionParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Forgets those that were unplugged long ago. */
  expire(): void {
    this.#context.clockStep.check();
    this.#forget(Date.now() - this.#context.forgetAfterMs, () => true);
  }

  /**
   * Forgets this one now.
   *
   * @returns undefined once it is forgotten; else why not: it is attached, or the cloud has not stored that it is
   *   unplugged
   */
  async now(udid: string): Promise<'attached' | CloudTrouble | undefined> {
    const { roster, save } = this.#context;
    const { reporter, cloudHealth } = this.#parts;
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

  /** @param before ms since the epoch: those that were unplugged later stay */
  #forget(before: number, isMeant: (device: RosterDevice) => boolean): void {
    const { roster, observer, log } = this.#context;
    const forgotten = roster.phones.forget(before, (device) => isMeant(device) && this.#isSettled(device));
    this.#parts.phoneEvents.forgotten(forgotten);
    this.#parts.sampler.forgotten(forgotten);
    for (const udid of forgotten) {
      this.#parts.reportSource.forget(udid);
      log.info({ udid }, 'phone forgotten');
      observer.changed(udid);
    }
  }

  /** Does the cloud know that it is unplugged, or nothing of it? */
  #isSettled({ reported, isGoneStored }: RosterDevice): boolean {
    return this.#parts.reporter === undefined || !reported || isGoneStored === true;
  }
}
