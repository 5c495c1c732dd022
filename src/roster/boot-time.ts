import type { BootFacts } from '../facts/boot.ts';
import type { Boot } from './device.ts';

/** How far the computed time may move before a phone without boot id counts as rebooted, seconds. */
const MOVE_SECONDS = 120;

/**
 * When a phone's boot began. Computed once for each boot and then kept: the clocks of phone and host differ and drift,
 * and none of that is a reboot. (Where the host's clock is set, the roster moves it along.)
 *
 * @param before the boot that was last known
 * @param uptimeAt when the uptime arrived, ms since the epoch by the host's clock
 */
export function bootOf(before: Boot | undefined, facts: BootFacts, uptimeAt: number): Boot | undefined {
  const { bootId = '', uptimeSeconds } = facts;
  if (before !== undefined && bootId !== '' && before.id === bootId) return before;
  if (uptimeSeconds === undefined) return bootId === '' ? before : undefined;
  const bootTimeSeconds = Math.round(uptimeAt / 1000 - uptimeSeconds);
  const sameWithoutId =
    bootId === '' && before?.id === '' && Math.abs(bootTimeSeconds - before.bootTimeSeconds) <= MOVE_SECONDS;
  return sameWithoutId ? before : { id: bootId, bootTimeSeconds };
}
