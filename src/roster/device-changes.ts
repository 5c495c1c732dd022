/** How a phone of the roster changes when it is listed, collected, unplugged or sent. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { safeIdentifier } from '../base/printable.ts';
import type { BatteryFacts } from '../facts/battery.ts';
import type { BootFacts } from '../facts/boot.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import type { NameFacts } from '../facts/name.ts';
import { phoneText } from '../facts/phone-text.ts';
import { compare } from '../facts/same-phone.ts';
import { simStateAfter } from '../facts/sim-state.ts';
import type { Boot, InCloud, RosterDevice } from './device.ts';
import type { NamingFacts } from './places.ts';
import { isPlaceholderSerial, type Named } from './udid.ts';

/** The facts of one collection that the roster uses. */
export interface CollectedFacts extends NamingFacts {
  /** Absent if we did not collect it, or the phone did not answer. */
  name?: NameFacts;
  battery?: BatteryFacts;
}

/** What a phone's own facts say of it: they stay with the phone, whatever its connection. */
const OWN = ['identity', 'givenName', 'boot', 'simState', 'batteryHealth', 'isAdbRoot'] as const;
/** What the cloud was told of the name. */
const SENT = ['reported', 'wasStored', 'cloudAnswer'] as const;

function pick<K extends keyof RosterDevice>(
  from: Partial<RosterDevice> | undefined,
  keys: readonly K[],
): Partial<Pick<RosterDevice, K>> {
  const picked: Partial<Pick<RosterDevice, K>> = {};
  for (const key of keys) if (from?.[key] !== undefined) picked[key] = from[key];
  return picked;
}

/**
 * @param former the phone that had this name before
 * @param own earlier facts of this very phone
 * @param now ms since the epoch
 */
export function listedDevice(
  { udid, listed, connection }: Pick<Named, 'udid' | 'listed' | 'connection'>,
  former: RosterDevice | undefined,
  own: Partial<RosterDevice> | undefined,
  now: number,
): RosterDevice {
  const devpath = listed.devpath === undefined ? undefined : safeIdentifier(listed.devpath);
  const isSeated = former?.attached && former.devpath === devpath;
  const isSilent = former && (former.attached || isYielded({ ...former, connection }));
  return omitUndefined({
    ...pick(own, OWN),
    ...pick(former, isSilent ? [...SENT, 'inCloud'] : SENT),
    udid,
    serial: safeIdentifier(listed.serial),
    connection,
    devpath,
    portPaths: isSeated ? former.portPaths : undefined,
    attached: true,
    state: phoneText(listed.state, 'word') ?? 'unknown',
    reason: phoneText(listed.reason, 'reason'),
    lastSeenAt: now,
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
    isAdbRoot: boot ? boot.adbRoot === '1' || undefined : former?.isAdbRoot,
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
export function unpluggedDevice({ reason: _, inCloud, ...device }: RosterDevice, now: number): RosterDevice {
  const isSilent = !device.attached || isYielded({ ...device, ...(inCloud && { inCloud }) });
  const goneAt = device.goneAt ?? now;
  return {
    ...device,
    attached: false,
    state: 'disconnected',
    goneAt,
    ...(isSilent && inCloud && { inCloud }),
  };
}

/** A phone with what was known of it before besides. Newer facts win. */
export const joined = (device: RosterDevice, earlier: Partial<RosterDevice>): RosterDevice => ({
  ...pick(earlier, [...OWN, ...SENT]),
  ...device,
});

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

/** If the computed time moves further than this, a phone without boot id counts as rebooted, seconds. */
const MOVE_SECONDS = 120;

/**
 * When a phone booted. We compute it once per boot and keep it: the clocks of phone and host drift, and drift is not a
 * reboot. (When the host's clock is set, the roster adjusts it.)
 *
 * @param uptimeAt when the uptime arrived, ms since the epoch by the host's clock
 */
function bootOf(before: Boot | undefined, facts: BootFacts, uptimeAt: number): Boot | undefined {
  const { bootId = '', uptimeSeconds } = facts;
  if (before !== undefined && bootId !== '' && before.id === bootId) return before;
  if (uptimeSeconds === undefined) return bootId === '' ? before : undefined;
  const bootTimeSeconds = Math.round(uptimeAt / 1000 - uptimeSeconds);
  const sameWithoutId =
    bootId === '' && before?.id === '' && Math.abs(bootTimeSeconds - before.bootTimeSeconds) <= MOVE_SECONDS;
  return sameWithoutId ? before : { id: bootId, bootTimeSeconds };
}

/**
 * One phone, one speaker: a host that has it reports it; one that no longer has it does so until the cloud has stored
 * that once. After that the phone may be another host's.
 */
export function isToReport(device: RosterDevice): boolean {
  if (device.attached) return !isYielded(device);
  return device.reported === true && device.isGoneStored !== true && device.inCloud?.there !== 'elsewhere';
}

/** A host that has a phone over the network leaves it to another one that has it too: the cable may be there. */
const isYielded = ({ connection, inCloud }: Pick<RosterDevice, 'connection' | 'inCloud'>): boolean =>
  connection === 'tcp' && inCloud?.there === 'elsewhere' && inCloud.isConfirmed === true;

/**
 * The cloud was read. What differs twice in a row is reported anew, once.
 *
 * @param seen what the cloud has of it that differs; undefined: nothing
 * @param now ms since the epoch
 */
export function readBack(
  device: RosterDevice,
  seen: Pick<InCloud, 'there' | 'host'> | undefined,
  now: number,
): RosterDevice {
  const { inCloud: before, ...agreed } = device;
  if (seen === undefined) return before ? agreed : device;
  if (before?.there !== seen.there || before.host !== seen.host)
    return { ...agreed, inCloud: { ...seen, since: now } };
  if (before.isConfirmed) return device;
  const confirmed = { ...agreed, inCloud: { ...before, isConfirmed: true } } as const;
  if (seen.there !== 'here') return confirmed;
  const { isGoneStored: _, ...anew } = confirmed;
  return { ...anew, reported: true, wasStored: true };
}

/** A phone of this host that only the cloud knows: it is reported as unplugged. */
export const onlyInCloud = (udid: string, now: number): RosterDevice => ({
  udid,
  serial: udid,
  connection: 'usb',
  attached: false,
  state: 'disconnected',
  lastSeenAt: now,
  goneAt: now,
  reported: true,
  wasStored: true,
  cloudAnswer: 'stored',
  inCloud: { there: 'here', since: now, isConfirmed: true },
});

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
