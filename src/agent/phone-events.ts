/** Tells the observers what happens to each phone, at the moment when it is noticed. */
import { isPassing } from '../adb/adb.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { Checkpoint } from '../diagnosis/events/checkpoint.ts';
import type { NewEvent, PhoneHappening, Where } from '../diagnosis/events/event.ts';
import { whereOf } from '../diagnosis/events/where.ts';
import type { HostReport } from '../report/host-report.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import { happeningsOf, type Seen, seenOf, unseen } from './happenings.ts';
import type { AgentEvents } from './observer.ts';
import type { AgentTiming } from './options.ts';
import type { ProbePool } from './probes.ts';

export interface PhoneEventsOptions {
  roster: Roster;
  hostReport: Pick<HostReport, 'isFollowed' | 'slotOf'>;
  probePool: Pick<ProbePool, 'facts'>;
  clockStep: Pick<ClockStep, 'onStep'>;
  /** What the agent before this one, or an earlier run, recorded last. */
  checkpoint?: Checkpoint;
  observer: Pick<AgentEvents, 'forgotten' | 'happened' | 'renamed'>;
  timing: Pick<AgentTiming, 'passingMs'>;
}

/** A state that is not told yet: it may pass within seconds. */
interface Held {
  state: string;
  /** When it was noticed, ms since the epoch, and by the monotonic clock. */
  at: number;
  since: number;
}

const COMPARED = [
  'attached',
  'state',
  'identity',
  'boot',
  'simState',
  'batteryHealth',
  'cloudAnswer',
] as const satisfies readonly (keyof Seen)[];

/** The cloud client has taken secrets and identifiers out of what the cloud said. */
const LONGEST_SAID = 300;

export class PhoneEvents {
  readonly #options: PhoneEventsOptions;
  readonly #seen = new Map<string, Seen>();
  readonly #held = new Map<string, Held>();
  /** How many phones of earlier runs are in `#seen`. */
  #seeded = 0;

  constructor(options: PhoneEventsOptions) {
    this.#options = options;
    options.clockStep.onStep(() => this.#clockSet());
  }

  /** How each phone is connected, as far as it was told. */
  get connections(): ReadonlyMap<string, Seen> {
    return this.#seen;
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
    const { roster } = this.#options;
    for (const udid of reconnected) this.#reconnected(udid);
    this.#look(roster.devices);
  }

  /**
   * Phones were collected, or the cloud has answered about them.
   *
   * @param saidOf what the cloud said when it refused this phone
   */
  look(udids: Iterable<string>, saidOf?: (udid: string) => string | undefined): void {
    this.#renamed();
    const { roster } = this.#options;
    this.#look(
      [...udids].flatMap((udid) => roster.get(udid) ?? []),
      saidOf,
    );
  }

  /** Nothing of these phones is to remain. */
  forgotten(udids: readonly string[]): void {
    for (const udid of udids) {
      this.#seen.delete(udid);
      this.#held.delete(udid);
    }
    if (udids.length > 0) this.#options.observer.forgotten(udids);
  }

  /** What an earlier run left; a file that could not be read at the start may come later. */
  #seed(): void {
    const { roster, checkpoint } = this.#options;
    for (const device of roster.earlier.slice(this.#seeded)) {
      const { udid } = device;
      if (device.supersededBy !== undefined || this.#seen.has(udid)) continue;
      const { attached, state } = checkpoint?.connections
        ? (checkpoint.connections.get(udid) ?? unseen)
        : device;
      this.#seen.set(udid, { ...seenOf(unseen, device), attached, state });
    }
    this.#seeded = roster.earlier.length;
  }

  #renamed(): void {
    const { roster, observer } = this.#options;
    for (const { from, to } of roster.takeRenamed()) {
      const seen = this.#seen.get(from);
      if (seen !== undefined && !this.#seen.get(to)?.attached)
        this.#seen.set(to, { ...this.#seen.get(to), ...seen });
      this.#seen.delete(from);
      this.#held.delete(from);
      observer.renamed(from, to);
    }
  }

  #reconnected(udid: string): void {
    const device = this.#options.roster.get(udid);
    const seen = this.#seen.get(udid);
    if (device === undefined || !seen?.attached) return;
    this.#look([{ ...device, attached: false, state: unseen.state }]);
  }

  #look(devices: readonly RosterDevice[], saidOf?: (udid: string) => string | undefined): void {
    const { hostReport, observer } = this.#options;
    const events = devices
      .filter((device) => device.supersededBy === undefined && !this.#isAsSeen(device))
      .filter((device) => hostReport.isFollowed(device))
      .flatMap((device) => this.#eventsOf(device, saidOf?.(device.udid)));
    if (events.length > 0) observer.happened(events);
  }

  /** Mostly it is: there is nothing to tell. */
  #isAsSeen(device: RosterDevice): boolean {
    const seen = this.#seen.get(device.udid);
    return (
      seen !== undefined &&
      !this.#held.has(device.udid) &&
      COMPARED.every((key) => device[key] === undefined || device[key] === seen[key])
    );
  }

  #eventsOf(device: RosterDevice, message: string | undefined): NewEvent[] {
    const { udid } = device;
    const before = this.#seen.get(udid) ?? unseen;
    const held = this.#held.get(udid);
    const now = Date.now();
    if (isSoonOver(before, device)) {
      const since = held ?? { state: device.state, at: now, since: performance.now() };
      this.#held.set(udid, since);
      if (performance.now() - since.since < this.#options.timing.passingMs) return [];
    }
    this.#held.delete(udid);
    this.#seen.set(udid, seenOf(before, device));
    const said = message === undefined ? undefined : printable(message, LONGEST_SAID);
    const { boot } = this.#options.probePool.facts(udid);
    const isBootShared = this.#isBootShared(before, device);
    const happenings = happeningsOf(before, device, omitUndefined({ boot, isBootShared, said }));
    const event = (happening: PhoneHappening, at: number): NewEvent => ({
      ...happening,
      udid,
      where: this.#where(device),
      at,
    });
    // it came and went while its state was passing
    const glimpse: PhoneHappening[] =
      held && !before.attached && !device.attached
        ? [{ kind: 'attached', state: held.state }, { kind: 'detached' }]
        : [];
    return [...glimpse, ...happenings].map((each) =>
      event(each, each.kind === 'attached' ? (held?.at ?? now) : now),
    );
  }

  #where(device: RosterDevice): Where {
    return whereOf(device, this.#options.hostReport.slotOf(device));
  }

  /** The containers of one host share its boot id. A phone that is gone may be this one under its former name. */
  #isBootShared({ boot: was }: Seen, { udid, boot: is, identity }: RosterDevice): boolean {
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
    for (const [udid, seen] of this.#seen) {
      const boot = this.#options.roster.get(udid)?.boot;
      if (boot && seen.boot?.id === boot.id) this.#seen.set(udid, { ...seen, boot });
    }
  }
}

/** May another state follow within seconds? `offline` only where the phone was just plugged in. */
const isSoonOver = (before: Seen, { attached, state }: RosterDevice): boolean =>
  attached && state !== before.state && isPassing(state) && (state !== 'offline' || !before.attached);
