/** Finds the phone that a person names by udid, serial or slot. */
import { nearest } from '../config/nearest.ts';

export interface NamedPhone {
  udid: string;
  serial: string;
  slot?: string;
}

/** The udid, or the problem as one sentence. */
export function phoneCalled(
  name: string,
  phones: readonly NamedPhone[],
): { udid: string } | { problem: string; isKnown: boolean } {
  if (phones.some(({ udid }) => udid === name)) return { udid: name };
  const isMeant = ({ serial, slot }: NamedPhone) =>
    serial === name || slot?.toLowerCase() === name.toLowerCase();
  const [meant, ...others] = phones.filter(isMeant);
  if (meant === undefined) {
    const known = phones.flatMap(({ udid, serial, slot }) => [udid, serial, slot ?? '']).filter(Boolean);
    const close = nearest(name, known);
    const remedy = close === undefined ? 'hostnode status lists the phones' : `did you mean ${close}?`;
    return { problem: `no phone on this host has the name ${name}; ${remedy}`, isKnown: false };
  }
  if (others.length === 0) return { udid: meant.udid };
  const udids = [meant, ...others].map(({ udid }) => udid);
  return { problem: `${name} matches ${udids.join(', ')}: give the udid`, isKnown: true };
}
