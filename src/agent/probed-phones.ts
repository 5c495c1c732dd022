/** The phones that are collected, by the place where each is attached, and whether it is certain which phone is there. */
import type { ListedDevice } from '../adb/adb.ts';
import { uptimeMs } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Section } from '../facts/section.ts';
import type { PhoneProbe } from '../probe/phone-probe.ts';
import type { Snapshot } from '../probe/snapshot.ts';
import type { RosterDevice } from '../roster/device.ts';
import { forgetOldestUnlisted } from '../roster/places.ts';
import { connectionOf, placeOf } from '../roster/udid.ts';

export interface Collected {
  /** The snapshot, which may be the last good one. */
  snapshot?: Snapshot;
  /** Why there is no fresh one. */
  error?: Error;
  /** The phone is still starting, locked, or broke off: it is worth collecting again soon. */
  collectSoon: boolean;
  /** The phones whose name or connection changed. */
  changed: readonly RosterDevice[];
}

export interface ProbedPhone {
  probe: PhoneProbe;
  current?: Snapshot;
  /** It has identified itself over its present connection. */
  isProven?: boolean;
  /** Of the boot that it reported last. */
  bootId?: string;
  collecting?: Promise<Collected>;
  /** Which of its connections this is: another one may be another phone's. */
  connection: number;
  probeLog: ProbeLog;
  /** How often in a row it did not answer, and since when, by `uptimeMs`. */
  silence?: { times: number; since: number };
  /** Since when adb does not list it, by `uptimeMs`. */
  unlistedSince?: number;
}

/** How long we keep facts that last until a reboot after a phone was unplugged, ms. */
const KEPT_UNLISTED_MS = 3_600_000;
/** The same for at most this many phones: a serial that appears only once is no phone. */
const MOST_UNLISTED = 1000;
/** How long the numbers of connections in adb's list count after it was read, ms. */
const LIST_IS_OLD_MS = 1_000;

export class ProbedPhones {
  readonly #phones = new Map<string, ProbedPhone>();
  /** adb's list, by place; undefined where nobody tracks it. */
  #listing: ReadonlyMap<string, ListedDevice> | undefined;
  /** When that list was read, by the monotonic clock, ms. */
  #listedAt = 0;

  at(listed: ListedDevice): ProbedPhone | undefined {
    return this.#phones.get(placeOf(listed));
  }

  add(listed: ListedDevice, phone: ProbedPhone): ProbedPhone {
    this.#phones.set(placeOf(listed), phone);
    return phone;
  }

  /**
   * Takes adb's list: facts from before a phone went offline no longer count, and over a new connection a phone has to
   * identify itself again.
   *
   * @param isAnotherServer the list may come from another server than the last one: then all connections are new
   */
  observe(devices: readonly ListedDevice[], isAnotherServer = false): void {
    const before = this.#listing;
    const listing = new Map(devices.map((listed) => [placeOf(listed), listed]));
    this.#listing = listing;
    this.#listedAt = performance.now();
    const now = uptimeMs();
    for (const [place, phone] of this.#phones) {
      const was = before?.get(place);
      const listed = listing.get(place);
      const isAway = listed?.state !== 'device';
      const isRenumbered =
        was !== undefined && listed !== undefined && was.transportId !== listed.transportId;
      // a USB port with its serial is one phone's, and its number there the same connection's
      const isOnNetwork = listed !== undefined && connectionOf(listed) !== 'usb';
      if (isAway || isRenumbered || (isAnotherServer && isOnNetwork)) phone.connection += 1;
      if (isAway || isRenumbered || isAnotherServer) markUnproven(phone);
      if (isAway || (isOnNetwork && (isRenumbered || isAnotherServer))) {
        delete phone.current;
        delete phone.silence;
      }
      if (listed !== undefined) delete phone.unlistedSince;
      else phone.unlistedSince ??= now;
      if (now - (phone.unlistedSince ?? now) > KEPT_UNLISTED_MS) this.#phones.delete(place);
    }
    forgetOldestUnlisted(this.#phones, MOST_UNLISTED);
  }

  get isListFresh(): boolean {
    return performance.now() - this.#listedAt < LIST_IS_OLD_MS;
  }

  /**
   * How adb lists this phone now, also under a new name. Undefined if it was unplugged, or another phone is at its
   * place.
   */
  relisted(phone: ProbedPhone, before: ListedDevice): ListedDevice | undefined {
    const listed = this.#listing === undefined ? before : this.#listing.get(placeOf(before));
    return listed?.state === 'device' && this.at(before) === phone ? listed : undefined;
  }

  /**
   * May another phone have taken over a network address unnoticed? Then the phone has to identify itself in each round:
   * - a server older than platform-tools 28 does not number its connections;
   * - a new server may give the same numbers. Then only the boot id shows another phone: containers of one host share
   *   theirs, and some phones have none.
   */
  mayBeSwapped(phone: ProbedPhone, listed: ListedDevice): boolean {
    if (connectionOf(listed) !== 'tcp') return false;
    if (listed.transportId === undefined) return true;
    if (phone.current === undefined) return false;
    const isVirtual = phone.current.facts.identity?.isEmulator === true;
    return isVirtual || phone.bootId === undefined || this.#sharesBoot(phone, phone.bootId);
  }

  /**
   * Was it certainly this phone that answered? A new server may have given its connection number to another phone; a
   * new list shows that. Certain is a phone on USB that answered in one conversation, and gave its known boot id or the
   * serial that adb lists. On the network, the containers of one host share a boot id.
   */
  isCertain(phone: ProbedPhone, listed: ListedDevice, { facts, conversations }: Snapshot): boolean {
    const isOne = connectionOf(listed) === 'usb' && conversations === 1 && !phone.probe.wasAnother;
    const bootId = facts.boot?.bootId;
    const isWhoItWas = phone.isProven === true || facts.identity?.serialNumber === listed.serial;
    if (!isOne || !isWhoItWas || bootId === undefined) return false;
    return !this.#sharesBoot(phone, bootId);
  }

  #sharesBoot(phone: ProbedPhone, bootId: string): boolean {
    return this.#phones.values().some((other) => other !== phone && other.bootId === bootId);
  }
}

