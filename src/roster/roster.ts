/**
 * Every phone ever seen on this host, until it is forgotten: who it is, in which state, attached or not.
 *
 * adb's list is the truth of what is attached; what a phone tells of itself settles its name.
 */
import type { ListedDevice } from '../adb/adb.ts';
import type { BootFacts } from '../facts/boot.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import type { NameFacts } from '../facts/name.ts';
import { present } from '../present.ts';
import { bootOf } from './boot-time.ts';
import type { RosterDevice } from './device.ts';
import { Places } from './places.ts';
import { type Named, nameDevices } from './udid.ts';

/** What outlives the process. */
export interface RosterRecord {
  devices: RosterDevice[];
  /** Serials that two phones have been seen to share. */
  sharedSerials: string[];
  /** Network names that are not the phone of the same serial. */
  partedPlaces: string[];
}

export interface RosterOptions {
  nodeId: string;
  /** For how long a network name that adb lists as `offline` counts as attached, ms. */
  offlineNetworkMs: number;
  record?: RosterRecord;
  /** Ms since the epoch. */
  now?: number;
}

/** What a phone told of itself when it was asked. */
export interface Told {
  identity?: IdentityFacts;
  /** Absent where it was not asked, or did not answer. */
  name?: NameFacts;
  boot?: BootFacts;
  /** When the uptime arrived, ms since the epoch. */
  uptimeAt?: number;
}

export class Roster {
  /** What was attached by cable when an earlier run wrote its record. A network name is gone with its adb server. */
  readonly attachedBefore: readonly RosterDevice[];
  readonly #nodeId: string;
  readonly #places: Places;
  readonly #devices = new Map<string, RosterDevice>();
  readonly #shared: Set<string>;
  #listed: readonly ListedDevice[] = [];
  #attached = new Map<string, ListedDevice>();
  #nameless: readonly ListedDevice[] = [];
  #hasObserved = false;

  constructor({ nodeId, offlineNetworkMs, record, now = Date.now() }: RosterOptions) {
    this.#nodeId = nodeId;
    this.#places = new Places(offlineNetworkMs);
    this.#shared = new Set(record?.sharedSerials);
    this.attachedBefore = (record?.devices ?? []).filter(
      ({ attached, connection, supersededBy }) =>
        attached && connection !== 'tcp' && supersededBy === undefined,
    );
    for (const device of record?.devices ?? []) {
      this.#devices.set(device.udid, unplugged(device, now));
      this.#places.restore(device, record?.partedPlaces ?? [], now);
    }
  }

