/** How a phone of the roster changes when it is listed, collected or unplugged. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { safeIdentifier } from '../base/printable.ts';
import type { BatteryFacts } from '../facts/battery.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import type { NameFacts } from '../facts/name.ts';
import { phoneText } from '../facts/phone-text.ts';
import { compare } from '../facts/same-phone.ts';
import { simStateAfter } from '../facts/sim-state.ts';
import { bootOf } from './boot-time.ts';
import type { RosterDevice } from './device.ts';
import type { NamingFacts } from './places.ts';
import { isPlaceholderSerial, type Named } from './udid.ts';

/** The facts of one collection that the roster uses. */
export interface CollectedFacts extends NamingFacts {
  /** Absent if we did not collect it, or the phone did not answer. */
  name?: NameFacts;
  battery?: BatteryFacts;
}

/** What a phone's own facts say of it: they stay with the phone, whatever its connection. */
export type OwnFacts = Pick<RosterDevice, 'identity' | 'givenName' | 'boot' | 'simState' | 'batteryHealth'>;

/**
 * A phone that adb lists.
 *
 * @param former the phone that had this name before
 * @param own earlier facts of this very phone
 * @param now ms since the epoch
 */
export function listedDevice(
  { udid, listed, connection }: Pick<Named, 'udid' | 'listed' | 'connection'>,
  former: RosterDevice | undefined,
  own: OwnFacts,
  now: number,
): RosterDevice {
  const devpath = listed.devpath === undefined ? undefined : safeIdentifier(listed.devpath);
  const isSeated = former?.attached && former.devpath === devpath;
  return omitUndefined({
    udid,
    serial: safeIdentifier(listed.serial),
    connection,
    devpath,
    portPaths: isSeated ? former.portPaths : undefined,
    attached: true,
    state: phoneText(listed.state, 'word') ?? 'unknown',
    reason: phoneText(listed.reason, 'reason'),
    lastSeenAt: now,
    identity: own.identity,
    givenName: own.givenName,
    boot: own.boot,
    simState: own.simState,
    batteryHealth: own.batteryHealth,
    reported: former?.reported,
    wasStored: former?.wasStored,
    cloudAnswer: former?.cloudAnswer,
  });
}

/** A different phone with the same name, as at an address, inherits nothing. */
export function collectedDevice(
  device: RosterDevice,
  { identity, name, boot, uptimeAt, battery }: CollectedFacts,
): RosterDevice {
  const former = isSamePhone(device, omitUndefined({ identity, bootId: boot?.bootId })) ? device : undefined;
  return omitUndefined({
    ...device,
    identity: identity ?? device.identity,
    givenName: name ? name.givenName : former?.givenName,
    boot: boot && uptimeAt !== undefined ? bootOf(former?.boot, boot, uptimeAt) : former?.boot,
    simState: boot ? simStateAfter(former?.simState, boot) : former?.simState,
    batteryHealth: healthIn(battery) ?? former?.batteryHealth,
  });
}

const healthIn = ({ health }: BatteryFacts = {}): RosterDevice['batteryHealth'] =>
  health === 'UNKNOWN' ? undefined : health;

/** Is it the same phone? A real serial number proves it across boots; a placeholder only within one boot. */
export function isSamePhone(
  device: Pick<RosterDevice, 'identity' | 'boot'>,
  { identity, bootId }: { identity?: IdentityFacts; bootId?: string },
): boolean {
  if (device.identity === undefined || identity === undefined) return true;
  const before = { identity: device.identity, bootId: device.boot?.id || undefined };
  const isStale = !isPlaceholderSerial(identity.serialNumber ?? '');
  return compare(omitUndefined({ ...before, isStale }), omitUndefined({ identity, bootId })) !== 'other';
}

/** @param now ms since the epoch; a phone that is already unplugged keeps its own time */
export function unpluggedDevice({ reason: _, ...device }: RosterDevice, now: number): RosterDevice {
  return { ...device, attached: false, state: 'disconnected', goneAt: device.goneAt ?? now };
}

/** @param was the phone in an earlier run; absent if it was unplugged then */
export function stillAttached(device: RosterDevice, was: RosterDevice | undefined): RosterDevice {
  if (was === undefined) return device;
  const { attached, state, reason } = was;
  return omitUndefined({ ...device, attached, state, reason, goneAt: undefined });
}

/** The phone is attached by cable, and this is its present name. */
export const isByCable = ({ attached, connection, supersededBy }: RosterDevice): boolean =>
  attached && connection !== 'tcp' && supersededBy === undefined;

export const isConnectedAlike = (a: RosterDevice, b: RosterDevice): boolean =>
  a.attached === b.attached &&
  a.state === b.state &&
  a.reason === b.reason &&
  a.serial === b.serial &&
  a.devpath === b.devpath;
