/**
 * Every phone ever seen on this host, until it is forgotten: its identity, its state, attached or not.
 *
 * adb's list decides what is attached; the phone's own facts decide its name. What is kept of each is in `phones`.
 */
import type { ListedDevice } from '../adb/adb.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { safeIdentifier } from '../base/printable.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import { isOtherMake } from '../facts/same-phone.ts';
import { DEFAULT_MAX_PHONES, type RosterDevice, type RosterRecord } from './device.ts';
import {
  type CollectedFacts,
  collectedDevice,
  isByCable,
  isConnectedAlike,
  joined,
  listedDevice,
  stillAttached,
  unpluggedDevice,
} from './device-changes.ts';
import { PhoneRecords } from './phone-records.ts';
import { Places } from './places.ts';
import { asLeft, movedDevice, movedWith, restored } from './restored.ts';
import { connectionOf, type Named, nameDevices, placeOf } from './udid.ts';

export interface RosterOptions {
  nodeId: string;
  /** How long an `offline` network name counts as attached, ms. */
  offlineNetworkMs: number;
  maxPhones?: number;
  record?: RosterRecord;
  /** A fingerprint of the cloud and the account; absent without a cloud. */
  reportsTo?: string;
  /** Ms since the epoch. */
  now?: number;
}

export class Roster {
  readonly phones: PhoneRecords;
  readonly #attachedBefore: RosterDevice[] = [];
  readonly #nodeId: string;
  /** When this run began, ms since the epoch. */
  #since: number;
  readonly #maxPhones: number;
  readonly #places: Places;
  readonly #shared = new Set<string>();
  #listed: readonly ListedDevice[] = [];
  /** The list that named the phones as they are: the same list would name them so again. */
  #named: readonly ListedDevice[] | undefined;
  #attached = new Map<string, ListedDevice>();
  #nameless: readonly ListedDevice[] = [];
  #hasObserved = false;
  #beyond = 0;
  #renamed: { from: string; to: string }[] = [];
  readonly #earlier: RosterDevice[] = [];
  readonly #reportsTo: string | undefined;
  /** An earlier run reported to the same cloud. */
  readonly isOfThisCloud: boolean;

  constructor(options: RosterOptions) {
    const { nodeId, offlineNetworkMs, maxPhones = DEFAULT_MAX_PHONES, record, now = Date.now() } = options;
    this.#nodeId = nodeId;
    this.#since = now;
    this.#reportsTo = options.reportsTo;
    this.isOfThisCloud = options.reportsTo !== undefined && record?.reportsTo === options.reportsTo;
    this.#maxPhones = maxPhones;
    this.phones = new PhoneRecords(maxPhones);
    this.#places = new Places(offlineNetworkMs, maxPhones);
    if (record) this.join(record, now);
  }

  /** The phones that were attached by cable when an earlier run ended. Network names end with their adb server. */
  get attachedBefore(): readonly RosterDevice[] {
    return this.#attachedBefore;
  }

  /** All phones as an earlier run left them, attached or not; their times by the current clock. */
  get earlier(): readonly RosterDevice[] {
    return this.#earlier;
  }

  /** Adds the record of an earlier run, also one that could not be read at the start. Newer facts win. `now`: ms since the epoch. */
  join(written: RosterRecord, now: number): void {
    const { devices, sharedSerials, partedPlaces } = restored(written, now);
    const parted = new Set(partedPlaces);
    const added = devices.filter(({ udid }) => !this.phones.has(udid));
    const byCable = added.filter(isByCable);
    this.#earlier.push(...asLeft(written, added));
    for (const serial of sharedSerials) this.#shared.add(serial);
    for (const device of devices) {
      const known = this.phones.get(device.udid);
      this.phones.put(known ? joined(known, device) : unpluggedDevice(device, now));
    }
    for (const device of lastSeenFirst(added)) this.#places.restore(device, parted, now);
    this.#named = undefined;
    this.#makeRoom(new Set(byCable.map(({ udid }) => udid)));
    this.#attachedBefore.push(...byCable.filter(({ udid }) => this.phones.has(udid)));
  }

  /** All phones, in the order in which they were first seen. */
  get devices(): RosterDevice[] {
    return [...this.phones.values()];
  }

  get(udid: string): RosterDevice | undefined {
    return this.phones.get(udid);
  }

  /** The connection that we use to collect this phone; undefined if it is unplugged. */
  listed(udid: string): ListedDevice | undefined {
    return this.#attached.get(udid);
  }

