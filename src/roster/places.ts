/** Where phones are attached, and what the phone at each place has told of itself. */
import type { ListedDevice } from '../adb/adb.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import { present } from '../present.ts';
import type { RosterDevice } from './device.ts';
import { type Attachment, connectionOf, type Known, placeOf } from './udid.ts';

export interface Place {
  known: Known;
  /** The phone that is, or was last, attached here. */
  udid?: string;
  /** Since when adb lists a network name as offline, ms since the epoch. */
  offlineSince?: number;
  /** Since when adb does not list it, ms since the epoch. */
  unlistedSince?: number;
}

/** For so long a place that adb does not list is taken for the same phone's when it is listed again, ms. */
const TRUST_MS = 24 * 3_600_000;

export class Places {
  readonly #offlineNetworkMs: number;
  readonly #places = new Map<string, Place>();
  #isAnyOnNetwork = false;

  /** @param offlineNetworkMs for how long a network name that is `offline` counts as attached */
  constructor(offlineNetworkMs: number) {
    this.#offlineNetworkMs = offlineNetworkMs;
  }

  /** A phone that an earlier run has seen here. */
  restore(device: RosterDevice, parted: readonly string[], now: number): void {
    const { udid, identity, lastSeenAt, supersededBy } = device;
    if (supersededBy !== undefined) return;
    const place = placeOf(device);
    const offlineSince = this.#offlineSince(device);
    if (now - lastSeenAt > TRUST_MS) {
      if (offlineSince !== undefined) this.#places.set(place, { known: {}, offlineSince });
      return;
    }
    const isParted = parted.includes(place) || undefined;
    this.#places.set(place, {
      known: present({ ...knownOf(identity), isParted }),
      udid,
      unlistedSince: lastSeenAt,
      ...present({ offlineSince }),
    });
  }

  /** The same, where nothing has been seen at its place meanwhile. */
  restoreLate(device: RosterDevice, parted: readonly string[], now: number): void {
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

  get parted(): string[] {
    return [...this.#places].filter(([, { known }]) => known.isParted).map(([name]) => name);
  }

  observe(listed: readonly ListedDevice[], now: number): void {
    this.#isAnyOnNetwork = listed.some((device) => connectionOf(device) === 'tcp');
    const names = new Set(listed.map(placeOf));
    /** Phones to which a way broke off: they may be rebooting, and adb may go on listing another way for a while. */
    const interrupted = new Set<string | undefined>();
    for (const [name, place] of this.#places) {
      if (names.has(name)) continue;
      place.unlistedSince ??= now;
      delete place.offlineSince;
      interrupted.add(place.udid);
      if (now - place.unlistedSince > TRUST_MS) this.#places.delete(name);
    }
    for (const device of listed) {
      const place = this.at(device);
      delete place.unlistedSince;
      if (device.state !== 'device') interrupted.add(place.udid);
      if (device.state !== 'offline' || connectionOf(device) !== 'tcp') delete place.offlineSince;
      else place.offlineSince ??= now;
    }
    for (const { udid, known } of this.#places.values()) if (interrupted.has(udid)) delete known.bootId;
  }

  /** The host's clock was set: `moved` says where moments stand since. */
  clockSet(moved: (at: number) => number): void {
    for (const place of this.#places.values()) {
      if (place.offlineSince !== undefined) place.offlineSince = moved(place.offlineSince);
      if (place.unlistedSince !== undefined) place.unlistedSince = moved(place.unlistedSince);
    }
  }

  /** @returns whether a name may be another by it: a phone on USB is named by adb, whatever it says */
  learn(listed: ListedDevice, identity: IdentityFacts | undefined, bootId: string | undefined): boolean {
    const place = this.at(listed);
    const { serialNumber, bootId: lastBootId, isParted } = place.known;
    const isAnother = serialNumber !== undefined && (identity?.serialNumber ?? serialNumber) !== serialNumber;
    const known = present({
      ...place.known,
      ...knownOf(identity),
      bootId: bootId ?? lastBootId,
      isParted: isAnother ? undefined : isParted,
    });
    const isNews = JSON.stringify(known) !== JSON.stringify(place.known);
    place.known = known;
    return isNews && this.#isAnyOnNetwork;
  }

  /** These answered from another boot than the phone of the same name. */
  part(parted: readonly ListedDevice[]): void {
    for (const listed of parted) this.at(listed).known.isParted = true;
  }

  /** These are ways to one phone, as far as their boots are known. */
  join(ways: readonly ListedDevice[]): void {
    for (const { known } of ways.map((way) => this.at(way)))
      if (known.bootId !== undefined) delete known.isParted;
  }

  /** What adb lists, less the network names that have been offline for too long, with what is known of each. */
  attachments(listed: readonly ListedDevice[], now: number): Attachment[] {
    return listed
      .map((device) => ({ listed: device, place: this.at(device) }))
      .filter(({ place }) => now - (place.offlineSince ?? now) <= this.#offlineNetworkMs)
      .map(({ listed: device, place }) => present({ listed: device, known: place.known, udid: place.udid }));
  }
}

const knownOf = (identity: IdentityFacts | undefined): Known =>
  identity ? present({ serialNumber: identity.serialNumber, isEmulator: identity.isEmulator }) : {};
