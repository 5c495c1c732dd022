/** Asks the phones for their facts: side by side up to a bound, each phone by one conversation at a time. */
import pLimit from 'p-limit';
import type { Adb, ListedDevice } from '../adb/adb.ts';
import type { Facts } from '../facts/facts.ts';
import type { AskOptions, Section } from '../facts/section.ts';
import type { Logger } from '../log.ts';
import { present } from '../present.ts';
import { PhoneProbe } from '../probe/phone-probe.ts';
import type { Snapshot } from '../probe/snapshot.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import { connectionOf, placeOf } from '../roster/udid.ts';
import type { HostClock } from './host-clock.ts';
import { ReadingTroubles } from './reading-troubles.ts';

export interface CollectorOptions {
  adb: Adb;
  roster: Roster;
  hostClock: HostClock;
  sections: readonly Section<unknown>[];
  ask: Omit<AskOptions, 'shellV2'>;
  /** Phones that are asked at the same time. */
  concurrency: number;
  /** Limit for one phone, ms. */
  deadlineMs: number;
  /** Keeps in each snapshot what the phone printed. */
  keepAnswers?: boolean;
  log: Logger;
}

/** What came of asking one phone. */
export interface Collected {
  /** The snapshot, which may be the last good one. */
  snapshot?: Snapshot;
  /** Why there is no fresh one. */
  error?: Error;
  /** The phone is still starting, locked, or broke off: it is worth asking again soon. */
  askSoon: boolean;
  /** The phones that go by another name now, or are reached in another way. */
  changed: readonly RosterDevice[];
}

interface Phone {
  probe: PhoneProbe;
  current?: Snapshot;
  troubles: ReadingTroubles;
  asking?: Promise<Collected>;
  /** How often in a row it did not answer, and since when, by the monotonic clock, ms. */
  silence?: { times: number; since: number };
  /** Since when adb does not list it, by the monotonic clock, ms. */
  unlistedSince?: number;
}

/** What a phone said last counts as how it is for so long after it fell silent, ms. */
const FACTS_OUTLIVE_SILENCE_MS = 5 * 60_000;
/** What need not be asked again before a reboot is remembered for so long after a phone was unplugged, ms. */
const KEPT_UNLISTED_MS = 3_600_000;
/** A single silence may be a hiccup. */
const SILENT_TIMES = 2;

const NOT_ASKED: Collected = { askSoon: false, changed: [] };

