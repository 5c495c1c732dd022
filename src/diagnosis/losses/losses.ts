/**
 * The losses of phones: a phone was detached, or stayed listed but went offline. Each loss knows how it ended, and which
 * ones followed each other quickly. Linear in the events; why a phone was lost is for `cause.ts`.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  type HistoryEvent,
  type HostEvent,
  isAfterBoot,
  isLostState,
  type KernelEvent,
  type PhoneEvent,
  type PlaceEvent,
  type Where,
} from '../../history/events/event.ts';
import { portOf } from '../../history/events/where.ts';
import type { KernelFault } from '../../host/kernel-line.ts';
import { FASTBOOT_INTERFACE } from '../../host/usb-devices.ts';
import { LOOK_BACK_MS, type RuleContext } from '../rule.ts';
import { between, clockAdjusted, type Moment } from './clock-adjusted.ts';
import {
  emulatorsIn,
  type HostMark,
  type Loss,
  type Losses,
  mediumOf,
  SNATCHED_MS,
  type UsbWitness,
  wasAway,
} from './loss.ts';
import { LossGroups, type Sitting } from './loss-groups.ts';
import { isByReset } from './signs.ts';

/** A server that starts lists its phones within this time, ms. */
const ADB_STARTS_MS = 30_000;
/** Phones go before the server counts as lost, ms, and before the sleep of the host is noticed (`ClockStep`). */
const LATE_MS = { adb: 3_000, sleep: 10_000 };
/** What is missing so soon after the agent's start went when nobody looked, ms. */
const AGENT_STARTS_MS = 60_000;
/** Who writes a note has the phone in hand, before and after, ms. */
const NOTE_MS = 15 * 60_000;
/** A phone goes some seconds before it counts as rebooting; its clock of uptime starts then. */
const BOOT_SLACK_MS = 60_000;
/** From the loss to the boot: a phone shuts down, and its boot loader starts Android. */
const SHUTDOWN_MS = 3 * 60_000;
/** A phone that boots is back so soon; adb lists it before it has finished. */
const BOOT_MS = 5 * 60_000;
/** Who comes back is asked so soon, ms. */
const ROOT_SEEN_MS = 5 * 60_000;
/** adbd starts anew so soon after it is told to, ms. */
const ROOT_MS = 10_000;
/** The kernel tries to read a phone for a minute and a half, ms. */
const KERNEL_MS = 120_000;
/** It tells the resets of a minute together, by the first of them; a phone goes some seconds after one. */
const RESET_MS = 75_000;
/** Faults that lie at the port, its cable or what is plugged in. */
const atPort: ReadonlySet<string> = new Set<KernelFault>([
  'descriptor',
  'enumerate',
  'overCurrent',
  'cable',
  'emi',
]);
/**
 * adb calls a phone offline for a moment while it lets go of it, ms; one on the network while it tries to connect it again, for
 * minutes.
 */
const KICKED_MS = { usb: 10_000, network: 15 * 60_000, emulator: 15 * 60_000 };

/** A phone while the events are gone through. */
interface Track extends Sitting {
  state: string;
  open?: Loss;
  last?: Loss;
  isRoot: boolean;
  rootChanged?: Moment;
  repaired?: Moment & { id: number };
  maintenanceUntil?: number;
}

const STRANGER: Track = { isEmulator: false, isAttached: false, state: '', where: {}, isRoot: false };

export function lossesOf(context: RuleContext): Losses {
  const replay = new Replay(context);
  for (const [event, moment] of clockAdjusted(context.events)) replay.take(event, moment);
  return replay.found;
}

type Kept<E> = E & { id: number; at: number };

/** Goes through the events, the oldest first. */
class Replay {
  readonly #groups = new LossGroups();
  readonly found: Losses = {
    losses: [],
    groups: this.#groups.found,
    hostMarks: [],
    restarts: [],
    repairs: new Map(),
  };
  readonly #since: number;
  readonly #tracks: Map<string, Track>;
  /** The last one at each port. */
  readonly #resets = new Map<string, Moment & NonNullable<Loss['kernel']>>();
  #wasStopped = false;

