/**
 * The losses of phones: a phone was detached, or stayed listed but went offline. Each loss knows how it ended, and which
 * ones followed each other quickly. Linear in the events; why a phone was lost is for `cause.ts`.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  type HistoryEvent,
  isAfterBoot,
  isLostState,
  type KernelEvent,
  type PhoneEvent,
  type PlaceEvent,
  type Where,
} from '../../history/events/event.ts';
import { controllerOf, hubsAbove, portOf } from '../../history/events/where.ts';
import type { KernelFault } from '../../host/kernel-line.ts';
import { FASTBOOT_INTERFACE } from '../../host/usb-devices.ts';
import { LOOK_BACK_MS, type RuleContext } from '../rule.ts';
import { between, clockAdjusted, type Moment } from './clock-adjusted.ts';
import {
  type HostMark,
  isByReset,
  type Loss,
  type Losses,
  type LossGroup,
  mediumOf,
  NETWORK,
  type UsbWitness,
} from './loss.ts';

/** A server that starts lists its phones within this time, ms. */
const ADB_STARTS_MS = 30_000;
/** Phones go before the server counts as lost, ms. */
const ADB_LATE_MS = 3_000;
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
/** Only a restart leads there. */
export const flashStates: ReadonlySet<string> = new Set(['bootloader', 'recovery', 'sideload', 'rescue']);

/** A phone while the events are gone through. */
interface Track {
  isEmulator: boolean;
  isAttached: boolean;
  state: string;
  where: Where;
  open?: Loss;
  last?: Loss;
  isRoot: boolean;
  rootChanged?: Moment;
  repaired?: Moment & { id: number };
  maintenanceUntil?: number;
}

const STRANGER: Track = { isEmulator: false, isAttached: false, state: '', where: {}, isRoot: false };

