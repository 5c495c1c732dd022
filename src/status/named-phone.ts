/** Finds the phone that a person names by its udid, serial, slot, USB port, name or model. */
import { nearest } from '../config/nearest.ts';

export interface NamedPhone {
  udid: string;
  serial: string;
  slot?: string;
  /** USB port path. */
  devpath?: string;
  /** As the page shows it. */
  name?: string;
  model?: string;
}

/** How many phones a problem lists. */
const MOST_LISTED = 8;

/** True if `name` is a name of the phone; ignores case, but not in the serial. */
export const isCalled = (phone: NamedPhone, name: string): boolean =>
  phone.serial === name || shownNames(phone).some((shown) => isSame(shown, name));

/** The name that was probably meant; undefined if none is close. */
export const nearestName = (name: string, phones: readonly NamedPhone[]): string | undefined =>
  nearest(name, phones.flatMap(namesOf));

/** All names by which it can be found. */
export const namesOf = (phone: NamedPhone): string[] =>
  [phone.udid, phone.serial, ...shownNames(phone)].filter(Boolean);

/** The udid, or the problem as one sentence. */
export function phoneCalled(
  name: string,
  phones: readonly NamedPhone[],
): { udid: string } | { problem: string; isKnown: boolean } {
  if (phones.some(({ udid }) => udid === name)) return { udid: name };
  const meant = phones.filter((phone) => isCalled(phone, name));
  const [first, ...others] = meant;
  if (first === undefined) {
    const close = nearestName(name, phones);
    const remedy = close === undefined ? 'hostnode status lists the phones' : `did you mean ${close}?`;
    return { problem: `no phone on this host has the name ${name}; ${remedy}`, isKnown: false };
  }
  if (others.length === 0) return { udid: first.udid };
  const listed = meant.slice(0, MOST_LISTED).map((phone) => candidate(phone, name));
  const rest = meant.length > MOST_LISTED ? ` and ${meant.length - MOST_LISTED} more` : '';
  return { problem: `${name} matches ${listed.join(', ')}${rest}: give the udid`, isKnown: true };
}

const shownNames = ({ slot, devpath, name, model }: NamedPhone): string[] =>
  [slot, devpath, name, model].filter((shown) => shown !== undefined);

/** `R58M1 (POCO F6 at rack 2, bay 4)`, without what the person already gave. */
function candidate({ udid, slot, devpath, name }: NamedPhone, given: string): string {
  const isNew = (text?: string) => text !== undefined && text !== udid && !isSame(text, given);
  const place = slot ?? devpath;
  const words = [isNew(name) ? name : '', isNew(place) ? `at ${place}` : ''].filter(Boolean).join(' ');
  return words === '' ? udid : `${udid} (${words})`;
}

/** The same name, whatever its case. */
export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
