/** Which phones go when there are more than are known at most. */
import type { RosterDevice } from './device.ts';

/** The less, the sooner it is forgotten. */
const worth = ({ identity, reported, isGoneStored }: RosterDevice): number =>
  (reported && !isGoneStored ? 2 : 0) + (identity === undefined ? 0 : 1);

/**
 * The unplugged phones to forget until there are no more than `most`: those that never answered first, then those that
 * are gone for longest. What the cloud may hold as plugged in goes last: it has to hear that it is gone.
 *
 * @param expected those that may be attached although adb has not listed them yet: they go behind all others
 * @returns their udids
 */
export function toForget(
  devices: readonly RosterDevice[],
  most: number,
  expected: ReadonlySet<string>,
): Set<string> {
  if (devices.length <= most) return new Set();
  const rank = (device: RosterDevice) => worth(device) + (expected.has(device.udid) ? 4 : 0);
  const gone = devices
    .filter(({ attached }) => !attached)
    .map((device) => ({ udid: device.udid, goneAt: device.goneAt ?? 0, rank: rank(device) }))
    .sort((one, other) => one.rank - other.rank || one.goneAt - other.goneAt);
  return new Set(gone.slice(0, devices.length - most).map(({ udid }) => udid));
}
