/** Converts the roster's times to the current clock: after a restart, and when the clock was set. Pure. */
import { clockVerdict, timely } from '../base/clock.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { RosterDevice, RosterRecord } from './device.ts';

/** Slewing moves a clock by less between two runs, ms. */
const SLEW_MS = 60_000;

/** @param now ms since the epoch */
export function restored(record: RosterRecord, now: number): RosterRecord {
  return { ...record, devices: record.devices.map((device) => restoredDevice(device, record, now)) };
}

function restoredDevice(device: RosterDevice, { wrongClockAt }: RosterRecord, now: number): RosterDevice {
  const { goneAt, boot, inCloud } = device;
  const lastSeenAt = timely(device.lastSeenAt, now, wrongClockAt);
  // the same clock timed the boot; the next uptime of the phone sets it again
  const isBootTimed = clockVerdict(now) !== 'right' || Math.abs(device.lastSeenAt - lastSeenAt) <= SLEW_MS;
  return omitUndefined({
    ...device,
    lastSeenAt,
    goneAt: goneAt === undefined ? undefined : timely(goneAt, now, wrongClockAt),
    boot: isBootTimed ? boot : undefined,
    inCloud: inCloud && { ...inCloud, since: timely(inCloud.since, now, wrongClockAt) },
  });
}

/**
 * The phones of a record as it was written. A boot whose time no longer counts keeps its id: another id still means
 * another boot.
 *
 * @param devices the same phones, with their times by the current clock
 */
export function asLeft(record: RosterRecord, devices: readonly RosterDevice[]): RosterDevice[] {
  const ids = new Map(record.devices.map(({ udid, boot }) => [udid, boot?.id]));
  return devices.map((device) => {
    const id = ids.get(device.udid);
    return device.boot || !id ? device : { ...device, boot: { id, bootTimeSeconds: Number.NaN } };
  });
}

/**
 * Converts a time after the clock was set by `byMs` to `now`, so that ages stay the same. A time in the old clock's
 * future is from another run, with a better clock. So is one from before this run where the clock is set back.
 *
 * @param since when this run began, by the old clock, ms since the epoch
 */
export const movedWith =
  (byMs: number, now: number, since = Number.NEGATIVE_INFINITY) =>
  (at: number): number => {
    if (at > now - byMs) return timely(at, now);
    return byMs < 0 && at < since ? at : at + byMs;
  };

/**
 * @param moved converts each time, ms since the epoch
 * @param movedBoot the same for its boot, which began before the run that timed it
 */
export function movedDevice(
  device: RosterDevice,
  moved: (at: number) => number,
  movedBoot: (at: number) => number,
): RosterDevice {
  const { lastSeenAt, goneAt, boot, inCloud } = device;
  return omitUndefined({
    ...device,
    lastSeenAt: moved(lastSeenAt),
    goneAt: goneAt && moved(goneAt),
    inCloud: inCloud && { ...inCloud, since: moved(inCloud.since) },
    boot: boot && { ...boot, bootTimeSeconds: Math.round(movedBoot(boot.bootTimeSeconds * 1000) / 1000) },
  });
}