  /** By udid, adb's names for the connections that work beside the one that we use. */
  get alsoAt(): Map<string, string[]> {
    const others = new Map<string, string[]>();
    const used = new Set(this.#attached.values());
    for (const entry of this.#listed) {
      if (entry.state !== 'device' || used.has(entry)) continue;
      const udid = this.udidAt(entry);
      if (udid === undefined || this.#isBest(udid, entry)) continue;
      const { serial, devpath } = entry;
      const name = devpath === undefined ? safeIdentifier(serial) : `USB port ${safeIdentifier(devpath)}`;
      others.set(udid, [...(others.get(udid) ?? []), name]);
    }
    return others;
  }

  /** adb's list, as far as there is room; a phone may be in it over several connections. */
  get list(): readonly ListedDevice[] {
    return this.#listed;
  }

  udidAt(listed: ListedDevice): string | undefined {
    return this.#places.udidAt(listed);
  }

  /** How many phones of adb's list are left out because the roster is full. */
  get beyond(): number {
    return this.#beyond;
  }

  /** The phones that have another name since the last call; the later one last. */
  takeRenamed(): { from: string; to: string }[] {
    const renamed = this.#renamed;
    this.#renamed = [];
    return renamed;
  }

  get nameless(): readonly ListedDevice[] {
    return this.#nameless;
  }

  /** Until adb's first list, phones that were attached before may still be: the next run must expect them too. */
  get record(): RosterRecord {
    const before = new Map(this.#hasObserved ? [] : this.attachedBefore.map((was) => [was.udid, was]));
    const devices = this.devices.map((device) => stillAttached(device, before.get(device.udid)));
    return {
      devices,
      sharedSerials: [...this.#shared],
      partedPlaces: this.#places.parted,
      ...(this.#reportsTo !== undefined && { reportsTo: this.#reportsTo }),
    };
  }

  /**
   * Applies adb's list, as far as there is room. `now` in ms since the epoch.
   *
   * @param isAnotherServer the list may come from another server than the last one
   * @returns the phones that were attached, unplugged or reconnected
   */
  observe(listed: readonly ListedDevice[], now: number, isAnotherServer = false): RosterDevice[] {
    this.#hasObserved = true;
    const isNamed = listed === this.#named && !isAnotherServer;
    if (!isNamed) this.#listed = this.#withinBound(listed);
    this.#beyond = listed.length - this.#listed.length;
    this.#places.observe(this.#listed, now, isAnotherServer);
    if (isNamed) return this.#seeAgain(now); // of 500 phones it takes 3 ms, to name them 16
    const changed = this.#rename(now);
    if (changed.length === 0 && this.#isEachOne) this.#named = listed;
    return changed;
  }

  /**
   * Applies a phone's facts; its name may change.
   *
   * @returns as `observe`
   */
  learn(listed: ListedDevice, facts: CollectedFacts, now: number): RosterDevice[] {
    const mayRename = this.#places.learn(listed, facts);
    const isImpostor = this.#contradictsName(listed, facts.identity);
    if (isImpostor) this.#places.part([listed]);
    const changed = mayRename || isImpostor ? this.#rename(now) : [];
    const device = this.phones.get(this.udidAt(listed) ?? '');
    if (device?.attached && this.#isBest(device.udid, listed))
      this.phones.put(collectedDevice(device, facts));
    return changed;
  }

  /**
   * We collected a phone, and it did not identify itself: other connections with its name no longer count as this phone.
   *
   * @returns as `observe`
   */
  silent(listed: ListedDevice, now: number): RosterDevice[] {
    return this.#places.silent(listed) ? this.#rename(now) : [];
  }

  /** Has the phone at this place ever identified itself? */
  isKnown(listed: ListedDevice): boolean {
    return this.#places.isKnown(listed);
  }

  /** Connections that we do not use to collect, whose phones have not confirmed their identity since they appeared. */
  get unproven(): ListedDevice[] {
    const entries = this.#listed.filter(({ state }) => state === 'device');
    return this.#places.unproven(entries).filter((entry) => !this.#isBest(this.udidAt(entry), entry));
  }

  /** Each entry of the list is a phone of its own, on USB: then no fact changes a name. */
  get #isEachOne(): boolean {
    const isOneEach = this.#attached.size + this.#nameless.length === this.#listed.length;
    return isOneEach && this.#listed.every((entry) => connectionOf(entry) === 'usb');
  }

  /** The list has not changed, and would change no name. */
  #seeAgain(now: number): RosterDevice[] {
    for (const udid of this.#attached.keys())
      this.phones.change(udid, (device) => ({ ...device, lastSeenAt: now }));
    return [];
  }

  #isBest(udid: string | undefined, listed: ListedDevice): boolean {
    const best = this.#attached.get(udid ?? '');
    return best !== undefined && placeOf(best) === placeOf(listed);
  }

  /** A network phone claims the serial of a phone elsewhere, which is of another make. */
  #contradictsName(listed: ListedDevice, identity: IdentityFacts | undefined): boolean {
    if (connectionOf(listed) !== 'tcp') return false;
    const claimed = this.phones.get(identity?.serialNumber ?? '');
    const isElsewhere = claimed !== undefined && placeOf(claimed) !== placeOf(listed);
    return isElsewhere && isOtherMake(claimed.identity, identity);
  }

  /** The host's clock was set by `byMs` to `now`: adjusts all times, so that ages stay the same. */
  clockSet(byMs: number, now: number): void {
    const moved = movedWith(byMs, now);
    const movedSince = movedWith(byMs, now, this.#since);
    for (const { udid } of this.devices)
      this.phones.change(udid, (device) => movedDevice(device, movedSince, moved));
    this.#places.clockSet(moved);
    this.#since += byMs;
  }

  /** Attached phones first, so that no newcomer replaces them. */
  #withinBound(listed: readonly ListedDevice[]): readonly ListedDevice[] {
    if (listed.length <= this.#maxPhones) return listed;
    const seated = new Set(listed.filter((device) => this.phones.has(this.udidAt(device) ?? '')));
    return [...seated, ...listed.filter((device) => !seated.has(device))].slice(0, this.#maxPhones);
  }

  #makeRoom(expected: ReadonlySet<string> = new Set()): void {
    const leaving = this.phones.makeRoom(expected);
    if (leaving.size > 0) this.#places.forget(leaving);
  }

  #rename(now: number): RosterDevice[] {
    this.#named = undefined;
    const before = new Map(this.devices.map((device) => [device.udid, device]));
    const { named, nameless, shared, parted } = nameDevices(
      this.#places.attachments(this.#listed, now),
      this.#nodeId,
      this.#shared,
    );
    for (const serial of shared) this.#shared.add(serial);
    for (const serial of [...this.#shared].slice(0, -this.#maxPhones)) this.#shared.delete(serial);
    this.#nameless = nameless;
    this.#attached = new Map(named.map(({ udid, listed }) => [udid, listed]));
    const places = new Set(named.flatMap(({ entries }) => entries.map(placeOf)));
    for (const one of named) this.#attach(one, places, now);
    this.#places.part(parted); // last: it also covers connections that were joined above
    for (const device of this.devices) {
      if (device.attached && !this.#attached.has(device.udid)) {
        this.phones.put(unpluggedDevice(device, now));
      }
    }
    this.#makeRoom();
    return this.devices.filter((device) => {
      const was = before.get(device.udid);
      return was === undefined ? device.attached : !isConnectedAlike(was, device);
    });
  }

  /** @param places all listed places */
  #attach(named: Named, places: ReadonlySet<string>, now: number): void {
    const { udid, listed, entries } = named;
    for (const entry of entries) this.#supersede(entry, udid);
    if (entries.length > 1) this.#places.join(listed, entries);
    const former = this.phones.get(udid);
    // the name moved to another connection: facts of the old one count only if they prove the same phone
    const isPassedOn =
      former !== undefined && places.has(placeOf(former)) && !this.#places.areOne(former, listed);
    const own = isPassedOn ? omitUndefined({ identity: this.#places.at(listed).known.identity }) : former;
    this.phones.put(listedDevice(named, former, own, now));
  }

  /**
   * The phone at this place has a new name: its own serial became known, a twin with the same serial appeared, or this
   * host has another name. We must report the old name unplugged. (Another phone at the same address is different: then
   * the old phone is unplugged.)
   */
  #supersede(entry: ListedDevice, udid: string): void {
    const place = this.#places.at(entry);
    const former = place.udid === udid ? undefined : this.phones.get(place.udid ?? '');
    place.udid = udid;
    if (former === undefined || this.#attached.has(former.udid)) return;
    const isOfFormerHost = udid === `${former.udid.replace(/@[^@]*$/, '')}@${this.#nodeId}`;
    if (!former.attached && !isOfFormerHost) return;
    const serialNumber = former.identity?.serialNumber;
    if (serialNumber !== undefined && serialNumber !== place.known.serialNumber) return;
    this.phones.delete(former.udid);
    this.#renamed = [...this.#renamed, { from: former.udid, to: udid }].slice(-this.#maxPhones);
    if (former.reported) {
      this.phones.put({ ...unpluggedDevice(former, former.lastSeenAt), supersededBy: udid });
    }
  }
}

/** Of several phones that were at one place, the last one may still be there. */
const lastSeenFirst = (devices: readonly RosterDevice[]): RosterDevice[] =>
  devices.toSorted(
    (one, other) => other.lastSeenAt - one.lastSeenAt || Number(other.attached) - Number(one.attached),
  );