  constructor(context: RuleContext) {
    this.#since = context.now.at - LOOK_BACK_MS;
    this.#tracks = tracksAtBegin(context);
    for (const track of this.#tracks.values()) this.#groups.count(track, 1);
  }

  take(event: HistoryEvent, moment: Moment): void {
    if (event.udid !== undefined) this.#ofPhone(event, moment);
    else if (event.kind === 'kernel') this.#ofKernel(event, moment);
    else if (event.kind === 'note')
      for (const place of placesIn(event)) this.found.repairs.set(place, event.id);
    else this.#ofHost(event, moment);
  }

  #ofPhone(event: Kept<PhoneEvent>, moment: Moment): void {
    const { id } = event;
    // one that was never attached has no losses
    const track = this.#tracks.get(event.udid) ?? { ...STRANGER };
    const { open, last } = track;
    switch (event.kind) {
      case 'attached':
        this.#move(track, { isAttached: true, where: event.where, state: event.state });
        comeBack(track, id, moment);
        showMode(open, event.interfaces);
        break;
      case 'detached':
        if (track.isAttached && !open) this.#lose(track, event, moment);
        else if (open) open.wasListed &&= (between(open, moment) ?? 0) >= KICKED_MS[open.medium];
        this.#move(track, { isAttached: false });
        break;
      case 'state':
        if (isLostState(event.state) && track.isAttached && !open) this.#lose(track, event, moment);
        track.state = event.state;
        comeBack(track, id, moment);
        break;
      case 'usb':
        if (last) last.usb ??= witnessOf(event);
        break;
      case 'rebooted':
        if (last) rebootIn(last, omitUndefined({ id, reason: event.reason }), event.uptimeSeconds, moment);
        if (!isInMaintenance(track, moment)) this.found.restarts.push({ ...event, at: moment.at });
        break;
      case 'os':
        if (last?.back) update(last);
        break;
      case 'adbRoot':
        if (last && isWithin(ROOT_SEEN_MS, last, moment)) last.root = 'changed';
        track.isRoot = event.isRoot;
        track.rootChanged = moment;
        break;
      case 'maintenance':
        track.maintenanceUntil = event.until + (moment.at - event.at);
        this.#repair(track, event, moment);
        break;
      case 'maintenanceEnded':
        delete track.maintenanceUntil;
        this.#repair(track, event, moment);
        break;
      case 'note':
        this.#repair(track, event, moment);
        break;
    }
  }

  #move(track: Track, now: Partial<Track>): void {
    this.#groups.count(track, -1);
    Object.assign(track, now);
    this.#groups.count(track, 1);
  }

  #lose(track: Track, event: Kept<PhoneEvent>, moment: Moment): void {
    const { id, udid } = event;
    const where = portOf(event.where) === undefined ? track.where : event.where;
    const port = portOf(where);
    const { state, repaired } = track;
    const mark = this.found.hostMarks.at(-1);
    const reset = this.#resets.get(port ?? '');
    const hasChangedRoot = isWithin(ROOT_MS, track.rootChanged, moment);
    const loss: Loss = omitUndefined({
      ...moment,
      id,
      udid,
      where,
      port,
      medium: mediumOf(where, track.isEmulator),
      root: hasChangedRoot ? ('changed' as const) : track.isRoot ? ('was' as const) : undefined,
      before: state,
      wasListed: event.kind === 'state',
      wasInMaintenance: isInMaintenance(track, moment),
      mark: isWithin(mark?.kind === 'adb' ? ADB_STARTS_MS : AGENT_STARTS_MS, mark, moment) ? mark : undefined,
      repair: isWithin(NOTE_MS, repaired, moment) ? repaired : undefined,
      kernel: isWithin(RESET_MS, reset, moment) ? reset : undefined,
    });
    track.open = loss;
    track.last = loss;
    this.found.losses.push(loss);
    this.#groups.add(loss);
  }

  #lastLosses(ms: number, moment: Moment): Loss[] {
    const { losses } = this.found;
    return losses.slice(losses.findLastIndex((loss) => !isWithin(ms, loss, moment)) + 1);
  }

  #repair(track: Track, { id, udid, where }: Kept<PhoneEvent>, moment: Moment): void {
    const port = portOf(where) ?? portOf(track.where);
    this.found.repairs.set(`udid ${udid}`, id);
    if (port !== undefined) this.found.repairs.set(`port ${port}`, id);
    const repaired = { ...moment, id };
    track.repaired = repaired;
    for (const loss of this.#lastLosses(NOTE_MS, moment)) if (loss.udid === udid) loss.repair ??= repaired;
  }

  #ofHost(event: Kept<HostEvent>, moment: Moment): void {
    const shown = this.#shownBy(event);
    if (event.kind === 'agentStopped' || event.kind === 'agentStarted')
      this.#wasStopped = event.kind === 'agentStopped';
    if (!shown) return;
    const mark = { ...moment, id: event.id, ...shown };
    this.found.hostMarks.push(mark);
    if (mark.kind === 'adb' || mark.kind === 'sleep')
      for (const loss of this.#lastLosses(LATE_MS[mark.kind], mark)) loss.mark ??= mark;
  }

  #shownBy(event: HostEvent): Omit<HostMark, 'id' | keyof Moment> | undefined {
    switch (event.kind) {
      case 'agentStarted':
        return { kind: 'start', ...this.#bootBefore(event) };
      case 'agentPaused':
        return { kind: 'pause' };
      case 'hostSlept':
        return { kind: 'sleep' };
      case 'adbLost':
        return { kind: 'adb', isSilent: ['silent', 'foreign'].includes(event.failureKind ?? '') };
      case 'adbBack':
        return { kind: 'adb' };
      case 'adbReplaced':
        return omitUndefined({ kind: 'adb' as const, version: event.version });
      default:
        return undefined;
    }
  }

  /** Whether it was stopped is not known of an agent from before all that is looked at. */
  #bootBefore(started: Extract<HostEvent, { kind: 'agentStarted' }>): Pick<HostMark, 'isPowerCut' | 'offMs'> {
    const { hostBootedAt = 0, lastAliveAt = 0 } = started;
    if (!isAfterBoot(started)) return {};
    if (this.#wasStopped) return { offMs: hostBootedAt - lastAliveAt };
    return lastAliveAt > this.#since ? { isPowerCut: true } : {};
  }

  #ofKernel(event: Kept<KernelEvent>, moment: Moment): void {
    const { id, fault, count, controller } = event;
    const port = portOf(event.where);
    const isReset = fault === 'reset';
    if (isReset && port !== undefined) this.#resets.set(port, { ...moment, id, fault, count });
    for (const loss of this.#lastLosses(isReset ? RESET_MS : KERNEL_MS, moment)) {
      const isOfPort = loss.port === port && (isReset ? loss.at >= moment.at : atPort.has(fault));
      if (isOfPort && (!loss.kernel || isByReset(loss))) loss.kernel = event;
      if (fault === 'died' && loss.port?.includes(`-${controller}-`))
        loss.usb = { id, gone: 'controller', isOtherMode: false }; // its root hub stays in sysfs
    }
  }
}

