/** The places where phones are attached, and what we know about the phone at each. */
import type { ListedDevice } from '../adb/adb.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { BootFacts } from '../facts/boot.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import { compare, isOtherMake } from '../facts/same-phone.ts';
import type { RosterDevice } from './device.ts';
import {
  type Attachment,
  connectionOf,
  isPlaceholderSerial,
  isPlaceOf,
  type Known,
  placeOf,
} from './udid.ts';

export interface Place {
  known: Known;
  /** The phone that is attached here, or was last. */
  udid?: string;
  /** The last connection number that adb listed here. */
  transportId?: number;
  /** When adb began to list a network name as offline, ms since the epoch. */
  offlineSince?: number;
  /** When adb stopped listing it, ms since the epoch. */
  unlistedSince?: number;
}

/** If adb lists a place again within this time, we assume the same phone, ms. */
const TRUST_MS = 24 * 3_600_000;
/** A recomputed boot time counts as changed only beyond this drift, seconds. */
const DRIFT_SECONDS = 30;

/** The facts of a phone that decide its name. */
export interface NamingFacts {
  identity?: IdentityFacts;
  boot?: BootFacts;
  /** When the uptime arrived, ms since the epoch. */
  uptimeAt?: number;
}

export class Places {
  readonly #offlineNetworkMs: number;
  readonly #most: number;
  readonly #places = new Map<string, Place>();
  #isAnyOnNetwork = false;

  /** @param most how many places we remember, besides those that adb lists */
  constructor(offlineNetworkMs: number, most: number) {
    this.#offlineNetworkMs = offlineNetworkMs;
    this.#most = most;
  }

