/** Finds what a person names: a phone, a slot, a shelf, a USB port, a hub, this host, or slots by a glob. Pure. */
import type { AgentState } from '../agent/state.ts';
import { HostNodeError } from '../base/errors.ts';
import { globMatches, LONGEST_GLOB } from '../base/glob.ts';
import { nearest } from '../base/nearest.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { firstOf } from '../base/words.ts';
import type { TimelineQuery } from '../diagnosis/explain/timeline-query.ts';
import type { Where } from '../history/events/event.ts';
import { hubDevpath, hubsAbove, whereOf } from '../history/events/where.ts';
import { HOST_NAME, placeInRoom } from '../roster/slot-name.ts';

export interface NamedPhone {
  udid: string;
  serial: string;
  /** Where it is, or was last. */
  where: Where;
  /** As the page shows it. */
  name?: string;
  model?: string;
}

export interface PlacedPhone extends NamedPhone {
  attached: boolean;
}

export interface Named {
  /** `shelf`: slots with the same text before the last comma, `rack 2, shelf 3`. */
  kind: 'phone' | 'slot' | 'shelf' | 'port' | 'hub' | 'host';
  name: string;
  /** The phone, those that are at the place or were there last, or all of the host. */
  phones: readonly PlacedPhone[];
  /** Whose events: the phone’s, or those of the place. */
  of: TimelineQuery['of'];
  /** As an event there has it: of a hub, `devpath` is its own; empty for the host. */
  where: Where;
}

/** Nothing has the name that a person gave, or it does not say which phone is meant. The message says what to do. */
export class NameError extends HostNodeError {
  readonly code = 'NAME_NOT_RESOLVED';
  /** Something has the name: several phones, or a place without a phone. */
  readonly isKnown: boolean;

  constructor(message: string, { isKnown }: { isKnown: boolean }) {
    super(printable(message));
    this.isKnown = isKnown;
  }
}

export const placedPhones = ({ phones }: Pick<AgentState, 'phones'>): PlacedPhone[] =>
  phones.map(({ device, info, slot }) => {
    const { udid, serial, attached } = device;
    const { deviceName, modelName: model } = info;
    return omitUndefined({
      udid,
      serial,
      attached,
      where: whereOf(device, slot),
      name: deviceName ?? model,
      model,
    });
  });

/** What a person calls a place: `hub 1-4`, `USB port 1-4.2`; a slot and a shelf by their own names. */
export function placeName({ kind, name }: Pick<Named, 'kind' | 'name'>): string {
  if (kind === 'hub') return `hub ${name}`;
  return kind === 'port' ? `USB port ${name}` : name;
}

/**
 * The phones that have this name: by udid, serial, slot or port, and only then by what they call themselves, so that no phone
 * takes the name of another. Ignores case, but not in udid and serial.
 */
export function phonesCalled<P extends NamedPhone>(name: string, phones: readonly P[]): P[] {
  const isName = (shown?: string) => shown !== undefined && isSame(shown, name);
  const ways: ((phone: P) => boolean)[] = [
    ({ udid }) => udid === name,
    ({ serial }) => serial === name,
    ({ where: { slot, devpath } }) => isName(slot) || isName(devpath),
    ({ name: shown, model }) => isName(shown) || isName(model),
  ];
  return ways.map((isCalled) => phones.filter(isCalled)).find(({ length }) => length > 0) ?? [];
}

export const nearestName = (name: string, phones: readonly NamedPhone[]): string | undefined =>
  nearest(name, phones.flatMap(namesOf));

/**
 * The udid of the one phone that has this name.
 *
 * @throws {NameError} none or several have it
 */
export function resolvePhone(name: string, phones: readonly NamedPhone[]): string {
  const phone = phoneCalled(name, phones);
  if (phone !== undefined) return phone.udid;
  const close = nearestName(name, phones);
  const remedy = close === undefined ? 'hostnode status --all lists the phones' : `did you mean ${close}?`;
  throw new NameError(`no phone on this host has the name ${name}; ${remedy}`, { isKnown: false });
}