  /** All phones, those first seen first. */
  get devices(): RosterDevice[] {
    return [...this.#devices.values()];
  }

  get(udid: string): RosterDevice | undefined {
    return this.#devices.get(udid);
  }

  /** How adb lists a phone that is attached. */
  listed(udid: string): ListedDevice | undefined {
    return this.#attached.get(udid);
  }

  /** The udid of the phone that is attached in this way. */
  udidAt(listed: ListedDevice): string | undefined {
    return this.#places.at(listed).udid;
  }

  /** What adb lists without serial and USB path: it can be named in the log only. */
  get nameless(): readonly ListedDevice[] {
    return this.#nameless;
  }

  /** Until adb has listed anything, what was attached before may be so still: the next run has to expect it too. */
  get record(): RosterRecord {
    const before = new Map(this.#hasObserved ? [] : this.attachedBefore.map((was) => [was.udid, was]));
    const devices = this.devices.map((device) => stillAttached(device, before.get(device.udid)));
    return { devices, sharedSerials: [...this.#shared], partedPlaces: this.#places.parted };
  }

  /**
   * Takes adb's list for the truth. `now` in ms since the epoch.
   *
   * @returns the phones that came, went, or are connected in another way by it
   */
  observe(listed: readonly ListedDevice[], now: number): RosterDevice[] {
    this.#hasObserved = true;
    this.#listed = listed;
    this.#places.observe(listed, now);
    return this.#rename(now);
  }

  /**
   * Takes what a phone told of itself; its name may change by it.
   *
   * @returns the phones that came, went, or are connected in another way by it
   */
  learn(listed: ListedDevice, { identity, name, boot, uptimeAt }: Told, now: number): RosterDevice[] {
    const isNews = this.#places.learn(listed, identity, boot?.bootId);
    const changed = isNews ? this.#rename(now) : [];
    const device = this.#devices.get(this.udidAt(listed) ?? '');
    if (device?.attached) {
      this.#devices.set(
        device.udid,
        present({
          ...device,
          identity: identity ?? device.identity,
          givenName: name ? name.givenName : device.givenName,
          boot: boot && uptimeAt !== undefined ? bootOf(device.boot, boot, uptimeAt) : device.boot,
        }),
      );
    }
    return changed;
  }

  /** @param slowSections the sections of this phone that rest because reading their answers took too long */
  noteSlow(listed: ListedDevice, slowSections: Readonly<Record<string, number>>): void {
    const udid = this.udidAt(listed) ?? '';
    const device = this.#devices.get(udid);
    const isAny = Object.keys(slowSections).length > 0;
    if (device === undefined || (!isAny && device.slowSections === undefined)) return;
    this.#devices.set(udid, present({ ...device, slowSections: isAny ? slowSections : undefined }));
  }

  /**
   * The host's clock was set by so much, ms, to `now`: what was timed by it moves along, so that nothing is older or
   * younger by it.
   */
  clockSet(byMs: number, now: number): void {
    const moved = movedWith(byMs, now);
    for (const device of this.devices) {
      const { udid, lastSeenAt, goneAt, boot } = device;
      this.#devices.set(
        udid,
        present({
          ...device,
          lastSeenAt: moved(lastSeenAt),
          goneAt: goneAt && moved(goneAt),
          boot: boot && { ...boot, bootTimeSeconds: Math.round(moved(boot.bootTimeSeconds * 1000) / 1000) },
        }),
      );
    }
    this.#places.clockSet(moved);
  }

  /** What means the port of a phone that adb has just listed anew; undefined where only its devpath does. */
  seat(udid: string, portPaths: readonly string[] | undefined): void {
    if (portPaths !== undefined) this.#mark(udid, { portPaths });
  }

  /** The cloud is about to hear of these phones: should one get another name, it has to hear that this one is gone. */
  announced(udids: Iterable<string>): void {
    for (const udid of udids) {
      const { reported, wasStored } = this.#devices.get(udid) ?? {};
      // told before and not refused: it may be stored, although no answer came
      this.#mark(udid, present({ reported: true, wasStored: wasStored || reported || undefined }));
    }
  }

  /** The cloud has stored these phones as they were sent. */
  stored(sent: Iterable<{ udid: string; status: 'PLUGGED' | 'UNPLUGGED' }>): void {
    for (const { udid, status } of sent) {
      const device = this.#devices.get(udid);
      const isGone = status === 'UNPLUGGED';
      if (isGone && device?.supersededBy !== undefined) this.#devices.delete(udid);
      // an attached phone that is told as gone is one that the lab ignores from now on
      else if (isGone && device?.attached) this.#mark(udid, { reported: false, wasStored: true });
      else this.#mark(udid, present({ reported: true, wasStored: true, isGoneStored: isGone || undefined }));
    }
  }

  /** The cloud has refused these phones. Of one that it has never stored it need not hear that it is gone. */
  refused(udids: Iterable<string>): void {
    for (const udid of udids) {
      const device = this.#devices.get(udid);
      if (device?.wasStored) continue;
      if (device?.supersededBy !== undefined) this.#devices.delete(udid);
      else this.#mark(udid, { reported: false });
    }
  }

  /**
   * Forgets the phones that have been gone since before `before`, ms since the epoch.
   *
   * @param isTold which of them need not be told to the cloud any more
   * @returns their udids
   */
  forget(before: number, isTold: (device: RosterDevice) => boolean = () => true): string[] {
    const old = this.devices.filter((device) => (device.goneAt ?? before) < before && isTold(device));
    for (const { udid } of old) this.#devices.delete(udid);
    return old.map(({ udid }) => udid);
  }

  #mark(
    udid: string,
    marks: Pick<RosterDevice, 'reported' | 'wasStored' | 'isGoneStored' | 'portPaths'>,
  ): void {
    const device = this.#devices.get(udid);
    if (device) this.#devices.set(udid, { ...device, ...marks });
  }

  #rename(now: number): RosterDevice[] {
    const before = new Map(this.#devices);
    const { named, nameless, shared, parted } = nameDevices(
      this.#places.attachments(this.#listed, now),
      this.#nodeId,
      this.#shared,
    );
    for (const serial of shared) this.#shared.add(serial);
    this.#nameless = nameless;
    this.#attached = new Map(named.map(({ udid, listed }) => [udid, listed]));
    for (const one of named) this.#attach(one, now);
    this.#places.part(parted); // also those of which two ways were joined
    for (const device of this.#devices.values()) {
      if (device.attached && !this.#attached.has(device.udid)) {
        this.#devices.set(device.udid, unplugged(device, now));
      }
    }
    return this.devices.filter((device) => {
      const was = before.get(device.udid);
      return was === undefined ? device.attached : !isConnectedAlike(was, device);
    });
  }

  #attach({ udid, listed, ways, connection }: Named, now: number): void {
    for (const way of ways) this.#supersede(way, udid);
    if (ways.length > 1) this.#places.join(ways);
    const former = this.#devices.get(udid);
    const { identity, givenName, boot, slowSections, reported, wasStored } = former ?? {};
    const { serial, state, reason, devpath } = listed;
    const isSeated = former?.attached && former.devpath === devpath;
    this.#devices.set(
      udid,
      present({
        udid,
        serial,
        connection,
        devpath,
        portPaths: isSeated ? former.portPaths : undefined,
        attached: true,
        state,
        reason,
        lastSeenAt: now,
        identity,
        givenName,
        boot,
        slowSections,
        reported,
        wasStored,
      }),
    );
  }

  /**
   * The phone at this place goes by another name now: its own serial became known, or a twin of the same serial
   * came. The cloud has to hear that the old name is gone. (Another phone at the same address is no such case: the
   * former one is unplugged.)
   */
  #supersede(way: ListedDevice, udid: string): void {
    const place = this.#places.at(way);
    const former = place.udid === udid ? undefined : this.#devices.get(place.udid ?? '');
    place.udid = udid;
    if (former === undefined || this.#attached.has(former.udid) || !former.attached) return;
    const serialNumber = former.identity?.serialNumber;
    if (serialNumber !== undefined && serialNumber !== place.known.serialNumber) return;
    this.#devices.delete(former.udid);
    if (former.reported) {
      this.#devices.set(former.udid, { ...unplugged(former, former.lastSeenAt), supersededBy: udid });
    }
  }
}

/** Where moments stand once the clock was set. What lay in its future is of another run, whose clock was right. */
const movedWith =
  (byMs: number, now: number) =>
  (at: number): number =>
    at > now - byMs ? at : at + byMs;

function unplugged({ reason: _, ...device }: RosterDevice, now: number): RosterDevice {
  return { ...device, attached: false, state: 'disconnected', goneAt: Math.min(device.goneAt ?? now, now) };
}

/** @param was as an earlier run left it; absent where it was unplugged then */
function stillAttached(device: RosterDevice, was: RosterDevice | undefined): RosterDevice {
  if (was === undefined) return device;
  const { attached, state, reason } = was;
  return present({ ...device, attached, state, reason, goneAt: undefined });
}

const isConnectedAlike = (a: RosterDevice, b: RosterDevice): boolean =>
  a.attached === b.attached &&
  a.state === b.state &&
  a.reason === b.reason &&
  a.serial === b.serial &&
  a.devpath === b.devpath;
