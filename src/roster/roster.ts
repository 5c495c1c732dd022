/**
 * Every phone ever seen on this host, until it is forgotten: who it is, in which state, attached or not.
 *
 * adb's list is the truth of what is attached; what a phone tells of itself settles its name.
 */
import type { ListedDevice } from '../adb/adb.ts';
import type { BootFacts } from '../facts/boot.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import { present } from '../present.ts';
import { bootOf } from './boot-time.ts';
import type { RosterDevice } from './device.ts';
import { connectionOf, type Known, nameDevices, placeOf } from './udid.ts';

/** What outlives the process. */
export interface RosterRecord {
  devices: RosterDevice[];
  /** Serials that two phones have been seen to share. */
  sharedSerials: string[];
}

export interface RosterOptions {
  nodeId: string;
  /** For how long a network name that adb lists as `offline` counts as attached, ms. */
  offlineNetworkMs: number;
  record?: RosterRecord;
}

/** What a phone told of itself when it was asked. */
export interface Told {
  identity?: IdentityFacts;
  givenName?: string;
  boot?: BootFacts;
  /** When the uptime arrived, ms since the epoch. */
  uptimeAt?: number;
}

export class Roster {
  readonly #options: RosterOptions;
  readonly #devices = new Map<string, RosterDevice>();
  readonly #shared: Set<string>;
  /** By the place where a phone is attached. */
  readonly #known = new Map<string, Known>();
  readonly #udidAt = new Map<string, string>();
  readonly #offlineSince = new Map<string, number>();
  #listed: readonly ListedDevice[] = [];
  #attached = new Map<string, ListedDevice>();
  #nameless: readonly ListedDevice[] = [];

  constructor(options: RosterOptions) {
    this.#options = options;
    this.#shared = new Set(options.record?.sharedSerials);
    for (const device of options.record?.devices ?? []) {
      this.#devices.set(device.udid, unplugged(device));
      if (device.supersededBy !== undefined) continue;
      const place = placeOf(device);
      this.#known.set(place, knownOf(device.identity));
      this.#udidAt.set(place, device.udid);
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

  /** What adb lists without serial and USB path: it can be named in the log only. */
  get nameless(): readonly ListedDevice[] {
    return this.#nameless;
  }

  get record(): RosterRecord {
    return { devices: this.devices, sharedSerials: [...this.#shared] };
  }

  /** Takes adb's list for the truth. `now` in ms since the epoch. */
  observe(listed: readonly ListedDevice[], now: number): void {
    this.#listed = listed;
    const online = new Set(listed.filter(({ state }) => state === 'device').map(placeOf));
    for (const [place, { bootId, ...known }] of this.#known) {
      if (bootId !== undefined && !online.has(place)) this.#known.set(place, known); // it may be rebooting
    }
    this.#rename(now);
  }

  /** Takes what a phone told of itself; its name may change by it. */
  learn(listed: ListedDevice, { identity, givenName, boot, uptimeAt }: Told, now: number): void {
    const place = placeOf(listed);
    const known = present({ ...this.#known.get(place), ...knownOf(identity), bootId: boot?.bootId });
    this.#known.set(place, known);
    this.#rename(now);
    const udid = this.#udidAt.get(place);
    const device = udid === undefined ? undefined : this.#devices.get(udid);
    if (device === undefined || !device.attached) return;
    this.#devices.set(
      device.udid,
      present({
        ...device,
        identity: identity ?? device.identity,
        givenName: givenName ?? device.givenName,
        boot: boot && uptimeAt !== undefined ? bootOf(device.boot, boot, uptimeAt) : device.boot,
      }),
    );
  }

  /** The cloud has stored these phones: a name that was given up need not be kept any longer. */
  reported(udids: Iterable<string>): void {
    for (const udid of udids) {
      const device = this.#devices.get(udid);
      if (device?.supersededBy !== undefined) this.#devices.delete(udid);
      else if (device && !device.reported) this.#devices.set(udid, { ...device, reported: true });
    }
  }

  /** Forgets the phones that were last seen before `before`, ms since the epoch. Returns their udids. */
  forget(before: number): string[] {
    const old = this.devices.filter(({ attached, lastSeenAt }) => !attached && lastSeenAt < before);
    for (const { udid } of old) this.#devices.delete(udid);
    return old.map(({ udid }) => udid);
  }

  #rename(now: number): void {
    const here = this.#listed.filter((listed) => !this.#isGone(listed, now));
    const attachments = here.map((listed) => present({ listed, known: this.#known.get(placeOf(listed)) }));
    const { named, nameless, shared } = nameDevices(attachments, this.#options.nodeId, this.#shared);
    for (const serial of shared) this.#shared.add(serial);
    this.#nameless = nameless;
    this.#attached = new Map(named.map(({ udid, listed }) => [udid, listed]));
    for (const { udid, listed, connection } of named) this.#attach(udid, listed, connection, now);
    for (const device of this.#devices.values()) {
      if (device.attached && !this.#attached.has(device.udid))
        this.#devices.set(device.udid, unplugged(device));
    }
  }

  #attach(udid: string, listed: ListedDevice, connection: RosterDevice['connection'], now: number): void {
    const place = placeOf(listed);
    const formerUdid = this.#udidAt.get(place);
    const former =
      formerUdid === undefined || formerUdid === udid ? undefined : this.#devices.get(formerUdid);
    this.#udidAt.set(place, udid);
    if (former && !this.#attached.has(former.udid)) this.#supersede(former, udid, this.#known.get(place));
    const { serial, state, reason, devpath } = listed;
    const { supersededBy: _, reason: __, devpath: ___, ...kept } = this.#devices.get(udid) ?? {};
    this.#devices.set(
      udid,
      present({ ...kept, udid, serial, connection, devpath, attached: true, state, reason, lastSeenAt: now }),
    );
  }

  /**
   * The phone at this place goes by another name now: its own serial became known, or a twin of the same serial
   * came. The cloud has to hear that the old name is gone. (Another phone at the same address is no such case: the
   * former one is unplugged.)
   */
  #supersede(former: RosterDevice, udid: string, known: Known | undefined): void {
    const serialNumber = former.identity?.serialNumber;
    if (!former.attached || (serialNumber !== undefined && serialNumber !== known?.serialNumber)) return;
    if (former.reported) this.#devices.set(former.udid, { ...unplugged(former), supersededBy: udid });
    else this.#devices.delete(former.udid);
  }

  #isGone(listed: ListedDevice, now: number): boolean {
    const place = placeOf(listed);
    if (listed.state !== 'offline' || connectionOf(listed) !== 'tcp') {
      this.#offlineSince.delete(place);
      return false;
    }
    const since = this.#offlineSince.get(place) ?? now;
    this.#offlineSince.set(place, since);
    return now - since > this.#options.offlineNetworkMs;
  }
}

const knownOf = (identity: IdentityFacts | undefined): Known =>
  identity ? present({ serialNumber: identity.serialNumber, isEmulator: identity.isEmulator }) : {};

function unplugged({ reason: _, ...device }: RosterDevice): RosterDevice {
  return device.attached || device.state !== 'disconnected'
    ? { ...device, attached: false, state: 'disconnected' }
    : device;
}