/**
 * `host` is always this host. The udid and serial of a phone win over places, and a place over the names that phones give
 * themselves.
 *
 * @param slots names of the configured slots
 * @throws {NameError} nothing, or several phones, have the name
 */
export function resolveName(name: string, phones: readonly PlacedPhone[], slots: readonly string[]): Named {
  return namedOf(name.trim(), phones, slots) ?? refuse(name.trim(), phones, slots);
}

/**
 * The phones that a person means: one, those of a place, or all of this host.
 *
 * @param name as for `resolveName`, or a glob of slots: `rack 2, *`
 * @returns at least one
 * @throws {NameError} nothing has the name, or no phone is there
 */
export function resolvePhones(
  name: string,
  phones: readonly PlacedPhone[],
  slots: readonly string[],
): PlacedPhone[] {
  const given = name.trim();
  const named = namedOf(given, phones, slots);
  if (named === undefined) {
    if (!/[*?]/.test(given) || given.length > LONGEST_GLOB) return refuse(given, phones, slots);
    const fitting = phones.filter(({ where: { slot } }) => slot !== undefined && globMatches(given, slot));
    const found = withoutThoseWhoLeft(fitting, phones);
    if (found.length > 0) return found;
    const problem = `no phone sits in a slot like ${given}; hostnode status --all lists the phones and their slots`;
    throw new NameError(problem, { isKnown: false });
  }
  const found = named.kind === 'phone' ? [...named.phones] : withoutThoseWhoLeft(named.phones, phones);
  if (found.length > 0) return found;
  throw new NameError(`no phone is known at ${placeName(named)}`, { isKnown: true });
}

/** A phone that is unplugged is still where it was last, unless another phone is attached there. */
function withoutThoseWhoLeft(some: readonly PlacedPhone[], all: readonly PlacedPhone[]): PlacedPhone[] {
  const taken = new Set(all.flatMap(({ attached, where }) => (attached ? (where.usbPath ?? []) : [])));
  return some.filter(({ attached, where }) => attached || !taken.has(where.usbPath ?? ''));
}

function refuse(name: string, phones: readonly PlacedPhone[], slots: readonly string[]): never {
  const names = [...phones.flatMap(namesOf), ...placeNames(phones, slots)];
  const close = name === '' ? undefined : nearest(name, names);
  const remedy =
    close === undefined ? 'hostnode status --all lists the phones and their slots' : `did you mean ${close}?`;
  throw new NameError(`nothing on this host has the name ${name}; ${remedy}`, { isKnown: false });
}

/** What this host is called. */
const ofHost = new RegExp(`^${HOST_NAME}$`);
export const isHost = (name: string): boolean => ofHost.test(name);

/** As we call ports and hubs ourselves: `hub 1-4`, `USB port 1-4.2`. */
const ofPath = /^(?:hub|(?:usb )?port) (?=\S)/i;

/** Undefined if nothing has the name. @throws {NameError} several phones have it */
function namedOf(name: string, phones: readonly PlacedPhone[], slots: readonly string[]): Named | undefined {
  if (isHost(name)) return { kind: 'host', name: 'this host', phones, of: { isOfNone: true }, where: {} };
  const own = phones.filter(({ udid }) => udid === name);
  const byIdentity = own.length > 0 ? own : phones.filter(({ serial }) => serial === name);
  const place = byIdentity.length === 1 ? undefined : placeCalled(name, phones, slots);
  if (place !== undefined) return place;
  const phone = byIdentity.length === 1 ? byIdentity[0] : phoneCalled(name, phones);
  if (phone === undefined) return undefined;
  const { udid, where, name: shown = udid } = phone;
  return { kind: 'phone', name: shown, phones: [phone], of: { udids: [udid] }, where };
}