export function lossesOf(context: Pick<RuleContext, 'now' | 'events'>): Losses {
  const found: Losses = { losses: [], groups: [], hostMarks: [], repairs: new Map() };
  const { losses, hostMarks, repairs } = found;
  const tracks = tracksAtBegin(context);
  /** The last one at each port. */
  const resets = new Map<string, Moment & NonNullable<Loss['kernel']>>();
  const attached: AttachedCounts = new Map();
  for (const track of tracks.values()) count(attached, track, 1);
  const groups = {
    usb: new Grouping(USB_GAP_MS, found.groups),
    network: new Grouping(NETWORK_GAP_MS, found.groups),
    emulator: new Grouping(USB_GAP_MS, found.groups),
  };

  const lose = (track: Track, event: PhoneEvent & HistoryEvent, moment: Moment): void => {
    const { id, udid } = event;
    const where = portOf(event.where) === undefined ? track.where : event.where;
    const { state, repaired, maintenanceUntil = Number.NEGATIVE_INFINITY } = track;
    const wasInMaintenance = maintenanceUntil > moment.at;
    const mark = hostMarks.at(-1);
    const reset = resets.get(portOf(where) ?? '');
    const hasChangedRoot = isWithin(ROOT_MS, track.rootChanged, moment);
    const loss: Loss = omitUndefined({
      ...moment,
      id,
      udid,
      where,
      port: portOf(where),
      medium: mediumOf(where, track.isEmulator),
      root: hasChangedRoot ? ('changed' as const) : track.isRoot ? ('was' as const) : undefined,
      before: state,
      wasListed: event.kind === 'state',
      wasInMaintenance,
      wasHandled: wasInMaintenance || flashStates.has(state),
      mark: isWithin(mark?.kind === 'adb' ? ADB_STARTS_MS : AGENT_STARTS_MS, mark, moment) ? mark : undefined,
      repair: isWithin(NOTE_MS, repaired, moment) ? repaired : undefined,
      kernel: isWithin(RESET_MS, reset, moment) ? reset : undefined,
    });
    track.open = loss;
    track.last = loss;
    losses.push(loss);
    groups[loss.medium].add(loss, attached);
  };

  const lastLosses = (ms: number, moment: Moment): Loss[] =>
    losses.slice(losses.findLastIndex((loss) => !isWithin(ms, loss, moment)) + 1);

  const markHost = (mark: HostMark): void => {
    hostMarks.push(mark);
    if (mark.kind === 'adb') for (const loss of lastLosses(ADB_LATE_MS, mark)) loss.mark ??= mark;
  };

  const repair = (track: Track, event: PhoneEvent & HistoryEvent, moment: Moment): void => {
    const { id, udid, where } = event;
    const port = portOf(where) ?? portOf(track.where);
    repairs.set(`udid ${udid}`, id);
    if (port !== undefined) repairs.set(`port ${port}`, id);
    track.repaired = { ...moment, id };
    for (const loss of lastLosses(NOTE_MS, moment)) if (loss.udid === udid) loss.repair ??= track.repaired;
  };

  const kernelSaid = (event: KernelEvent & HistoryEvent, moment: Moment): void => {
    const { id, fault, count, controller } = event;
    const port = portOf(event.where);
    const isReset = fault === 'reset';
    if (isReset && port !== undefined) resets.set(port, { ...moment, id, fault, count });
    for (const loss of lastLosses(isReset ? RESET_MS : KERNEL_MS, moment)) {
      if (isReset ? loss.at >= moment.at : atPort.has(fault)) {
        if (loss.port === port && (!loss.kernel || isByReset(loss))) loss.kernel = event;
      } else if (fault === 'died' && loss.port?.includes(`-${controller}-`)) {
        loss.usb = { id, gone: 'controller', isOtherMode: false }; // its root hub stays in sysfs
      }
    }
  };

  let wasStopped = false;
  for (const [event, moment] of clockAdjusted(context.events)) {
    const { id } = event;
    if (event.udid === undefined) {
      if (event.kind === 'kernel') kernelSaid(event, moment);
      if (event.kind === 'note') for (const place of placesIn(event)) repairs.set(place, id);
      if (event.kind === 'agentStopped') wasStopped = true;
      if (event.kind === 'agentStarted') {
        // whether it was stopped is not known of an agent from before all that is looked at
        const isSeen = (event.lastAliveAt ?? 0) > context.now.at - LOOK_BACK_MS;
        const isPowerCut = (isAfterBoot(event) && !wasStopped && isSeen) || undefined;
        const { hostBootedAt = 0, lastAliveAt = hostBootedAt } = event;
        const offMs = isAfterBoot(event) && wasStopped ? hostBootedAt - lastAliveAt : undefined;
        markHost(omitUndefined({ ...moment, id, kind: 'start' as const, isPowerCut, offMs }));
        wasStopped = false;
      } else if (event.kind === 'agentPaused') markHost({ ...moment, id, kind: 'pause' });
      else if (event.kind === 'hostSlept') markHost({ ...moment, id, kind: 'sleep' });
      else if (isOfAdb.has(event.kind)) {
        const version = event.kind === 'adbReplaced' ? event.version : undefined;
        const isSilent =
          event.kind === 'adbLost' && (event.failureKind === 'silent' || event.failureKind === 'foreign');
        markHost(omitUndefined({ ...moment, id, kind: 'adb' as const, version, isSilent }));
      }
      continue;
    }
    // one that was never attached has no losses
    const track = tracks.get(event.udid) ?? { ...STRANGER };
    switch (event.kind) {
      case 'attached':
        count(attached, track, -1);
        track.isAttached = true;
        track.where = event.where;
        track.state = event.state;
        count(attached, track, 1);
        comeBack(track, id, moment);
        break;
      case 'detached':
        if (track.isAttached && !track.open) lose(track, event, moment);
        else if (track.open)
          track.open.wasListed &&= (between(track.open, moment) ?? 0) >= KICKED_MS[track.open.medium];
        count(attached, track, -1);
        track.isAttached = false;
        break;
      case 'state':
        if (isLostState(event.state) && track.isAttached && !track.open) lose(track, event, moment);
        track.state = event.state;
        comeBack(track, id, moment);
        break;
      case 'usb':
        if (track.last && !track.last.usb) track.last.usb = witnessOf(event);
        break;
      case 'rebooted':
        if (track.last)
          rebootIn(track.last, omitUndefined({ id, reason: event.reason }), event.uptimeSeconds, moment);
        break;
      case 'os':
        if (track.last?.back) update(track.last);
        break;
      case 'adbRoot':
        if (isWithin(ROOT_SEEN_MS, track.last, moment) && track.last) track.last.root = 'changed';
        track.isRoot = event.isRoot;
        track.rootChanged = moment;
        break;
      case 'maintenance':
        track.maintenanceUntil = event.until + (moment.at - event.at);
        repair(track, event, moment);
        break;
      case 'maintenanceEnded':
        delete track.maintenanceUntil;
        repair(track, event, moment);
        break;
      case 'note':
        repair(track, event, moment);
        break;
    }
  }
  return found;
}

