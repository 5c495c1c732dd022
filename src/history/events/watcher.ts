/** Watches the phones: notices what happens to each, and samples its readings. */
import { isPassing } from '../../adb/adb.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { printable } from '../../base/printable.ts';
import type { Facts } from '../../facts/index.ts';
import type { HostReport } from '../../report/host-report.ts';
import type { ClockStep } from '../../roster/clock-step.ts';
import type { RosterDevice } from '../../roster/device.ts';
import type { Roster } from '../../roster/roster.ts';
import type { Checkpoint } from './checkpoint.ts';
import { bucketOf, type HistorySample, type NewEvent, type Where } from './event.ts';
import { eventDiff, nothingBefore, type Previous, previousOf } from './event-diff.ts';
import type { UsbWatch } from './usb-watch.ts';
import { whereOf } from './where.ts';

export interface PhoneWatcherOptions {
  roster: Roster;
  hostReport: Pick<HostReport, 'isFollowed' | 'slotOf'>;
  probePool: { facts(udid: string): Facts };
  clockStep: Pick<ClockStep, 'onStep'>;
  /** What the agent before this one, or an earlier run, recorded last. */
  checkpoint?: Checkpoint;
  observer: {
    happened(events: readonly NewEvent[]): void;
    sampled(sample: HistorySample & { udid: string }): void;
    renamed(from: string, to: string): void;
  };
  /** Absent where the phones are not on the USB of this machine. */
  usb?: UsbWatch;
  /** A state that may pass is recorded after so long only, ms. */
  timing: { readonly passingMs: number };
}

/** A state that is not recorded yet: it may pass within seconds. */
interface Held {
  state: string;
  /** When it was noticed, ms since the epoch, and by the monotonic clock. */
  at: number;
  since: number;
}

/** The cloud client has taken secrets and identifiers out of what the cloud said. */
const LONGEST_SAID = 300;

export class PhoneWatcher {
  readonly #options: PhoneWatcherOptions;
  readonly #previous = new Map<string, Previous>();
  readonly #held = new Map<string, Held>();
  /** The last sample of each phone. */
  readonly #sampled = new Map<string, HistorySample>();
  /** How many phones of earlier runs are in `#previous`. */
  #seeded = 0;