/** Over a new connection no earlier fact counts until the phone has identified itself as the same. */
export function markUnproven(phone: ProbedPhone): void {
  delete phone.isProven;
  phone.probe.reconnected();
}

/** Failures in collecting one phone: logged when they begin and when they end, not while they last. */
export class ProbeLog {
  readonly #log: Logger;
  /** What these sections print identifies a person: it must never reach the log. */
  readonly #personal: ReadonlySet<string>;
  /** Those that last, each with its section: `battery timed-out`; `lost` and `broken` have none. */
  #logged: ReadonlyMap<string, string | undefined> = new Map();
  #sectionsTakenAt: Snapshot['sectionsTakenAt'] = {};

  constructor(sections: readonly Section<unknown>[], log: Logger) {
    this.#personal = new Set(sections.filter(({ isPersonal }) => isPersonal).map(({ name }) => name));
    this.#log = log;
  }

  /** The phone answered, perhaps not to the end. */
  read(udid: string, { failures, broken, takenAt, sectionsTakenAt, conversations }: Snapshot): void {
    const log = this.#log;
    const problems = new Map<string, string | undefined>(
      failures.map(({ section, kind }) => [`${section} ${kind}`, section]),
    );
    if (broken !== undefined) problems.set('broken', undefined);
    for (const { section, kind, error } of failures) {
      if (this.#logged.has(`${section} ${kind}`)) continue;
      const err = this.#personal.has(section) ? undefined : error;
      log.warn(omitUndefined({ udid, section, kind, err }), 'a section could not be read');
    }
    if (broken !== undefined && !this.#logged.has('broken'))
      log.warn({ udid, reason: broken, factsAgeSeconds: ageSeconds(takenAt) }, 'the phone broke off');
    for (const [problem, section] of this.#logged) {
      if (problems.has(problem)) continue;
      if (section === undefined || this.#wasRead(section, sectionsTakenAt))
        log.info({ udid, problem }, 'it works again');
      else problems.set(problem, section);
    }
    log.debug({ udid, conversations, failures: failures.length }, 'phone read');
    this.#logged = problems;
    this.#sectionsTakenAt = sectionsTakenAt;
  }

  /** @param last the last snapshot, while it still counts */
  lost(udid: string, err: Error, last: Snapshot | undefined): void {
    if (!this.#logged.has('lost')) {
      const factsAgeSeconds = last && ageSeconds(last.takenAt);
      this.#log.warn(omitUndefined({ udid, err, factsAgeSeconds }), 'the phone could not be read');
    }
    this.#logged = new Map([...this.#logged, ['lost', undefined]]);
  }

  /** A section that was not due, or is skipped for a while, may still fail. */
  #wasRead(section: string, sectionsTakenAt: Snapshot['sectionsTakenAt']): boolean {
    const takenAt = sectionsTakenAt[section];
    return takenAt !== undefined && takenAt !== this.#sectionsTakenAt[section];
  }
}

/** @param takenAt ms since the epoch */
const ageSeconds = (takenAt: number): number => Math.round((Date.now() - takenAt) / 1000);