/** How many phones a problem lists. */
const MOST_LISTED = 8;

/** Undefined if none has the name. @throws {NameError} several have it */
function phoneCalled<P extends NamedPhone>(name: string, phones: readonly P[]): P | undefined {
  const meant = phonesCalled(name, phones);
  if (meant.length < 2) return meant[0];
  const listed = meant.map((phone) => candidate(phone, name));
  throw new NameError(`${name} matches ${firstOf(listed, MOST_LISTED)}: give the udid`, { isKnown: true });
}

/** `R58M1 (POCO F6 at rack 2, bay 4)`, without what the person already gave. */
function candidate({ udid, where, name }: NamedPhone, given: string): string {
  const isNew = (text?: string) => text !== undefined && text !== udid && !isSame(text, given);
  const place = where.slot ?? where.devpath;
  const words = [isNew(name) ? name : '', isNew(place) ? `at ${place}` : ''].filter(Boolean).join(' ');
  return words === '' ? udid : `${udid} (${words})`;
}

function placeCalled(
  given: string,
  phones: readonly PlacedPhone[],
  configured: readonly string[],
): Named | undefined {
  const at = (isThere: (where: Where) => boolean) => phones.filter(({ where }) => isThere(where));
  const slots = allSlots(phones, configured);

  const slot = slots.find((each) => isSame(each, given));
  if (slot !== undefined) {
    const there = at((where) => where.slot === slot);
    const { devpath, usbPath } = there[0]?.where ?? {};
    const where = omitUndefined({ slot, devpath, usbPath });
    return { kind: 'slot', name: slot, phones: there, of: { slots: [slot] }, where };
  }

  const ofShelf = slots.filter((each) => given !== '' && isSame(placeInRoom(each).band, given));
  if (ofShelf[0] !== undefined) {
    const name = placeInRoom(ofShelf[0]).band;
    const there = at((where) => where.slot !== undefined && ofShelf.includes(where.slot));
    return { kind: 'shelf', name, phones: there, of: { slots: ofShelf }, where: { slot: name } };
  }

  const path = given.replace(ofPath, '');
  const [port] = at((where) => where.devpath === path || where.usbPath === path);
  if (port?.where.usbPath !== undefined) {
    const { usbPath, devpath = path } = port.where;
    const there = at((where) => where.usbPath === usbPath);
    return { kind: 'port', name: devpath, phones: there, of: { usbPath }, where: { devpath, usbPath } };
  }

  const found = phones.flatMap(hubsOf).find(({ hub, devpath }) => hub === path || devpath === path);
  if (found === undefined) return undefined;
  const { hub, devpath = path } = found;
  const there = at((where) => hubsAbove(where).includes(hub));
  return { kind: 'hub', name: devpath, phones: there, of: { hub }, where: { hub, devpath } };
}

/** A hub of many ports is several chips in a row: all that are above the phone. */
const hubsOf = ({ where }: PlacedPhone) =>
  hubsAbove(where).map((hub) => ({ hub, devpath: hubDevpath(hub, where) }));

const allSlots = (phones: readonly PlacedPhone[], configured: readonly string[]): string[] => [
  ...new Set([...configured, ...phones.flatMap(({ where }) => where.slot ?? [])]),
];

function placeNames(phones: readonly PlacedPhone[], configured: readonly string[]): string[] {
  const slots = allSlots(phones, configured);
  const hubs = new Set(phones.flatMap((phone) => hubsOf(phone).map(({ hub, devpath }) => devpath ?? hub)));
  return [...slots, ...slots.map((slot) => placeInRoom(slot).band), ...hubs].filter(Boolean);
}

const namesOf = ({ udid, serial, where: { slot, devpath }, name, model }: NamedPhone): string[] =>
  [udid, serial, slot, devpath, name, model].flatMap((each) => each || []);

/** The same name, whatever its case. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
