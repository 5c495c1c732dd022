/** What is kept of each phone, by its udid, and of how many: adb's list names them (`roster.ts`). */
import type { RosterDevice } from './device.ts';
import { announced, isToReport, readBack, refused, stored } from './device-changes.ts';

/** In the order in which they were first seen. */
export class PhoneRecords extends Map<string, RosterDevice> {
  readonly #most: number;
  #dropped: string[] = [];

  /** @param most more phones are not kept */
  constructor(most: number) {
    super();
    this.#most = most;
  }

  put(device: RosterDevice): void {
    this.set(device.udid, device);
  }

  /** Changes a phone that is known; forgets it when `change` returns undefined. */
  change(udid: string, change: (device: RosterDevice) => RosterDevice | undefined): void {
    const device = this.get(udid);
    const changed = device && change(device);
    if (changed) this.put(changed);
    else this.delete(udid);
  }

  /** There is no room: further phones replace unplugged ones, or are left out. */
  get isFull(): boolean {
    return this.size >= this.#most;
  }

  /**
   * Forgets unplugged phones where there are too many.
   *
   * @param expected phones that may be attached although adb has not listed them yet
   */
  makeRoom(expected: ReadonlySet<string>): ReadonlySet<string> {
    const leaving = toForget([...this.values()], this.#most, expected);
    for (const udid of leaving) this.delete(udid);
    if (leaving.size > 0) this.#dropped = [...this.#dropped, ...leaving].slice(-this.#most);
    return leaving;
  }

  /** The phones that were forgotten to make room since the last call. */
  takeDropped(): string[] {
    const dropped = this.#dropped;
    this.#dropped = [];
    return dropped.filter((udid) => !this.has(udid));
  }

  /**
   * Forgets the phones that were unplugged before `before`, ms since the epoch.
   *
   * @param mayForget false for a phone that we still have to report
   */
  forget(before: number, mayForget: (device: RosterDevice) => boolean = () => true): string[] {
    const old = [...this.values()].filter(
      (device) => (device.goneAt ?? before) < before && mayForget(device),
    );
    for (const { udid } of old) this.delete(udid);
    return old.map(({ udid }) => udid);
  }

  /** Stores the port paths of a newly listed phone; undefined if only its devpath is known. */
  seat(udid: string, portPaths: readonly string[] | undefined): void {
    if (portPaths !== undefined) this.change(udid, (device) => ({ ...device, portPaths }));
  }

  announced(udids: Iterable<string>): void {
    for (const udid of udids) this.change(udid, announced);
  }

  stored(sent: Iterable<{ udid: string; status: 'PLUGGED' | 'UNPLUGGED' }>): void {
    for (const { udid, status } of sent) this.change(udid, (device) => stored(device, status));
  }

  /** The cloud cannot be read any more: nothing that it was read to have counts. */
  cloudUnread(): void {
    for (const device of this.values()) this.put(readBack(device, undefined, 0));
  }

  refused(udids: Iterable<string>): void {
    for (const udid of udids) this.change(udid, refused);
  }
}

/** The lowest are forgotten first. */
const worth = (device: RosterDevice): number =>
  (isToReport(device) ? 2 : 0) + (device.identity === undefined ? 0 : 1);

/** A port that had more phones than this, or a network address, is crowded: they may be one phone with many names. */
const CROWD = 16;

/**
 * The unplugged phones to forget, so that at most `most` remain. First the newest of the most crowded places; then those
 * that never answered, then those that were unplugged the longest. Phones that the cloud may hold as plugged in come
 * last: we still have to report them unplugged.
 *
 * @param devices in the order in which they were first seen
 * @param expected phones that may be attached although adb has not listed them yet; forgotten last of all
 */
function toForget(
  devices: readonly RosterDevice[],
  most: number,
  expected: ReadonlySet<string>,
): Set<string> {
  if (devices.length <= most) return new Set();
  const seen = new Map<string, number>();
  const ranked = devices.map((device) => {
    const { udid, devpath, serial, goneAt = 0 } = device;
    const place = devpath ?? serial.replace(/:\d+$/, '');
    const count = (seen.get(place) ?? 0) + 1;
    seen.set(place, count);
    const isExpected = expected.has(udid);
    const crowd = isExpected || count <= CROWD ? 0 : count;
    return { device, crowd, goneAt, rank: worth(device) + (isExpected ? 4 : 0) };
  });
  const unplugged = ranked
    .filter(({ device }) => !device.attached)
    .sort((one, other) => other.crowd - one.crowd || one.rank - other.rank || one.goneAt - other.goneAt);
  return new Set(unplugged.slice(0, devices.length - most).map(({ device }) => device.udid));
}
