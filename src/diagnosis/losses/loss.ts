/**
 * The losses of phones: a phone was detached, or stayed listed but went offline. Each loss knows how it ended, and who
 * was lost with it. Linear in the events; who is to blame is for `blame.ts`.
 */
import {
  type HistoryEvent,
  isLostState,
  type PhoneEvent,
  type PlaceEvent,
  type Where,
} from '../events/event.ts';
import { portOf } from '../places.ts';
import type { RuleContext } from '../rule.ts';
import { between, type Moment, steadily } from './clock-adjusted.ts';
import { type Burst, Bursts, Crowd, type Loss, NETWORK_GAP_MS, USB_GAP_MS } from './loss-group.ts';

/** Something that happened to adb or the agent. */
export interface HostMark extends Moment {
  id: number;
  kind: 'adb' | 'start';
}

/** A person's note about a phone or a place, or a maintenance of a phone. */
export interface Repair extends Moment {
  id: number;
  udid?: string;
  port?: string;
  /** Of a note on a place. */
  slot?: string;
  hub?: string;
  /** Of a note on the host. */
  isOfHost?: true;
}

export interface Losses {
  /** Oldest first. */
  losses: Loss[];
  bursts: Burst[];
  hostMarks: HostMark[];
  repairs: Repair[];
}

/** A phone goes some seconds before it counts as rebooting; its clock of uptime starts then. */
const BOOT_SLACK_MS = 60_000;
/** A phone that gives no uptime: so much later its restart belongs to that loss. */
const REBOOT_SEEN_MS = 15 * 60_000;

const flashStates = new Set(['bootloader', 'recovery', 'sideload', 'rescue']);

/** A phone while the events are gone through. */
interface Track {
  isEmulator: boolean;
  isAttached: boolean;
  state: string;
  where: Where;
  open?: Loss;
  last?: Loss;
  maintenanceUntil?: number;
}

export function lossesOf({ now, events }: Pick<RuleContext, 'now' | 'events'>): Losses {
  const found: Losses = { losses: [], bursts: [], hostMarks: [], repairs: [] };
  const handledNow = handledThroughout({ now, events });
  const tracks = tracksAtBegin({ now, events });
  const crowd = new Crowd(tracks.values());
  const emulators = emulatorsIn(now);
  const bursts = {
    usb: new Bursts(USB_GAP_MS, found.bursts),
    network: new Bursts(NETWORK_GAP_MS, found.bursts),
    emulators: new Bursts(USB_GAP_MS, found.bursts),
  };
  const momentOf = steadily(events);

  const lose = (track: Track, event: PhoneEvent & HistoryEvent, moment: Moment, wasListed: boolean): void => {
    const where = portOf(event.where) === undefined ? track.where : event.where;
    const port = portOf(where);
    const loss: Loss = {
      ...moment,
      id: event.id,
      udid: event.udid,
      where,
      ...(port !== undefined && { port }),
      ...(track.isEmulator && { isEmulator: true as const }),
      before: track.state,
      wasListed,
      wasHandled:
        handledNow.has(event.udid) ||
        flashStates.has(track.state) ||
        (track.maintenanceUntil ?? Number.NEGATIVE_INFINITY) > moment.at,
    };
    track.open = loss;
    track.last = loss;
    found.losses.push(loss);
    const together = track.isEmulator ? bursts.emulators : port === undefined ? bursts.network : bursts.usb;
    together.add(loss, crowd);
  };

  for (const event of events) {
    const moment = momentOf(event);
    switch (event.kind) {
      case 'adbLost':
      case 'adbBack':
      case 'adbReplaced':
        found.hostMarks.push({ ...moment, id: event.id, kind: 'adb' });
        continue;
      case 'agentStarted':
        found.hostMarks.push({ ...moment, id: event.id, kind: 'start' });
        continue;
    }
    if (event.udid === undefined) {
      if (event.kind === 'note') found.repairs.push(repairOfPlace(event, moment));
      continue;
    }
    const track = trackOf(tracks, event.udid, emulators);
    switch (event.kind) {
      case 'attached':
        crowd.remove(track);
        track.isAttached = true;
        track.where = event.where;
        track.state = event.state;
        crowd.add(track);
        if (!isLostState(event.state)) close(track, event.id, event.state, moment);
        break;
      case 'detached':
        if (track.isAttached && !track.open) lose(track, event, moment, false);
        else if (track.open) track.open.wasListed &&= (between(track.open, moment) ?? 0) >= KICKED_MS;
        crowd.remove(track);
        track.isAttached = false;
        break;
      case 'state':
        if (isLostState(event.state) && track.isAttached && !track.open) lose(track, event, moment, true);
        track.state = event.state;
        if (!isLostState(event.state)) close(track, event.id, event.state, moment);
        break;
      case 'rebooted':
        if (track.last && isOf(track.last, event.uptimeSeconds, moment))
          track.last.reboot = { id: event.id, ...(event.reason !== undefined && { reason: event.reason }) };
        break;
      case 'os':
        if (track.last?.back) track.last.isUpdated = true;
        break;
      case 'maintenance':
        track.maintenanceUntil = event.until + (moment.at - event.at);
        found.repairs.push(repairOf(event, track, moment));
        break;
      case 'maintenanceEnded':
        delete track.maintenanceUntil;
        found.repairs.push(repairOf(event, track, moment));
        break;
      case 'note':
        found.repairs.push(repairOf(event, track, moment));
        break;
    }
  }
  return found;
}

