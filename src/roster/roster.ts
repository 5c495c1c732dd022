/**
 * Every phone ever seen on this host, until it is forgotten: who it is, in which state, attached or not.
 *
 * adb's list is the truth of what is attached; what a phone tells of itself settles its name.
 */
import type { ListedDevice } from '../adb/adb.ts';
import { timely } from '../base/clock.ts';
import { safeIdentifier } from '../base/identifier.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { BootFacts } from '../facts/boot.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import type { NameFacts } from '../facts/name.ts';
import { phoneText } from '../facts/phone-text.ts';
import { compare, isOtherMake } from '../facts/same-phone.ts';
import { bootOf } from './boot-time.ts';
import type { RosterDevice, RosterRecord } from './device.ts';
import { Places } from './places.ts';
import { restored } from './restored.ts';
import { toForget } from './room.ts';
import { connectionOf, isPlaceholderSerial, type Named, nameDevices, placeOf } from './udid.ts';

export interface RosterOptions {
  nodeId: string;
  /** For how long a network name that adb lists as `offline` counts as attached, ms. */
  offlineNetworkMs: number;
  /** So many phones are known at most. */
  maxPhones?: number;
  record?: RosterRecord;
  /** Ms since the epoch. */
  now?: number;
}

/** What a phone told of itself when it was asked. */
export interface CollectedFacts {
  identity?: IdentityFacts;
  /** Absent where it was not asked, or did not answer. */
  name?: NameFacts;
  boot?: BootFacts;
  /** When the uptime arrived, ms since the epoch. */
  uptimeAt?: number;
}

const MOST_PHONES = 2000;

export class Roster {
  readonly #attachedBefore: RosterDevice[];
  readonly #nodeId: string;
  readonly #maxPhones: number;
  readonly #places: Places;
  readonly #devices = new Map<string, RosterDevice>();
  readonly #shared: Set<string>;
  #listed: readonly ListedDevice[] = [];
  #attached = new Map<string, ListedDevice>();
  #nameless: readonly ListedDevice[] = [];
  #hasObserved = false;
  #beyond = 0;
  #dropped: string[] = [];

  constructor(options: RosterOptions) {
    const { nodeId, offlineNetworkMs, maxPhones = MOST_PHONES, now = Date.now() } = options;
    const record = options.record && restored(options.record, now);
    this.#nodeId = nodeId;
    this.#maxPhones = maxPhones;
    this.#places = new Places(offlineNetworkMs, maxPhones);
    this.#shared = new Set(record?.sharedSerials);
    const parted = new Set(record?.partedPlaces);
    for (const device of record?.devices ?? []) {
      this.#devices.set(device.udid, unplugged(device, now));
      this.#places.restore(device, parted, now);
    }
    const expected = (record?.devices ?? []).filter(isByCable);
    this.#makeRoom(new Set(expected.map(({ udid }) => udid)));
    this.#attachedBefore = expected.filter(({ udid }) => this.#devices.has(udid));
  }

  /** What was attached by cable when an earlier run wrote its record. A network name is gone with its adb server. */
  get attachedBefore(): readonly RosterDevice[] {
    return this.#attachedBefore;
  }

