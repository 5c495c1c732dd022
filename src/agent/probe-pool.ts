/** Collects the phones' facts: side by side up to a bound, each phone by one conversation at a time. */
import pLimit from 'p-limit';
import type { Adb, ListedDevice } from '../adb/adb.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Facts } from '../facts/index.ts';
import type { AskOptions, Section } from '../facts/section.ts';
import { PhoneProbe } from '../probe/phone-probe.ts';
import type { Snapshot } from '../probe/snapshot.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import { connectionOf, placeOf } from '../roster/udid.ts';
import type { FreshList } from './fresh-list.ts';
import { ProbeLog } from './probe-log.ts';

export interface ProbePoolOptions {
  adb: Adb;
  roster: Roster;
  clockStep: ClockStep;
  sections: readonly Section<unknown>[];
  ask: Omit<AskOptions, 'shellV2'>;
  /** Phones that are collected at the same time. */
  concurrency: number;
  /** Limit for one phone, ms. */
  deadlineMs: number;
  /** Keeps in each snapshot what the phone printed. */
  keepAnswers?: boolean;
  log: Logger;
}

/** What came of collecting one phone. */
export interface Collected {
  /** The snapshot, which may be the last good one. */
  snapshot?: Snapshot;
  /** Why there is no fresh one. */
  error?: Error;
  /** The phone is still starting, locked, or broke off: it is worth collecting again soon. */
  collectSoon: boolean;
  /** The phones that go by another name now, or are reached in another way. */
  changed: readonly RosterDevice[];
}

interface Phone {
  probe: PhoneProbe;
  current?: Snapshot;
  /** It has identified itself over its present connection. */
  isProven?: boolean;
  /** Of the boot that it reported last. */
  bootId?: string;
  /** Which of its connections this is: another one may be another phone's. */
  connection: number;
  troubles: ProbeLog;
  collecting?: Promise<Collected>;
  /** How often in a row it did not answer, and since when, by the monotonic clock, ms. */
  silence?: { times: number; since: number };
  /** Since when adb does not list it, by the monotonic clock, ms. */
  unlistedSince?: number;
}

/** How long the last facts of a phone count after it fell silent, ms. */
const FACTS_OUTLIVE_SILENCE_MS = 5 * 60_000;
/** How long facts that last until a reboot are kept of an unplugged phone, ms. */
const KEPT_UNLISTED_MS = 3_600_000;
/** Of how many phones at most: a serial that appears once and never again is no phone. */
const MOST_UNLISTED = 1000;
/** How long the numbers of connections in adb's list count after it was read, ms. */
const LIST_IS_OLD_MS = 1_000;
/** A single silence may be a hiccup. */
const SILENT_TIMES = 2;

const NOT_COLLECTED: Collected = { collectSoon: false, changed: [] };

export class ProbePool {
  readonly #options: ProbePoolOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  /** By the place where a phone is attached. */
  readonly #phones = new Map<string, Phone>();
  /** adb's list, by place; undefined where nobody follows it. */
  #listing: ReadonlyMap<string, ListedDevice> | undefined;
  #freshList: FreshList | undefined;
  /** When that list was read, by the monotonic clock, ms. */
  #listedAt = 0;

  constructor(options: ProbePoolOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
  }