  constructor(options: PhoneWatcherOptions) {
    this.#options = options;
    options.clockStep.onStep(() => this.#clockSet());
  }

  /** How each phone is connected, as far as it was recorded. */
  get connections(): ReadonlyMap<string, Previous> {
    return this.#previous;
  }

  /** Where this phone sits, or sat last; undefined if the host does not know it or ignores it. */
  whereOf(udid: string): Where | undefined {
    const { roster, hostReport } = this.#options;
    const device = roster.get(udid);
    return device && hostReport.isFollowed(device) ? this.#where(device) : undefined;
  }

  /**
   * adb's list was read.
   *
   * @param reconnected the phones whose connection was a new one each time, although the list never lacked them
   */
  listed(reconnected: ReadonlySet<string>): void {
    this.#seed();
    this.#renamed();
    const { roster, usb } = this.#options;
    for (const udid of reconnected) this.#reconnected(udid);
    this.#look(roster.devices);
    for (const { udid, attached, devpath } of roster.devices) if (attached) usb?.sees(udid, devpath);
  }

  /**
   * Phones were collected, or the cloud has answered about them.
   *
   * @param saidOf what the cloud said when it refused this phone
   */
  look(udids: Iterable<string>, saidOf?: (udid: string) => string | undefined): void {
    this.#renamed();
    const devices = [...udids].flatMap((udid) => this.#options.roster.get(udid) ?? []);
    this.#look(devices, saidOf);
  }

  /** A phone gave these facts just now. */
  collected(udid: string, facts: Facts): void {
    const sample = sampleOf(facts, Date.now());
    const last = this.#sampled.get(udid);
    if (sample === undefined) return;
    if (last && bucketOf(last.at) === bucketOf(sample.at) && !isWorse(sample, last)) return;
    this.#sampled.set(udid, sample);
    this.#options.observer.sampled({ udid, ...sample });
  }

  /** The roster has no more of these phones. */
  gone(udids: readonly string[]): void {
    for (const udid of udids) {
      for (const known of [this.#previous, this.#held, this.#sampled]) known.delete(udid);
      this.#options.usb?.forgotten(udid);
    }
  }

  /** What an earlier run left; a file that could not be read at the start may come later. */
  #seed(): void {
    const { roster, checkpoint } = this.#options;
    for (const device of roster.earlier.slice(this.#seeded)) {
      const { udid } = device;
      if (device.supersededBy !== undefined || this.#previous.has(udid)) continue;
      const { attached, state } = checkpoint?.connections
        ? (checkpoint.connections.get(udid) ?? nothingBefore)
        : device;
      this.#previous.set(udid, { ...device, attached, state });
    }
    this.#seeded = roster.earlier.length;
  }

  #renamed(): void {
    const { roster, observer } = this.#options;
    for (const { from, to } of roster.takeRenamed()) {
      const previous = this.#previous.get(from);
      if (previous !== undefined && !this.#previous.get(to)?.attached)
        this.#previous.set(to, { ...this.#previous.get(to), ...previous });
      this.#previous.delete(from);
      this.#held.delete(from);
      this.#options.usb?.renamed(from, to);
      observer.renamed(from, to);
    }
  }

  #reconnected(udid: string): void {
    const device = this.#options.roster.get(udid);
    const previous = this.#previous.get(udid);
    if (device === undefined || !previous?.attached) return;
    this.#look([{ ...device, attached: false, state: nothingBefore.state }]);
  }

  #look(devices: readonly RosterDevice[], saidOf?: (udid: string) => string | undefined): void {
    const { hostReport, observer, usb } = this.#options;
    const events = devices
      .filter((device) => device.supersededBy === undefined && hostReport.isFollowed(device))
      .flatMap((device) => this.#eventsOf(device, saidOf?.(device.udid)));
    if (events.length > 0) observer.happened(usb?.beside(events) ?? events);
  }

  #eventsOf(device: RosterDevice, message: string | undefined): NewEvent[] {
    const { udid } = device;
    const before = this.#previous.get(udid) ?? nothingBefore;
    const held = this.#held.get(udid);
    const now = Date.now();
    if (isSoonOver(before, device)) {
      const holding = held ?? { state: device.state, at: now, since: performance.now() };
      this.#held.set(udid, holding);
      if (performance.now() - holding.since < this.#options.timing.passingMs) return [];
    }
    this.#held.delete(udid);
    this.#previous.set(udid, previousOf(before, device));
    const said = message === undefined ? undefined : printable(message, LONGEST_SAID);
    const { boot } = this.#options.probePool.facts(udid);
    const isBootShared = this.#isBootShared(before, device);
    const happenings = eventDiff(before, device, omitUndefined({ boot, isBootShared, said }));
    // it came and went while its state was passing
    if (held && !before.attached && !device.attached)
      happenings.unshift({ kind: 'attached', state: held.state }, { kind: 'detached' });
    return happenings.map((happening) => ({
      ...happening,
      udid,
      where: this.#where(device),
      at: happening.kind === 'attached' ? (held?.at ?? now) : now,
    }));
  }

  #where(device: RosterDevice): Where {
    return whereOf(device, this.#options.hostReport.slotOf(device));
  }

  /** The containers of one host share its boot id. A phone that is gone may be this one under its former name. */
  #isBootShared({ boot: was }: Previous, { udid, boot: is, identity }: RosterDevice): boolean {
    if (was?.id === is?.id) return false;
    const ids = [was?.id, is?.id].filter(Boolean);
    return this.#options.roster.devices.some(
      (other) =>
        other.udid !== udid &&
        other.supersededBy === undefined &&
        (other.attached || identity?.isEmulator === true) &&
        ids.includes(other.boot?.id),
    );
  }

  /** The roster has moved its times: a boot that is the same has another time now. */
  #clockSet(): void {
    for (const [udid, previous] of this.#previous) {
      const boot = this.#options.roster.get(udid)?.boot;
      if (boot && previous.boot?.id === boot.id) this.#previous.set(udid, { ...previous, boot });
    }
  }
}

/** May another state follow within seconds? `offline` only where the phone was just plugged in. */
const isSoonOver = (before: Previous, { attached, state }: RosterDevice): boolean =>
  attached && state !== before.state && isPassing(state) && (state !== 'offline' || !before.attached);

/** Undefined if there is nothing to keep. */
function sampleOf({ battery, storage }: Facts, at: number): HistorySample | undefined {
  const { levelPercent, temperatureDecicelsius, status } = battery ?? {};
  const readings = omitUndefined({
    levelPercent,
    temperatureDecicelsius,
    isFull: status === undefined || status === 'UNKNOWN' ? undefined : status === 'FULL',
    storageUsedBytes: storage?.usedBytes,
  });
  return Object.keys(readings).length === 0 ? undefined : { at, ...readings };
}

/** Of five minutes the worst reading is kept: emptier, warmer by a whole degree, fuller by a hundredth. */
const isWorse = (sample: HistorySample, last: HistorySample): boolean =>
  (sample.levelPercent ?? 101) < (last.levelPercent ?? 101) ||
  degrees(sample) > degrees(last) ||
  (sample.storageUsedBytes ?? 0) > (last.storageUsedBytes ?? 0) * 1.01;

const degrees = ({ temperatureDecicelsius = Number.NEGATIVE_INFINITY }: HistorySample): number =>
  Math.floor(temperatureDecicelsius / 10);