/** Those of these losses that last: a phone that is attached, and not only listed as offline, is back. */
export function stillAway(losses: readonly Loss[], { phones }: RuleContext['now']): Loss[] {
  const attached = new Set(phones.filter((phone) => phone.attached).map(({ udid }) => udid));
  return losses.filter(({ back, udid, wasListed }) => !back && (wasListed || !attached.has(udid)));
}

/** Those that last and that nobody works on: phones in maintenance are left out. */
export function stillMissing(losses: readonly Loss[], now: RuleContext['now']): Loss[] {
  const handled = new Set(now.phones.filter((phone) => phone.isInMaintenance).map(({ udid }) => udid));
  return stillAway(losses, now).filter(({ udid }) => !handled.has(udid));
}

/** In maintenance now, and nothing says since when: it began before the events, or could not be written. */
function handledThroughout({ now, events }: Pick<RuleContext, 'now' | 'events'>): Set<string> {
  const handled = new Set(now.phones.filter((phone) => phone.isInMaintenance).map(({ udid }) => udid));
  for (const { kind, udid = '' } of events) if (kind === 'maintenance') handled.delete(udid);
  return handled;
}

/** adb calls a phone offline for a moment while it lets go of it, ms. */
const KICKED_MS = 10_000;

function close(track: Track, id: number, state: string, moment: Moment): void {
  const port = portOf(track.where);
  if (track.open) track.open.back = { ...moment, id, state, ...(port !== undefined && { port }) };
  delete track.open;
}

/** Whether the phone that now says that it restarted did so in that loss. */
function isOf(loss: Loss, uptimeSeconds: number | undefined, moment: Moment): boolean {
  const sinceLoss = between(loss, moment);
  if (sinceLoss === undefined || loss.reboot) return false;
  if (uptimeSeconds !== undefined) return uptimeSeconds * 1000 <= sinceLoss + BOOT_SLACK_MS;
  return moment.at - (loss.back?.at ?? loss.at) <= REBOOT_SEEN_MS;
}

function repairOf(event: PhoneEvent & { id: number }, track: Track, moment: Moment): Repair {
  const port = portOf(event.where) ?? portOf(track.where);
  return { ...moment, id: event.id, udid: event.udid, ...(port !== undefined && { port }) };
}

function repairOfPlace({ id, where }: PlaceEvent & { id: number }, moment: Moment): Repair {
  const { hub, slot } = where;
  const port = hub === undefined ? portOf(where) : undefined;
  if (port !== undefined) return { ...moment, id, port };
  if (hub === undefined && slot === undefined) return { ...moment, id, isOfHost: true };
  return { ...moment, id, ...(hub !== undefined && { hub }), ...(slot !== undefined && { slot }) };
}

function trackOf(tracks: Map<string, Track>, udid: string, emulators: ReadonlySet<string>): Track {
  const known = tracks.get(udid);
  if (known) return known;
  const isEmulator = emulators.has(udid);
  const track: Track = { isEmulator, isAttached: false, state: 'device', where: {} };
  tracks.set(udid, track);
  return track;
}

const emulatorsIn = ({ phones }: RuleContext['now']): ReadonlySet<string> =>
  new Set(phones.flatMap(({ udid, connection }) => (connection === 'emulator' ? [udid] : [])));

/** Who was attached before the first event: whoever is lost first, and whoever is attached and never came. */
function tracksAtBegin({ now, events }: Pick<RuleContext, 'now' | 'events'>): Map<string, Track> {
  const tracks = new Map<string, Track>();
  const emulators = emulatorsIn(now);
  for (const event of events) {
    if (event.udid === undefined || tracks.has(event.udid)) continue;
    const isEmulator = emulators.has(event.udid);
    if (event.kind === 'attached')
      tracks.set(event.udid, { isEmulator, isAttached: false, state: 'device', where: event.where });
    if (event.kind === 'detached')
      tracks.set(event.udid, { isEmulator, isAttached: true, state: 'device', where: event.where });
    if (event.kind === 'state')
      tracks.set(event.udid, { isEmulator, isAttached: true, state: event.before, where: event.where });
  }
  for (const { udid, attached, state, where } of now.phones)
    if (!tracks.has(udid))
      tracks.set(udid, { isEmulator: emulators.has(udid), isAttached: attached, state, where });
  return tracks;
}
