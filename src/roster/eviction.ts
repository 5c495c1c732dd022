/** Chooses what to forget when there is no room. */
import type { RosterDevice } from './device.ts';

/** The lowest are forgotten first. */
const worth = ({ identity, reported, isGoneStored }: RosterDevice): number =>
  (reported && !isGoneStored ? 2 : 0) + (identity === undefined ? 0 : 1);

/**
 * The unplugged phones to forget, so that at most `most` remain. First those that never answered, then those that were
 * unplugged the longest. Phones that the cloud may hold as plugged in come last: we still have to report them
 * unplugged.
 *
 * @param expected phones that may be attached although adb has not listed them yet; forgotten last of all
 * @returns their udids
 */
export function toForget(
  devices: readonly RosterDevice[],
  most: number,
  expected: ReadonlySet<string>,
): Set<string> {
  if (devices.length <= most) return new Set();
  const rank = (device: RosterDevice) => worth(device) + (expected.has(device.udid) ? 4 : 0);
  const unplugged = devices
    .filter(({ attached }) => !attached)
    .map((device) => ({ udid: device.udid, goneAt: device.goneAt ?? 0, rank: rank(device) }))
    .sort((one, other) => one.rank - other.rank || one.goneAt - other.goneAt);
  return new Set(unplugged.slice(0, devices.length - most).map(({ udid }) => udid));
}

/** Keeps at most `most` of the entries that adb does not list: those that it listed last. */
export function forgetOldestUnlisted(entries: Map<string, { unlistedSince?: number }>, most: number): void {
  if (entries.size <= most) return;
  const unlisted = [...entries].flatMap(([name, { unlistedSince: since }]) =>
    since === undefined ? [] : [{ name, since }],
  );
  unlisted.sort((one, other) => one.since - other.since);
  for (const { name } of unlisted.slice(0, Math.max(0, unlisted.length - most))) entries.delete(name);
}
