/** The phones as they stand in the room. Pure. */

import { present } from '../present.ts';
import { placeInRoom } from '../slots/name.ts';
import type { Band, Bay, PhoneStatus } from './host-status.ts';

/**
 * One band for each shelf, in the order in which its first slot is configured; the last is for the phones without a
 * slot, in the order in which they were first seen. A slot keeps its bay whether a phone is in it or not.
 *
 * @param slots names of the slots, in the order of the configuration
 */
export function bandsOf(slots: readonly string[], phones: readonly PhoneStatus[]): Band[] {
  const bands = new Map<string, Bay[]>();
  const inSlots = Map.groupBy(phones, ({ slot }) => slot);
  for (const slot of slots) {
    const { band, bay } = placeInRoom(slot);
    const bays = bands.get(band) ?? [];
    bands.set(band, bays);
    bays.push(present({ name: bay, slot, udid: lastIn(inSlots.get(slot) ?? []) }));
  }
  const others = phones.filter(({ slot }) => slot === undefined || !slots.includes(slot));
  const rack = [...bands].map(([name, bays]) => ({ name, bays }));
  if (others.length === 0) return rack;
  const bays = others.map(({ udid, devpath, serial }) => ({ name: devpath ?? serial, udid }));
  return [...rack, { name: '', bays }];
}

/** The phone that is in a slot, else the one that left it last. */
function lastIn(phones: readonly PhoneStatus[]): string | undefined {
  const [first] = phones.toSorted((a, b) => Number(b.attached) - Number(a.attached) || b.since - a.since);
  return first?.udid;
}