const isWithin = (ms: number, one: Moment | undefined, other: Moment): boolean =>
  one !== undefined && Math.abs(between(one, other) ?? Number.POSITIVE_INFINITY) <= ms;

const isInMaintenance = ({ maintenanceUntil = Number.NEGATIVE_INFINITY }: Track, { at }: Moment): boolean =>
  maintenanceUntil > at;

function comeBack(track: Track, id: number, moment: Moment): void {
  const { open, state, where } = track;
  if (!open || isLostState(state)) return;
  open.back = omitUndefined({ ...moment, id, state, port: portOf(where) });
  delete track.open;
}

/** A phone that takes longer to change its mode was not there when USB was read. */
function showMode(loss: Loss | undefined, interfaces: string | undefined): void {
  if (!loss?.usb || wasAway(loss, SNATCHED_MS)) return;
  loss.usb.isOtherMode ||= areOther(interfaces, loss.usb.interfacesBefore);
}

const areOther = (interfaces: string | undefined, before: string | undefined): boolean =>
  interfaces !== undefined && before !== undefined && interfaces !== before;

const witnessOf = (event: Extract<HistoryEvent, { kind: 'usb' }>): UsbWitness => {
  const { id, gone, hub, overCurrents, interfaces, interfacesBefore } = event;
  const isOtherMode = areOther(interfaces, interfacesBefore);
  const isInBootloader = (isOtherMode && interfaces?.split(' ').includes(FASTBOOT_INTERFACE)) || undefined;
  return omitUndefined({ id, gone, hub, overCurrents, interfacesBefore, isOtherMode, isInBootloader });
};

/** The phone now says that it restarted: did the loss begin with that, or did it end with that? */
function rebootIn(
  loss: Loss,
  reboot: { id: number; reason?: string },
  uptimeSeconds: number | undefined,
  moment: Moment,
): void {
  const sinceLoss = between(loss, moment);
  const { back = moment } = loss;
  if (sinceLoss === undefined || loss.reboot || loss.revival) return;
  const away = back.at - loss.at;
  const bootedAfter = uptimeSeconds === undefined ? away - BOOT_MS : sinceLoss - uptimeSeconds * 1000;
  if (bootedAfter < -BOOT_SLACK_MS && uptimeSeconds !== undefined) return;
  if (bootedAfter <= SHUTDOWN_MS) loss.reboot = reboot;
  else if (away - bootedAfter <= BOOT_MS) loss.revival = { ...reboot, afterMs: bootedAfter };
  if (loss.isUpdated) update(loss);
}

/** It runs another Android since. */
function update(loss: Loss): void {
  loss.isUpdated = true;
  const { revival } = loss;
  if (!revival) return;
  loss.reboot = revival;
  delete loss.revival;
}

/** Where a note is that is on no phone. */
function placesIn({ where }: PlaceEvent): string[] {
  const { hub, slot } = where;
  const port = hub === undefined ? portOf(where) : undefined;
  if (port !== undefined) return [`port ${port}`];
  if (hub === undefined && slot === undefined) return ['host'];
  return [hub === undefined ? [] : `hub ${hub}`, slot === undefined ? [] : `slot ${slot}`].flat();
}

/** Who was attached before the first event: whoever is lost first, and whoever is attached and never came. */
function tracksAtBegin({ now, events }: RuleContext): Map<string, Track> {
  const tracks = new Map<string, Track>();
  const emulators = emulatorsIn(now);
  const begin = (udid: string, isAttached: boolean, state: string, where: Where): void => {
    const isEmulator = emulators.has(udid);
    if (!tracks.has(udid)) tracks.set(udid, { ...STRANGER, isEmulator, isAttached, state, where });
  };
  for (const event of events)
    if (event.kind === 'attached') begin(event.udid, false, 'device', event.where);
    else if (event.kind === 'detached') begin(event.udid, true, 'device', event.where);
    else if (event.kind === 'state') begin(event.udid, true, event.before, event.where);
  for (const { udid, attached, state, where } of now.phones) begin(udid, attached, state, where);
  return tracks;
}
