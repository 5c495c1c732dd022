/** Where phones are attached, and what the phone at each place has told of itself. */
import type { ListedDevice } from '../adb/adb.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { BootFacts } from '../facts/boot.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import { compare, isOtherMake } from '../facts/same-phone.ts';
import type { RosterDevice } from './device.ts';
import { type Attachment, connectionOf, isPlaceholderSerial, type Known, placeOf } from './udid.ts';

export interface Place {
  known: Known;
  /** The phone that is, or was last, attached here. */
  udid?: string;
  /** The number of the connection that adb listed here last. */
  transportId?: number;
  /** Since when adb lists a network name as offline, ms since the epoch. */
  offlineSince?: number;
  /** Since when adb does not list it, ms since the epoch. */
  unlistedSince?: number;
}

/** For so long a place that adb does not list is taken for the same phone's when it is listed again, ms. */
const TRUST_MS = 24 * 3_600_000;
/** A start that is computed anew moves with the clocks by so much before it counts as news, seconds. */
const NEWS_SECONDS = 30;

/** What a phone told of itself, for its name. */
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

  /**
   * @param offlineNetworkMs for how long a network name that is `offline` counts as attached
   * @param most so many places are remembered, besides those where adb lists a phone
   */
  constructor(offlineNetworkMs: number, most: number) {
    this.#offlineNetworkMs = offlineNetworkMs;
    this.#most = most;
  }

  /** A phone that an earlier run has seen here. */
  restore(device: RosterDevice, parted: ReadonlySet<string>, now: number): void {
    const { udid, identity, boot, lastSeenAt, supersededBy } = device;
    if (supersededBy !== undefined) return;
    const place = placeOf(device);
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

  /** The same, where nothing has been seen at its place meanwhile. */
  restoreLate(device: RosterDevice, parted: ReadonlySet<string>, now: number): void {
    if (!this.#places.has(placeOf(device))) this.restore(device, parted, now);
  }

  /** A network name that was given up already does not count as attached anew while adb still lists it as offline. */
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

  /** The phone that is, or was last, attached in this way. */
  udidAt(listed: ListedDevice): string | undefined {
    return this.#places.get(placeOf(listed))?.udid;
  }

  /** These phones are known no more. */
  forget(udids: ReadonlySet<string>): void {
    for (const [name, { udid, unlistedSince }] of this.#places)
      if (unlistedSince !== undefined && udid !== undefined && udids.has(udid)) this.#places.delete(name);
  }

  get parted(): string[] {
    return [...this.#places].filter(([, { known }]) => known.isParted).map(([name]) => name);
  }

  /** @param isAnotherServer perhaps: no number of a connection means what it did */
  observe(listed: readonly ListedDevice[], now: number, isAnotherServer = false): void {
    this.#isAnyOnNetwork = listed.some((device) => connectionOf(device) === 'tcp');
    const names = new Set(listed.map(placeOf));
    /** Phones to which a way broke off: they may be rebooting, and adb may go on listing another way for a while. */
    const interrupted = new Set<string | undefined>();
    for (const [name, place] of this.#places) {
      if (names.has(name)) continue;
      place.unlistedSince ??= now;
      delete place.offlineSince;
      delete place.transportId;
      interrupted.add(place.udid);
      if (now - place.unlistedSince > TRUST_MS) this.#places.delete(name);
    }
    for (const device of listed) {
      const place = this.#movedTo(device) ?? this.at(device);
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
    this.#forgetOldest(this.#places.size - names.size - this.#most);
    for (const { udid, known } of this.#places.values())
      if (interrupted.has(udid) && hasFacts(known)) known.isStale = true;
  }

  /** A phone that comes to another USB port is the one that adb named so before. */
  #movedTo(device: ListedDevice): Place | undefined {
    const { serial } = device;
    if (this.#places.has(placeOf(device)) || connectionOf(device) !== 'usb') return undefined;
    if (isPlaceholderSerial(serial)) return undefined;
    const before = [...this.#places].find(
      ([name, { unlistedSince }]) => unlistedSince !== undefined && name.startsWith(`${serial}@`),
    );
    const known = before && { ...before[1].known, isStale: true };
    return known && Object.assign(this.at(device), { known });
  }

  #forgetOldest(count: number): void {
    if (count <= 0) return;
    const unlisted = [...this.#places].filter(([, { unlistedSince }]) => unlistedSince !== undefined);
    unlisted.sort(([, one], [, other]) => (one.unlistedSince ?? 0) - (other.unlistedSince ?? 0));
    for (const [name] of unlisted.slice(0, count)) this.#places.delete(name);
  }

  /** The host's clock was set: `moved` says where moments stand since. */
  clockSet(moved: (at: number) => number): void {
    for (const place of this.#places.values()) {
      if (place.offlineSince !== undefined) place.offlineSince = moved(place.offlineSince);
      if (place.unlistedSince !== undefined) place.unlistedSince = moved(place.unlistedSince);
      const { startedAt } = place.known;
      if (startedAt !== undefined) place.known.startedAt = moved(startedAt * 1000) / 1000;
    }
  }

  /** @returns whether a name may be another by it: a phone on USB is named by adb, whatever it says */
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
    const isNews = JSON.stringify(known) !== JSON.stringify(place.known);
    place.known = known;
    return isNews && this.#isAnyOnNetwork;
  }

  /**
   * It was asked and has not told who it is.
   *
   * @returns whether a name may be another by it
   */
  silent(listed: ListedDevice): boolean {
    const { known } = this.at(listed);
    if (known.isSilent || (hasFacts(known) && !known.isStale)) return false;
    known.isSilent = true;
    return this.#isAnyOnNetwork;
  }

  /** Has the phone here told who it is, now or before? */
  isKnown(listed: ListedDevice): boolean {
    return this.at(listed).known.identity !== undefined;
  }

  /** Is it proven that one phone is at both places? */
  areOne(a: WayTo, b: WayTo): boolean {
    const [one, other] = [a, b].map((way) => this.#places.get(placeOf(way)));
    return one === other || compare(one?.known ?? {}, other?.known ?? {}) === 'same';
  }

  /** Network names whose phones have not told over this connection that they are still the same. */
  unproven(listed: readonly ListedDevice[]): ListedDevice[] {
    return listed.filter((device) => connectionOf(device) === 'tcp' && this.at(device).known.isStale);
  }

  /** These answered from another boot than the phone of the same name. */
  part(parted: readonly ListedDevice[]): void {
    for (const listed of parted) this.at(listed).known.isParted = true;
  }

  /** These are ways to one phone, as far as their boots are known: then they began at one moment. */
  join(best: ListedDevice, ways: readonly ListedDevice[]): void {
    const { bootId, startedAt } = this.at(best).known;
    for (const { known } of ways.map((way) => this.at(way))) {
      if (known.bootId !== undefined) delete known.isParted;
      if (bootId !== undefined && known.bootId === bootId && startedAt !== undefined)
        known.startedAt = startedAt;
    }
  }

  /** What adb lists, less the network names that have been offline for too long, with what is known of each. */
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

type WayTo = Pick<ListedDevice, 'serial' | 'devpath'>;

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
  return before !== undefined && Math.abs(startedAt - before) < NEWS_SECONDS ? before : startedAt;
}
