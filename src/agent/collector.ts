/** Asks the phones for their facts: side by side up to a bound, each phone by one conversation at a time. */
import pLimit from 'p-limit';
import type { Adb, ListedDevice } from '../adb/adb.ts';
import type { Facts } from '../facts/facts.ts';
import type { Logger } from '../log.ts';
import { present } from '../present.ts';
import { PhoneProbe, type Snapshot } from '../probe/phone-probe.ts';
import type { AskOptions, Section } from '../probe/section.ts';
import type { Roster } from '../roster/roster.ts';
import { placeOf } from '../roster/udid.ts';

export interface CollectorOptions {
  adb: Adb;
  roster: Roster;
  sections: readonly Section<unknown>[];
  ask: Omit<AskOptions, 'shellV2'>;
  /** Phones that are asked at the same time. */
  concurrency: number;
  /** Limit for one phone, ms. */
  deadlineMs: number;
  log: Logger;
}

/** What came of asking one phone. */
export interface Collected {
  /** The snapshot, which may be the last good one. */
  snapshot?: Snapshot;
  /** Why there is no fresh one. */
  error?: Error;
  /** The phone is still starting, or broke off: it is worth asking again soon. */
  askSoon: boolean;
}

interface Phone {
  probe: PhoneProbe;
  current?: Snapshot;
  /** What goes wrong, so that it is said when it begins and when it ends. */
  troubles: ReadonlySet<string>;
  asking?: Promise<Collected>;
}

export class Collector {
  readonly #options: CollectorOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  /** By the place where a phone is attached. */
  readonly #phones = new Map<string, Phone>();

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
  }

  /** The facts of a phone that is attached and online; empty while they are not known. */
  facts(udid: string): Facts {
    return this.snapshot(udid)?.facts ?? {};
  }

  snapshot(udid: string): Snapshot | undefined {
    const listed = this.#options.roster.listed(udid);
    return listed?.state === 'device' ? this.#phones.get(placeOf(listed))?.current : undefined;
  }

  /** Is it being asked right now? */
  isAsking(udid: string): boolean {
    const listed = this.#options.roster.listed(udid);
    return listed !== undefined && this.#phones.get(placeOf(listed))?.asking !== undefined;
  }

  /** What was read before the phone went offline is no longer how it is. */
  drop(listed: ListedDevice): void {
    const phone = this.#phones.get(placeOf(listed));
    if (phone) delete phone.current;
  }

  /** Asks one phone; joins the conversation that is under way. Never throws. */
  collect(udid: string, signal: AbortSignal): Promise<Collected> {
    const listed = this.#options.roster.listed(udid);
    if (listed?.state !== 'device') return Promise.resolve({ askSoon: false });
    const place = placeOf(listed);
    const phone = this.#phones.get(place) ?? { probe: new PhoneProbe(this.#options), troubles: new Set() };
    this.#phones.set(place, phone);
    phone.asking ??= this.#limit(() => this.#ask(phone, listed, udid, signal)).finally(() => {
      delete phone.asking;
    });
    return phone.asking;
  }

  async #ask(phone: Phone, listed: ListedDevice, udid: string, signal: AbortSignal): Promise<Collected> {
    const { roster } = this.#options;
    try {
      const snapshot = await phone.probe.ask(listed, signal);
      const { boot, identity, name } = snapshot.facts;
      phone.current = snapshot;
      const told = { identity, givenName: name?.givenName, boot, uptimeAt: snapshot.uptimeAt };
      if (snapshot.broken === undefined) roster.learn(listed, present(told), Date.now());
      this.#say(phone, udid, snapshot);
      return { snapshot, askSoon: boot?.bootCompleted === false || snapshot.broken !== undefined };
    } catch (error) {
      if (!signal.aborted) this.#sayLost(phone, udid, error as Error);
      return present({ snapshot: phone.current, error: error as Error, askSoon: true });
    }
  }

  /** Says what began to go wrong, and what works again; not what goes on. */
  #say(phone: Phone, udid: string, { failures, broken, takenAt, conversations }: Snapshot): void {
    const log = this.#options.log.child({ udid });
    const troubles = new Set([
      ...failures.map(({ section, kind }) => `${section} ${kind}`),
      ...(broken === undefined ? [] : ['broken']),
    ]);
    for (const { section, kind, error } of failures) {
      if (phone.troubles.has(`${section} ${kind}`)) continue;
      log.warn(present({ section, kind, err: error }), 'a section could not be read');
    }
    if (broken !== undefined && !phone.troubles.has('broken')) {
      log.warn(
        { reason: broken, factsAgeSeconds: Math.round((Date.now() - takenAt) / 1000) },
        'the phone broke off',
      );
    }
    for (const trouble of phone.troubles) {
      if (!troubles.has(trouble)) log.info({ trouble }, 'it works again');
    }
    log.debug({ conversations, failures: failures.length }, 'phone read');
    phone.troubles = troubles;
  }

  #sayLost(phone: Phone, udid: string, error: Error): void {
    if (!phone.troubles.has('lost'))
      this.#options.log.warn({ udid, err: error }, 'the phone could not be read');
    phone.troubles = new Set([...phone.troubles, 'lost']);
  }
}