  /**
   * What earlier runs have seen, where it could be read only now: it counts as far as nothing newer is known.
   * `now` in ms since the epoch.
   */
  join(written: RosterRecord, now: number): void {
    const { devices, sharedSerials, partedPlaces } = restored(written, now);
    const parted = new Set(partedPlaces);
    const byCable = devices.filter((device) => !this.#devices.has(device.udid) && isByCable(device));
    for (const serial of sharedSerials) this.#shared.add(serial);
    for (const device of devices) {
      const { udid, identity, givenName, reported, wasStored } = device;
      const known = this.#devices.get(udid);
      const former = omitUndefined({ identity, givenName, reported, wasStored });
      this.#devices.set(udid, known ? { ...former, ...known } : unplugged(device, now));
      if (known) continue;
      this.#places.restoreLate(device, parted, now);
    }
    this.#makeRoom(new Set(byCable.map(({ udid }) => udid)));
    this.#attachedBefore.push(...byCable.filter(({ udid }) => this.#devices.has(udid)));
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
    return this.#places.udidAt(listed);
  }

  /** It knows as many phones as it may: further ones take the place of unplugged ones, or are not taken. */
  get isFull(): boolean {
    return this.#devices.size >= this.#maxPhones;
  }

  /** How many phones of adb's list are not taken, for there are more than are known at most. */
  get beyond(): number {
    return this.#beyond;
  }

  /** The phones that were forgotten since the last call, to make room. */
  takeDropped(): string[] {
    const dropped = this.#dropped;
    this.#dropped = [];
    return dropped.filter((udid) => !this.#devices.has(udid));
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
   * Takes adb's list for the truth, as far as there is room for it. `now` in ms since the epoch.
   *
   * @param isAnotherServer the list may be another server's than the one before
   * @returns the phones that came, went, or are connected in another way by it
   */
  observe(listed: readonly ListedDevice[], now: number, isAnotherServer = false): RosterDevice[] {
    this.#hasObserved = true;
    this.#listed = this.#withinBound(listed);
    this.#beyond = listed.length - this.#listed.length;
    this.#places.observe(this.#listed, now, isAnotherServer);
    return this.#rename(now);
  }

  /**
   * Takes what a phone told of itself; its name may change by it.
   *
   * @returns the phones that came, went, or are connected in another way by it
   */
  learn(listed: ListedDevice, facts: CollectedFacts, now: number): RosterDevice[] {
    const isNews = this.#places.learn(listed, facts);
    const isImpostor = this.#contradictsName(listed, facts.identity);
    if (isImpostor) this.#places.part([listed]);
    const changed = isNews || isImpostor ? this.#rename(now) : [];
    const device = this.#devices.get(this.udidAt(listed) ?? '');
    if (device?.attached && this.#isBestWay(device.udid, listed))
      this.#devices.set(device.udid, withCollected(device, facts));
    return changed;
  }

  /** The sections that rest because reading their answers took too long: how often in a row. */
  slowSectionsAt(listed: ListedDevice): Readonly<Record<string, number>> | undefined {
    return this.#devices.get(this.udidAt(listed) ?? '')?.slowSections;
  }

  /** @param slowSections the sections of this phone that rest because reading their answers took too long */
  noteSlow(listed: ListedDevice, slowSections: Readonly<Record<string, number>>): void {
    const udid = this.udidAt(listed) ?? '';
    const device = this.#devices.get(udid);
    const isAny = Object.keys(slowSections).length > 0;
    if (device === undefined || (!isAny && device.slowSections === undefined)) return;
    this.#devices.set(udid, omitUndefined({ ...device, slowSections: isAny ? slowSections : undefined }));
  }

  /**
   * A phone was asked and has not told who it is: what else goes by its name is no longer taken for it.
   *
   * @returns as `learn`
   */
  silent(listed: ListedDevice, now: number): RosterDevice[] {
    return this.#places.silent(listed) ? this.#rename(now) : [];
  }

  /** Has the phone at this place told who it is, now or before? */
  isKnown(listed: ListedDevice): boolean {
    return this.#places.isKnown(listed);
  }

  /** Ways by which no phone is asked, and whose phones have not told since they came that they are still the same. */
  get unproven(): ListedDevice[] {
    const ways = this.#listed.filter(
      (way) => way.state === 'device' && !this.#isBestWay(this.udidAt(way), way),
    );
    return this.#places.unproven(ways);
  }

  #isBestWay(udid: string | undefined, listed: ListedDevice): boolean {
    const best = this.#attached.get(udid ?? '');
    return best !== undefined && placeOf(best) === placeOf(listed);
  }

  /** On the network it claims the serial of a phone that was of another make, when that was attached elsewhere. */
  #contradictsName(listed: ListedDevice, identity: IdentityFacts | undefined): boolean {
    if (connectionOf(listed) !== 'tcp') return false;
    const claimed = this.#devices.get(identity?.serialNumber ?? '');
    const isElsewhere = claimed !== undefined && placeOf(claimed) !== placeOf(listed);
    return isElsewhere && isOtherMake(claimed.identity, identity);
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
        omitUndefined({
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
      this.#mark(udid, omitUndefined({ reported: true, wasStored: wasStored || reported || undefined }));
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
      else
        this.#mark(
          udid,
          omitUndefined({ reported: true, wasStored: true, isGoneStored: isGone || undefined }),
        );
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
   * @param mayForget which of them need not be told to the cloud any more
   * @returns their udids
   */
  forget(before: number, mayForget: (device: RosterDevice) => boolean = () => true): string[] {
    const old = this.devices.filter((device) => (device.goneAt ?? before) < before && mayForget(device));
    for (const { udid } of old) this.#devices.delete(udid);
    return old.map(({ udid }) => udid);
  }

  /** Those that are attached already first, so that none of them is lost to who comes late. */
  #withinBound(listed: readonly ListedDevice[]): readonly ListedDevice[] {
    if (listed.length <= this.#maxPhones) return listed;
    const isSeated = (device: ListedDevice) => this.#devices.has(this.udidAt(device) ?? '');
    const seatedFirst = [...listed.filter(isSeated), ...listed.filter((device) => !isSeated(device))];
    return seatedFirst.slice(0, this.#maxPhones);
  }

  /** @param expected those that may be attached although adb has not listed them yet */
  #makeRoom(expected: ReadonlySet<string> = new Set()): void {
    const leaving = toForget(this.devices, this.#maxPhones, expected);
    if (leaving.size === 0) return;
    for (const udid of leaving) this.#devices.delete(udid);
    this.#places.forget(leaving);
    this.#dropped = [...this.#dropped, ...leaving].slice(-this.#maxPhones);
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
    for (const serial of [...this.#shared].slice(0, -this.#maxPhones)) this.#shared.delete(serial);
    this.#nameless = nameless;
    this.#attached = new Map(named.map(({ udid, listed }) => [udid, listed]));
    const places = new Set(named.flatMap(({ ways }) => ways.map(placeOf)));
    for (const one of named) this.#attach(one, places, now);
    this.#places.part(parted); // also those of which two ways were joined
    for (const device of this.#devices.values()) {
      if (device.attached && !this.#attached.has(device.udid)) {
        this.#devices.set(device.udid, unplugged(device, now));
      }
    }
    this.#makeRoom();
    return this.devices.filter((device) => {
      const was = before.get(device.udid);
      return was === undefined ? device.attached : !isConnectedAlike(was, device);
    });
  }

  /** @param places of all that is listed */
  #attach({ udid, listed, ways, connection }: Named, places: ReadonlySet<string>, now: number): void {
    for (const way of ways) this.#supersede(way, udid);
    if (ways.length > 1) this.#places.join(listed, ways);
    const former = this.#devices.get(udid);
    const { reported, wasStored } = former ?? {};
    // the name has passed to another way: what was told over the former is not this one's before that is proven
    const isPassedOn =
      former !== undefined && places.has(placeOf(former)) && !this.#places.areOne(former, listed);
    const own = isPassedOn ? omitUndefined({ identity: this.#places.at(listed).known.identity }) : former;
    const { identity, givenName, boot, slowSections }: Partial<RosterDevice> = own ?? {};
    const serial = safeIdentifier(listed.serial);
    const devpath = listed.devpath === undefined ? undefined : safeIdentifier(listed.devpath);
    const state = phoneText(listed.state, 'word') ?? 'unknown';
    const reason = phoneText(listed.reason, 'reason');
    const isSeated = former?.attached && former.devpath === devpath;
    this.#devices.set(
      udid,
      omitUndefined({
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

/** Where moments stand once the clock was set. What lay in its future is of another run, whose clock may have been right. */
const movedWith =
  (byMs: number, now: number) =>
  (at: number): number =>
    at > now - byMs ? timely(at, now) : at + byMs;

/** Another phone that goes by the same name, as at an address, has nothing of the former one. */
function withCollected(
  device: RosterDevice,
  { identity, name, boot, uptimeAt }: CollectedFacts,
): RosterDevice {
  const former = isFormer(device, identity, boot) ? device : undefined;
  return omitUndefined({
    ...device,
    identity: identity ?? device.identity,
    givenName: name ? name.givenName : former?.givenName,
    boot: boot && uptimeAt !== undefined ? bootOf(former?.boot, boot, uptimeAt) : former?.boot,
  });
}

/** By its own serial number in any boot, or, where that is none, in the same one. */
function isFormer(
  device: RosterDevice,
  identity: IdentityFacts | undefined,
  boot: BootFacts | undefined,
): boolean {
  if (device.identity === undefined || identity === undefined) return true;
  const before = { identity: device.identity, bootId: device.boot?.id || undefined };
  const isStale = !isPlaceholderSerial(identity.serialNumber ?? '');
  return (
    compare(omitUndefined({ ...before, isStale }), omitUndefined({ identity, bootId: boot?.bootId })) !==
    'other'
  );
}
const isByCable = ({ attached, connection, supersededBy }: RosterDevice): boolean =>
  attached && connection !== 'tcp' && supersededBy === undefined;

function unplugged({ reason: _, ...device }: RosterDevice, now: number): RosterDevice {
  return { ...device, attached: false, state: 'disconnected', goneAt: device.goneAt ?? now };
}

/** @param was as an earlier run left it; absent where it was unplugged then */
function stillAttached(device: RosterDevice, was: RosterDevice | undefined): RosterDevice {
  if (was === undefined) return device;
  const { attached, state, reason } = was;
  return omitUndefined({ ...device, attached, state, reason, goneAt: undefined });
}

const isConnectedAlike = (a: RosterDevice, b: RosterDevice): boolean =>
  a.attached === b.attached &&
  a.state === b.state &&
  a.reason === b.reason &&
  a.serial === b.serial &&
  a.devpath === b.devpath;