  /** From now on adb's list is read anew where it is not certain which phone answered. */
  listedBy(freshList: FreshList): void {
    this.#freshList = freshList;
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

  /** Is it being collected right now? */
  isCollecting(udid: string): boolean {
    const listed = this.#options.roster.listed(udid);
    return listed !== undefined && this.#phones.get(placeOf(listed))?.collecting !== undefined;
  }

  /**
   * Takes adb's list: facts from before a phone went offline no longer count, and over a new connection a phone has to
   * identify itself again.
   *
   * @param isAnotherServer the list may be another server's than the one before: all connections are new
   */
  observe(devices: readonly ListedDevice[], isAnotherServer = false): void {
    const before = this.#listing;
    const listing = new Map(devices.map((listed) => [placeOf(listed), listed]));
    this.#listing = listing;
    this.#listedAt = performance.now();
    for (const [place, phone] of this.#phones) {
      const [was, listed] = [before?.get(place), listing.get(place)];
      const isAway = listed?.state !== 'device';
      const isRenumbered =
        was !== undefined && listed !== undefined && was.transportId !== listed.transportId;
      // a USB port with its serial is one phone's, and its number there the same connection's
      const isOnNetwork = listed !== undefined && connectionOf(listed) !== 'usb';
      if (isAway || isRenumbered || (isAnotherServer && isOnNetwork)) phone.connection += 1;
      if (isAway || isRenumbered || isAnotherServer) doubt(phone);
      if (isAway || (isOnNetwork && (isRenumbered || isAnotherServer))) {
        delete phone.current;
        delete phone.silence;
      }
      if (listed !== undefined) delete phone.unlistedSince;
      else phone.unlistedSince ??= performance.now();
      const unlistedMs = performance.now() - (phone.unlistedSince ?? performance.now());
      if (unlistedMs > KEPT_UNLISTED_MS) this.#phones.delete(place);
    }
    const unlisted = [...this.#phones].filter(([, phone]) => phone.unlistedSince !== undefined);
    if (unlisted.length <= MOST_UNLISTED) return;
    unlisted.sort(([, one], [, other]) => (one.unlistedSince ?? 0) - (other.unlistedSince ?? 0));
    for (const [place] of unlisted.slice(0, unlisted.length - MOST_UNLISTED)) this.#phones.delete(place);
  }

  /** Collects one phone; joins the conversation that is under way. Never throws. */
  collect(udid: string, signal: AbortSignal): Promise<Collected> {
    const listed = this.#options.roster.listed(udid);
    return listed === undefined ? Promise.resolve(NOT_COLLECTED) : this.collectAt(listed, signal);
  }

  /** The same by the way to a phone, also where it is not the best. */
  collectAt(listed: ListedDevice, signal: AbortSignal): Promise<Collected> {
    if (listed.state !== 'device') return Promise.resolve(NOT_COLLECTED);
    const place = placeOf(listed);
    const phone: Phone = this.#phones.get(place) ?? {
      probe: new PhoneProbe({
        ...this.#options,
        ...omitUndefined({ slowSections: this.#options.roster.slowSectionsAt(listed) }),
      }),
      connection: 0,
      troubles: new ProbeLog(this.#options),
    };
    this.#phones.set(place, phone);
    phone.collecting ??= this.#collectAsListed(phone, listed, signal).finally(() => {
      delete phone.collecting;
    });
    return phone.collecting;
  }

  /** Collects a phone; again where it was unplugged and plugged back in meanwhile. */
  async #collectAsListed(phone: Phone, before: ListedDevice, signal: AbortSignal): Promise<Collected> {
    for (;;) {
      const { connection } = phone;
      const collected = await this.#converse(phone, before, signal);
      if (phone.connection === connection || signal.aborted) return collected;
    }
  }

  /** A phone that has waited its turn among many is not collected by an old list. */
  async #isListed(): Promise<boolean> {
    if (performance.now() - this.#listedAt < LIST_IS_OLD_MS) return true;
    return (await this.#freshList?.read()) ?? true;
  }

  /**
   * How adb lists this phone now, whatever its name is since; nothing when it went, or went and another `Phone` came
   * in its place.
   */
  #relisted(phone: Phone, before: ListedDevice): ListedDevice | undefined {
    const place = placeOf(before);
    const listed = this.#listing === undefined ? before : this.#listing.get(place);
    if (listed?.state !== 'device' || this.#phones.get(place) !== phone) return undefined;
    return listed;
  }

  async #converse(phone: Phone, before: ListedDevice, signal: AbortSignal): Promise<Collected> {
    const { roster, deadlineMs } = this.#options;
    let [listed, connection, startedAt] = [before, phone.connection, performance.now()];
    // a phone that hangs is collected in the next round: sooner would not help
    const brokeOff = () => performance.now() - startedAt < deadlineMs;
    try {
      const snapshot = await this.#limit(async () => {
        const now = (await this.#isListed()) ? this.#relisted(phone, before) : undefined;
        if (now === undefined) return undefined;
        if (this.#mayBeSwapped(phone, now)) doubt(phone);
        [listed, connection, startedAt] = [now, phone.connection, performance.now()];
        return phone.probe.collect(now, signal);
      });
      if (snapshot === undefined) return NOT_COLLECTED;
      const isListed = this.#isCertain(phone, listed, snapshot) || ((await this.#freshList?.read()) ?? true);
      if (!isListed || phone.connection !== connection) {
        phone.probe.forget(); // it is not certain which phone answered
        return NOT_COLLECTED;
      }
      const changed = this.#attribute(phone, listed, snapshot);
      phone.troubles.read(this.#nameOf(listed), snapshot);
      const isEmpty = Object.keys(snapshot.facts).length === 0; // no answer could be parsed
      this.#noteSilence(phone, snapshot.broken !== undefined || isEmpty);
      if (snapshot.broken !== undefined) return { snapshot, collectSoon: brokeOff(), changed };
      const { boot } = snapshot.facts;
      return { snapshot, collectSoon: boot?.bootCompleted === false || boot?.dataLocked === true, changed };
    } catch (error) {
      if (phone.connection !== connection) return NOT_COLLECTED;
      this.#noteSilence(phone, !signal.aborted);
      if (!signal.aborted) phone.troubles.lost(this.#nameOf(listed), error as Error, phone.current);
      return omitUndefined({
        snapshot: phone.current,
        error: error as Error,
        collectSoon: brokeOff(),
        changed: signal.aborted ? [] : roster.silent(listed, Date.now()),
      });
    } finally {
      roster.noteSlow(listed, phone.probe.slowSections);
    }
  }

  /**
   * May another phone have come to a network address, and nothing show it? A server older than platform-tools 28 numbers no
   * connection; a server that was replaced by one with the same numbers is known by the boots of its phones, which
   * containers share, and phones without a boot id do not have. They identify themselves each time.
   */
  #mayBeSwapped(phone: Phone, listed: ListedDevice): boolean {
    if (connectionOf(listed) !== 'tcp') return false;
    if (listed.transportId === undefined) return true;
    if (phone.current === undefined) return false;
    const isVirtual = phone.current.facts.identity?.isEmulator === true;
    return isVirtual || phone.bootId === undefined || this.#sharesBoot(phone, phone.bootId);
  }

  #sharesBoot(phone: Phone, bootId: string): boolean {
    return [...this.#phones.values()].some((other) => other !== phone && other.bootId === bootId);
  }

  /**
   * Was it certainly this phone that answered, or may another server have taken the number of its connection for
   * another's? The list shows that once it is read anew. Certain is a phone that gives the same boot as before, or
   * adb's serial, all at once: on USB that is one phone's; on the network the containers of a host share a boot.
   */
  #isCertain(phone: Phone, listed: ListedDevice, { facts, conversations }: Snapshot): boolean {
    const isOne = connectionOf(listed) === 'usb' && conversations === 1 && !phone.probe.wasAnother;
    const bootId = facts.boot?.bootId;
    const isWhoItWas = phone.isProven === true || facts.identity?.serialNumber === listed.serial;
    if (!isOne || !isWhoItWas || bootId === undefined) return false;
    return !this.#sharesBoot(phone, bootId);
  }

  /** A twin may give it another name meanwhile. */
  #nameOf(listed: ListedDevice): string {
    return this.#options.roster.udidAt(listed) ?? placeOf(listed);
  }

