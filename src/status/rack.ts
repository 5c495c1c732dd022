/** The phones in the order of the rack. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { inNaturalOrder } from '../base/words.ts';
import { placeInRoom } from '../roster/slot-name.ts';
import type { Band, Bay, PhoneStatus } from './host-status.ts';

/**
 * One band per shelf, in the order of the configuration. The last band holds the phones without a slot: those with a
 * USB port in the order of the ports, then the others by serial. A slot always has a bay, even if it is empty, and one
 * more for each further phone in it.
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
    bays.push(...udidsIn(inSlots.get(slot) ?? []).map((udid) => omitUndefined({ name: bay, slot, udid })));
  }
  const others = inNaturalOrder(
    phones.filter(({ slot }) => slot === undefined || !slots.includes(slot)),
    placeOf,
  );
  const rack = [...bands].map(([name, bays]) => ({ name, bays }));
  if (others.length === 0) return rack;
  const bays = others.map(({ udid, devpath, serial }) => ({ name: devpath ?? serial, udid }));
  return [...rack, { name: '', bays }];
}

/** The phones in a slot; else the last one that was in it; else none. */
function udidsIn(phones: readonly PhoneStatus[]): [string | undefined, ...string[]] {
  const [first, ...others] = phones.filter(({ attached }) => attached).map(({ udid }) => udid);
  return [first ?? phones.toSorted((a, b) => b.since - a.since)[0]?.udid, ...others];
}

/** Sorts those with a USB port before the others. */
const placeOf = ({ devpath, serial, udid }: PhoneStatus): string =>
  [devpath === undefined ? 2 : 1, devpath, serial, udid].join(' ');
