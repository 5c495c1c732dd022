/** Finds what a person names: a phone, a slot, a group of slots, a USB port, a hub or this host. Pure. */
import { nearest } from '../config/nearest.ts';
import { hubDevpath, hubsAbove } from '../diagnosis/places.ts';
import { placeInRoom } from '../roster/slot-name.ts';
import { isSame, type NamedPhone, namesOf, phoneCalled } from './named-phone.ts';

export interface PlacedPhone extends NamedPhone {
  /** The port and its hub as events write them; absent for a phone on the network. */
  usbPath?: string;
  hub?: string;
}

/** `udids`: the phones that are there, or were there last. */
export type Named =
  | { kind: 'phone'; name: string; udid: string }
  | { kind: 'slot'; name: string; slots: [string]; udids: string[] }
  /** Slots with the same text before the last comma: `rack 2, shelf 3`. */
  | { kind: 'shelf'; name: string; slots: string[]; udids: string[] }
  | { kind: 'port'; name: string; usbPath: string; udids: string[] }
  | { kind: 'hub'; name: string; hub: string; udids: string[] }
  | { kind: 'host'; name: string; udids: string[] };

/**
 * A phone's own names win over its places, and a place over names that several phones share. `host` is this host, where
 * nothing else has that name.
 *
 * @param slots names of the configured slots
 * @returns what is named, or the problem as one sentence
 */
export function subjectCalled(
  given: string,
  phones: readonly PlacedPhone[],
  slots: readonly string[],
): Named | { problem: string; isKnown: boolean } {
  const name = given.trim();
  const own = phones.filter(({ udid }) => udid === name);
  const byIdentity = own.length > 0 ? own : phones.filter(({ serial }) => serial === name);
  const [phone] = byIdentity;
  if (phone !== undefined && byIdentity.length === 1) return phoneOf(phone);
  const place = slotCalled(name, phones, slots) ?? portOrHubCalled(name.replace(ofPath, ''), phones);
  if (place !== undefined) return place;
  const found = phoneCalled(name, phones);
  if ('udid' in found) {
    const called = phones.find(({ udid }) => udid === found.udid);
    return called === undefined ? { kind: 'phone', name, udid: found.udid } : phoneOf(called);
  }
  if (found.isKnown) return found;
  if (ofHost.test(name)) return { kind: 'host', name: 'this host', udids: [] };
  const close =
    name === '' ? undefined : nearest(name, [...phones.flatMap(namesOf), ...placeNames(phones, slots)]);
  const remedy =
    close === undefined ? 'hostnode status lists the phones and their slots' : `did you mean ${close}?`;
  return { problem: `nothing on this host has the name ${name}; ${remedy}`, isKnown: false };
}

/** As we call ports and hubs ourselves: `hub 1-4`, `USB port 1-4.2`. */
const ofPath = /^(?:hub|(?:usb )?port) (?=\S)/i;

const ofHost = /^(?:this )?host$/i;

const phoneOf = ({ udid, name }: PlacedPhone): Named => ({ kind: 'phone', name: name ?? udid, udid });

function slotCalled(
  name: string,
  phones: readonly PlacedPhone[],
  configured: readonly string[],
): Named | undefined {
  const slots = allSlots(phones, configured);
  const udidsIn = (wanted: readonly string[]) =>
    phones.flatMap(({ udid, slot }) => (slot !== undefined && wanted.includes(slot) ? [udid] : []));
  const slot = slots.find((each) => isSame(each, name));
  if (slot !== undefined) return { kind: 'slot', name: slot, slots: [slot], udids: udidsIn([slot]) };
  const shelf = slots.filter((each) => name !== '' && isSame(placeInRoom(each).band, name));
  const [first] = shelf;
  if (first === undefined) return undefined;
  return { kind: 'shelf', name: placeInRoom(first).band, slots: shelf, udids: udidsIn(shelf) };
}

function portOrHubCalled(name: string, phones: readonly PlacedPhone[]): Named | undefined {
  const port = phones.find(({ devpath, usbPath }) => devpath === name || usbPath === name);
  if (port?.usbPath !== undefined)
    return {
      kind: 'port',
      name: port.devpath ?? name,
      usbPath: port.usbPath,
      udids: phones.flatMap(({ udid, usbPath }) => (usbPath === port.usbPath ? [udid] : [])),
    };
  const found = phones.flatMap(hubsOf).find(({ hub, devpath }) => hub === name || devpath === name);
  if (found === undefined) return undefined;
  const { hub, devpath } = found;
  const udids = phones.flatMap((phone) => (hubsAbove(phone).includes(hub) ? [phone.udid] : []));
  return { kind: 'hub', name: devpath ?? name, hub, udids };
}

/** A hub of many ports is several chips in a row: all that are above the phone. */
const hubsOf = (phone: PlacedPhone) =>
  hubsAbove(phone).map((hub) => ({ hub, devpath: hubDevpath(hub, phone) }));

const allSlots = (phones: readonly PlacedPhone[], configured: readonly string[]): string[] => [
  ...new Set([...configured, ...phones.flatMap(({ slot }) => slot ?? [])]),
];

const placeNames = (phones: readonly PlacedPhone[], configured: readonly string[]): string[] => {
  const slots = allSlots(phones, configured);
  const hubs = new Set(phones.flatMap((phone) => hubsOf(phone).map(({ hub, devpath }) => devpath ?? hub)));
  return [...slots, ...slots.map((slot) => placeInRoom(slot).band), ...hubs].filter(Boolean);
};