  /**
   * What was read over a connection belongs to the phone of this place once the phone has identified itself over it: first
   * that decides its name, then its readings count under that name. A phone that never did has the name of the place.
   *
   * @returns the phones that go by another name now, or are reached in another way
   */
  #attribute(phone: Phone, listed: ListedDevice, snapshot: Snapshot): readonly RosterDevice[] {
    const { roster, clockStep } = this.#options;
    const { boot, identity, name } = snapshot.facts;
    const wasProven = phone.isProven === true;
    if (boot?.bootId !== undefined) phone.bootId = boot.bootId;
    phone.isProven = wasProven || identity !== undefined;
    if (!phone.isProven && roster.isKnown(listed)) return roster.silent(listed, Date.now());
    if (snapshot.broken !== undefined && wasProven) {
      phone.current = snapshot; // what was known before stands in
      return [];
    }
    clockStep.look();
    const uptimeAt = snapshot.uptimeReadAt && onHostClock(snapshot.uptimeReadAt);
    const changed = roster.learn(listed, omitUndefined({ identity, name, boot, uptimeAt }), Date.now());
    phone.current = snapshot;
    return identity === undefined ? [...changed, ...roster.silent(listed, Date.now())] : changed;
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

/** Over a new connection no earlier fact counts until the phone has identified itself as the same. */
function doubt(phone: Phone): void {
  delete phone.isProven;
  phone.probe.reconnected();
}

/** A moment of the monotonic clock, ms, by the host's clock as it is set now: ms since the epoch. */
const onHostClock = (at: number): number => Date.now() - (performance.now() - at);