const isWithin = (ms: number, one: Moment | undefined, other: Moment): boolean =>
  one !== undefined && Math.abs(between(one, other) ?? Number.POSITIVE_INFINITY) <= ms;

const isOfAdb: ReadonlySet<string> = new Set(['adbLost', 'adbBack', 'adbReplaced']);

function comeBack(track: Track, id: number, moment: Moment): void {
  const { state, where } = track;
  if (isLostState(state)) return;
  if (track.open) track.open.back = omitUndefined({ ...moment, id, state, port: portOf(where) });
  delete track.open;
}

const witnessOf = (event: Extract<HistoryEvent, { kind: 'usb' }>): UsbWitness => {
  const { id, gone, hub, overCurrents, interfaces, interfacesBefore } = event;
  const isOtherMode =
    interfaces !== undefined && interfacesBefore !== undefined && interfaces !== interfacesBefore;
  const isInBootloader = (isOtherMode && interfaces.split(' ').includes(FASTBOOT_INTERFACE)) || undefined;
  return omitUndefined({ id, gone, hub, overCurrents, isOtherMode, isInBootloader });
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
  return [...(hub === undefined ? [] : [`hub ${hub}`]), ...(slot === undefined ? [] : [`slot ${slot}`])];
}

/** Who was attached before the first event: whoever is lost first, and whoever is attached and never came. */
function tracksAtBegin({ now, events }: Pick<RuleContext, 'now' | 'events'>): Map<string, Track> {
  const tracks = new Map<string, Track>();
  const emulators = new Set(
    now.phones.flatMap((phone) => (phone.connection === 'emulator' ? phone.udid : [])),
  );
  const begin = (udid: string, isAttached: boolean, state: string, where: Where): void => {
    if (!tracks.has(udid))
      tracks.set(udid, { isEmulator: emulators.has(udid), isAttached, state, where, isRoot: false });
  };
  for (const event of events) {
    if (event.kind === 'attached') begin(event.udid, false, 'device', event.where);
    else if (event.kind === 'detached') begin(event.udid, true, 'device', event.where);
    else if (event.kind === 'state') begin(event.udid, true, event.before, event.where);
  }
  for (const { udid, attached, state, where } of now.phones) begin(udid, attached, state, where);
  return tracks;
}

/** How many phones are attached at each hub, each controller and on the network. */
type AttachedCounts = Map<string, number>;

function count(attached: AttachedCounts, { isAttached, where, isEmulator }: Track, by: 1 | -1): void {
  if (!isAttached || isEmulator) return;
  for (const place of placesOf(where)) attached.set(place, (attached.get(place) ?? 0) + by);
}

function placesOf(where: Where): string[] {
  const port = portOf(where);
  return port === undefined ? [NETWORK] : [...hubsAbove(where), controllerOf(port)];
}

/**
 * Phones of a hub that loses power go within milliseconds, those of one that hangs within seconds. A person needs two
 * seconds for each phone.
 */
const USB_GAP_MS = 2_000;
/** adb notices that the network is gone when it next writes to a phone. */
const NETWORK_GAP_MS = 20_000;

/** Joins losses that follow each other quickly. */
class Grouping {
  readonly #gapMs: number;
  readonly #into: LossGroup[];
  #open: LossGroup = { losses: [], had: new Map() };
  /** Phones and ports of the open one. A phone that changes its serial is many phones, but it sits at one port. */
  #members = new Set<string>();

  constructor(gapMs: number, into: LossGroup[]) {
    this.#gapMs = gapMs;
    this.#into = into;
  }

  add(loss: Loss, attached: AttachedCounts): void {
    const members = [`phone ${loss.udid}`, ...(loss.port === undefined ? [] : [`port ${loss.port}`])];
    if (!this.#isNear(loss) || members.some((member) => this.#members.has(member))) {
      this.#open = { losses: [], had: new Map() };
      this.#members = new Set();
    }
    const { losses, had } = this.#open;
    losses.push(loss);
    // nobody asks what a single loss has in common with others
    if (losses.length === 2) this.#into.push(this.#open);
    for (const member of members) this.#members.add(member);
    for (const place of placesOf(loss.where)) had.set(place, had.get(place) ?? attached.get(place) ?? 0);
  }

  #isNear(loss: Loss): boolean {
    const last = this.#open.losses.at(-1);
    const gapMs = last && between(last, loss);
    return gapMs !== undefined && Math.abs(gapMs) <= this.#gapMs;
  }
}
