/** Converts the roster of an earlier run to the current clock. Pure. */
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
  const { goneAt, boot } = device;
  const lastSeenAt = timely(device.lastSeenAt, now, wrongClockAt);
  // the same clock timed the boot; the next uptime of the phone sets it again
  const isBootTimed = clockVerdict(now) !== 'right' || Math.abs(device.lastSeenAt - lastSeenAt) <= SLEW_MS;
  return omitUndefined({
    ...device,
    lastSeenAt,
    goneAt: goneAt === undefined ? undefined : timely(goneAt, now, wrongClockAt),
    boot: isBootTimed ? boot : undefined,
  });
}
