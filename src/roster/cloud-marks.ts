/**
 * What the cloud holds of a phone: `reported`, `wasStored`, `cloudAnswer`, `isGoneStored`. Pure: each function returns the changed phone,
 * or undefined when it need not be remembered any longer.
 */
import type { RosterDevice } from './device.ts';
import { isConnectedAlike } from './device-changes.ts';

/** We are about to report it: if it changes its name, we must report the old name unplugged. */
export function announced(device: RosterDevice): RosterDevice {
  // reported before and not rejected: the cloud may have stored it, although no answer came
  const mayBeStored = device.wasStored || device.reported;
  return { ...device, reported: true, ...(mayBeStored && { wasStored: true }) };
}

/** The cloud has stored it. Once an old name is stored as unplugged, we need it no more. */
export function stored(device: RosterDevice, status: 'PLUGGED' | 'UNPLUGGED'): RosterDevice | undefined {
  if (status === 'UNPLUGGED' && device.supersededBy !== undefined) return undefined;
  const held = { ...device, reported: true, wasStored: true, cloudAnswer: 'stored' } as const;
  if (status === 'PLUGGED') return held;
  // an attached phone that we report unplugged is one that the lab now ignores
  return device.attached ? { ...held, reported: false } : { ...held, isGoneStored: true };
}

/** The cloud has rejected it. If it never stored it, we need not report it unplugged. */
export function refused(device: RosterDevice): RosterDevice | undefined {
  const rejected = { ...device, cloudAnswer: 'refused' } as const;
  if (device.wasStored) return rejected;
  return device.supersededBy === undefined ? { ...rejected, reported: false } : undefined;
}

/**
 * Does the cloud have this phone as it is connected now? A phone that it rejects counts: it has answered.
 *
 * @param was as an earlier run left it; absent for a new phone
 */
export function isWithCloud(device: RosterDevice, was: RosterDevice | undefined): boolean {
  const { attached, cloudAnswer, wasStored, isGoneStored } = device;
  if (!attached) return !wasStored || isGoneStored === true;
  return cloudAnswer !== undefined && was !== undefined && isConnectedAlike(was, device);
}
