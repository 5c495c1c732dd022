/** Which phone a person means: by its udid, its serial, or the slot in which it sits. */
import { nearest } from '../config/nearest.ts';

export interface NamedPhone {
  udid: string;
  serial: string;
  slot?: string;
}

/** The udid, or why it is not clear which is meant, as one sentence. */
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
    const hint = close === undefined ? 'hostnode status lists them' : `did you mean ${close}?`;
    return { problem: `no phone of this host is called ${name}; ${hint}`, isKnown: false };
  }
  if (others.length === 0) return { udid: meant.udid };
  const udids = [meant, ...others].map(({ udid }) => udid);
  return { problem: `${name} may be any of ${udids.join(', ')}: give the udid`, isKnown: true };
}