  /** The place of a phone of an earlier run, unless more is known about it by now. */
  restore(device: RosterDevice, parted: ReadonlySet<string>, now: number): void {
    const { udid, identity, boot, lastSeenAt, supersededBy } = device;
    const place = placeOf(device);
    if (supersededBy !== undefined || this.#places.has(place)) return;
    const offlineSince = this.#offlineSince(device);
    if (now - lastSeenAt > TRUST_MS) {
      if (offlineSince !== undefined) this.#places.set(place, { known: {}, offlineSince });
      return;
    }
    const isParted = parted.has(place) || undefined;
    this.#places.set(place, {
      known: omitUndefined({
        ...knownOf(identity),
        bootId: boot?.id || undefined,
        startedAt: boot?.bootTimeSeconds,
        isParted,
        isStale: true,
      }),
      udid,
      unlistedSince: lastSeenAt,
      ...omitUndefined({ offlineSince }),
    });
  }

  /** An expired network name does not count as attached again while adb still lists it as offline. */
  #offlineSince({ connection, attached, goneAt, lastSeenAt }: RosterDevice): number | undefined {
    if (connection !== 'tcp' || attached) return undefined;
    return (goneAt ?? lastSeenAt) - this.#offlineNetworkMs - 1;
  }

  at(listed: ListedDevice): Place {
    const name = placeOf(listed);
    const place = this.#places.get(name) ?? { known: {} };
    this.#places.set(name, place);
    return place;
  }

  /** The phone that is attached this way, or was last. */
  udidAt(listed: ListedDevice): string | undefined {
    return this.#places.get(placeOf(listed))?.udid;
  }

  /** Forgets the unlisted places of these phones. */
  forget(udids: ReadonlySet<string>): void {
    for (const [name, { udid, unlistedSince }] of this.#places)
      if (unlistedSince !== undefined && udid !== undefined && udids.has(udid)) this.#places.delete(name);
  }

  get parted(): string[] {
    return [...this.#places].filter(([, { known }]) => known.isParted).map(([name]) => name);
  }

  /** @param isAnotherServer the list may come from another server, with other connection numbers */
  observe(listed: readonly ListedDevice[], now: number, isAnotherServer = false): void {
    this.#isAnyOnNetwork = listed.some((device) => connectionOf(device) === 'tcp');
    const names = new Set(listed.map(placeOf));
    /** Phones that lost a connection: they may be rebooting while adb still lists another connection. */
    const interrupted = new Set<string | undefined>();
    for (const [name, place] of this.#places) {
      if (names.has(name)) continue;
      place.unlistedSince ??= now;
      delete place.offlineSince;
      delete place.transportId;
      interrupted.add(place.udid);
      if (now - place.unlistedSince > TRUST_MS) this.#places.delete(name);
    }
    // once: of a long list each phone would look through all places
    const unlisted = [...this.#places].filter(([, { unlistedSince }]) => unlistedSince !== undefined);
    for (const device of listed) {
      const place = this.#movedTo(device, unlisted) ?? this.at(device);
      const isReconnected = isAnotherServer || place.transportId !== device.transportId;
      delete place.unlistedSince;
      if (device.state !== 'device' || isReconnected) {
        interrupted.add(place.udid);
        delete place.known.isSilent;
      }
      if (device.transportId === undefined) delete place.transportId;
      else place.transportId = device.transportId;
      if (device.state !== 'offline' || connectionOf(device) !== 'tcp') delete place.offlineSince;
      else place.offlineSince ??= now;
    }
    forgetOldestUnlisted(this.#places, this.#most);
    for (const { udid, known } of this.#places.values())
      if (interrupted.has(udid) && hasFacts(known)) known.isStale = true;
  }

  /** A serial that appears on another USB port is the same phone. */
  #movedTo(device: ListedDevice, unlisted: readonly [string, Place][]): Place | undefined {
    const { serial } = device;
    if (this.#places.has(placeOf(device)) || connectionOf(device) !== 'usb') return undefined;
    if (isPlaceholderSerial(serial)) return undefined;
    const before = unlisted.find(
      ([name, { unlistedSince }]) => unlistedSince !== undefined && isPlaceOf(name, serial),
    );
    const known = before && { ...before[1].known, isStale: true };
    return known && Object.assign(this.at(device), { known });
  }

  /** The host's clock was set: `moved` converts each time. */
  clockSet(moved: (at: number) => number): void {
    for (const place of this.#places.values()) {
      if (place.offlineSince !== undefined) place.offlineSince = moved(place.offlineSince);
      if (place.unlistedSince !== undefined) place.unlistedSince = moved(place.unlistedSince);
      const { startedAt } = place.known;
      if (startedAt !== undefined) place.known.startedAt = moved(startedAt * 1000) / 1000;
    }
  }

  /** @returns whether a name may change. adb alone names phones on USB, so only network phones matter */
  learn(listed: ListedDevice, { identity, boot, uptimeAt }: NamingFacts): boolean {
    const place = this.at(listed);
    const isAnother = isOtherMake(place.known.identity, identity);
    const { isParted, isStale, ...former } = isAnother ? {} : place.known;
    const before = isStale && boot !== undefined ? undefined : former;
    const known = omitUndefined({
      ...knownOf(identity ?? former.identity),
      bootId: boot?.bootId ?? before?.bootId,
      startedAt: (boot && startedBy(boot, uptimeAt, former.startedAt)) ?? before?.startedAt,
      isParted,
    });
    const isChanged = JSON.stringify(known) !== JSON.stringify(place.known);
    place.known = known;
    return isChanged && this.#isAnyOnNetwork;
  }

  /** @returns whether a name may change */
  silent(listed: ListedDevice): boolean {
    const { known } = this.at(listed);
    if (known.isSilent || (hasFacts(known) && !known.isStale)) return false;
    known.isSilent = true;
    return this.#isAnyOnNetwork;
  }

  isKnown(listed: ListedDevice): boolean {
    return this.at(listed).known.identity !== undefined;
  }

  /** Do the facts prove that both places have the same phone? */
  areOne(a: Located, b: Located): boolean {
    const [one, other] = [a, b].map((entry) => this.#places.get(placeOf(entry)));
    return one === other || compare(one?.known ?? {}, other?.known ?? {}) === 'same';
  }

  /** Network names whose phones have not yet confirmed their identity on this connection. */
  unproven(listed: readonly ListedDevice[]): ListedDevice[] {
    return listed.filter((device) => connectionOf(device) === 'tcp' && this.at(device).known.isStale);
  }

  /** These answered from another boot than the phone with the same name. */
  part(parted: readonly ListedDevice[]): void {
    for (const listed of parted) this.at(listed).known.isParted = true;
  }

  /** These connections lead to one phone: the same boot id means the same start. */
  join(best: ListedDevice, entries: readonly ListedDevice[]): void {
    const { bootId, startedAt } = this.at(best).known;
    for (const { known } of entries.map((entry) => this.at(entry))) {
      if (known.bootId !== undefined) delete known.isParted;
      if (bootId !== undefined && known.bootId === bootId && startedAt !== undefined)
        known.startedAt = startedAt;
    }
  }

  /** The listed connections with what we know, without network names that have been offline too long. */
  attachments(listed: readonly ListedDevice[], now: number): Attachment[] {
    return listed
      .map((device) => ({ listed: device, place: this.at(device) }))
      .filter(({ place }) => now - (place.offlineSince ?? now) <= this.#offlineNetworkMs)
      .map(({ listed: device, place }) =>
        omitUndefined({ listed: device, known: place.known, udid: place.udid }),
      );
  }
}

const knownOf = (identity: IdentityFacts | undefined): Known =>
  identity
    ? omitUndefined({ serialNumber: identity.serialNumber, isEmulator: identity.isEmulator, identity })
    : {};

type Located = Pick<ListedDevice, 'serial' | 'devpath'>;

const hasFacts = ({ identity, bootId, startedAt }: Known): boolean =>
  identity !== undefined || bootId !== undefined || startedAt !== undefined;

/** When the boot began, seconds since the epoch by the host's clock. */
function startedBy(
  { uptimeSeconds }: BootFacts,
  uptimeAt: number | undefined,
  before: number | undefined,
): number | undefined {
  if (uptimeSeconds === undefined || uptimeAt === undefined) return undefined;
  const startedAt = uptimeAt / 1000 - uptimeSeconds;
  return before !== undefined && Math.abs(startedAt - before) < DRIFT_SECONDS ? before : startedAt;
}

/** Keeps at most `most` of the entries that adb does not list: those that it listed last. */
export function forgetOldestUnlisted(entries: Map<string, { unlistedSince?: number }>, most: number): void {
  if (entries.size <= most) return;
  const unlisted = [...entries].flatMap(([name, { unlistedSince: since }]) =>
    since === undefined ? [] : [{ name, since }],
  );
  unlisted.sort((one, other) => one.since - other.since);
  for (const { name } of unlisted.slice(0, Math.max(0, unlisted.length - most))) entries.delete(name);
}