export class Collector {
  readonly #options: CollectorOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  /** By the place where a phone is attached. */
  readonly #phones = new Map<string, Phone>();
  /** adb's list, by place; undefined where nobody follows it. */
  #listing: ReadonlyMap<string, ListedDevice> | undefined;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
  }

  /** The facts of a phone that is attached and online; empty while they are not known. */
  facts(udid: string): Facts {
    return this.snapshot(udid)?.facts ?? {};
  }

  snapshot(udid: string): Snapshot | undefined {
    const { current, silence } = this.#online(udid) ?? {};
    const isOldNews = silence && performance.now() - silence.since > FACTS_OUTLIVE_SILENCE_MS;
    return isOldNews ? undefined : current;
  }

  /** adb calls it `device`, and it does not answer. */
  isSilent(udid: string): boolean {
    return (this.#online(udid)?.silence?.times ?? 0) >= SILENT_TIMES;
  }

  #online(udid: string): Phone | undefined {
    const listed = this.#options.roster.listed(udid);
    return listed?.state === 'device' ? this.#phones.get(placeOf(listed)) : undefined;
  }

  /** Is it being asked right now? */
  isAsking(udid: string): boolean {
    const listed = this.#options.roster.listed(udid);
    return listed !== undefined && this.#phones.get(placeOf(listed))?.asking !== undefined;
  }

  /** Takes adb's list: what was read before a phone went offline is no longer how it is. */
  observe(devices: readonly ListedDevice[]): void {
    const before = this.#listing;
    const listing = new Map(devices.map((listed) => [placeOf(listed), listed]));
    this.#listing = listing;
    for (const [place, phone] of this.#phones) {
      const listed = listing.get(place);
      if (listed?.state !== 'device' || mayBeAnother(before?.get(place), listed)) {
        delete phone.current;
        delete phone.silence;
        phone.probe.interrupted();
      }
      if (listed !== undefined) delete phone.unlistedSince;
      else phone.unlistedSince ??= performance.now();
      const unlistedMs = performance.now() - (phone.unlistedSince ?? performance.now());
      if (unlistedMs > KEPT_UNLISTED_MS) this.#phones.delete(place);
    }
  }

  /** Asks one phone; joins the conversation that is under way. Never throws. */
  collect(udid: string, signal: AbortSignal): Promise<Collected> {
    const listed = this.#options.roster.listed(udid);
    if (listed?.state !== 'device') return Promise.resolve(NOT_ASKED);
    const place = placeOf(listed);
    const phone = this.#phones.get(place) ?? {
      probe: new PhoneProbe({
        ...this.#options,
        ...present({ slowSections: this.#options.roster.get(udid)?.slowSections }),
      }),
      troubles: new ReadingTroubles(this.#options),
    };
    this.#phones.set(place, phone);
    phone.asking ??= this.#limit(() => this.#askAsListed(phone, listed, signal)).finally(() => {
      delete phone.asking;
    });
    return phone.asking;
  }

  /** Asks a phone; anew where it broke off because it was plugged out and in again meanwhile. */
  async #askAsListed(phone: Phone, before: ListedDevice, signal: AbortSignal): Promise<Collected> {
    for (;;) {
      const listed = this.#relisted(phone, before);
      if (listed === undefined) return NOT_ASKED;
      const collected = await this.#ask(phone, listed, signal);
      if (collected.error === undefined && collected.snapshot?.broken === undefined) return collected;
      const isAnotherConnection = this.#relisted(phone, listed)?.transportId !== listed.transportId;
      if (!isAnotherConnection || signal.aborted) return collected;
    }
  }

  /**
   * How adb lists this phone now, whatever its name is since; nothing when it went, or went and another `Phone` came
   * in its place.
   */
  #relisted(phone: Phone, before: ListedDevice): ListedDevice | undefined {
    const { roster } = this.#options;
    const listed = roster.listed(roster.udidAt(before) ?? '');
    if (listed?.state !== 'device' || this.#phones.get(placeOf(listed)) !== phone) return undefined;
    return listed;
  }

  /** Connected as it was when it was asked, under whatever name. */
  #isStill(phone: Phone, listed: ListedDevice): boolean {
    const place = placeOf(listed);
    if (this.#phones.get(place) !== phone) return false;
    if (this.#listing === undefined) return true;
    const now = this.#listing.get(place);
    return now?.state === 'device' && now.transportId === listed.transportId;
  }

  async #ask(phone: Phone, listed: ListedDevice, signal: AbortSignal): Promise<Collected> {
    const { roster, hostClock, deadlineMs } = this.#options;
    const udid = () => roster.udidAt(listed) ?? placeOf(listed); // a twin may give it another name meanwhile
    const startedAt = performance.now();
    // one that hangs is asked in the next round: there is nothing to be hoped for before
    const brokeOff = () => performance.now() - startedAt < deadlineMs;
    try {
      const snapshot = await phone.probe.ask(listed, signal);
      const { boot, identity, name } = snapshot.facts;
      if (this.#isStill(phone, listed)) phone.current = snapshot;
      phone.troubles.read(udid(), snapshot);
      const saidNothing = Object.keys(snapshot.facts).length === 0; // nothing that makes sense
      this.#noteSilence(phone, snapshot.broken !== undefined || saidNothing);
      if (snapshot.broken !== undefined) return { snapshot, askSoon: brokeOff(), changed: [] };
      hostClock.look();
      const uptimeAt = snapshot.uptimeReadAt && onHostClock(snapshot.uptimeReadAt);
      const told = present({ identity, name, boot, uptimeAt });
      const changed = roster.learn(listed, told, Date.now());
      return { snapshot, askSoon: boot?.bootCompleted === false || boot?.dataLocked === true, changed };
    } catch (error) {
      this.#noteSilence(phone, !signal.aborted);
      if (!signal.aborted) phone.troubles.lost(udid(), error as Error, phone.current);
      return present({
        snapshot: phone.current,
        error: error as Error,
        askSoon: brokeOff(),
        changed: [],
      });
    } finally {
      roster.noteSlow(listed, phone.probe.slowSections);
    }
  }

  #noteSilence(phone: Phone, isSilent: boolean): void {
    if (!isSilent) delete phone.silence;
    else
      phone.silence = {
        times: (phone.silence?.times ?? 0) + 1,
        since: phone.silence?.since ?? performance.now(),
      };
  }
}

/** Another phone may have come to a network address; a USB port with its serial is one phone's. */
const mayBeAnother = (before: ListedDevice | undefined, now: ListedDevice): boolean =>
  connectionOf(now) === 'tcp' && before !== undefined && before.transportId !== now.transportId;

/** A moment of the monotonic clock, ms, by the host's clock as it is set now: ms since the epoch. */
const onHostClock = (at: number): number => Date.now() - (performance.now() - at);
