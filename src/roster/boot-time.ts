import type { BootFacts } from '../facts/boot.ts';
import type { Boot } from './device.ts';

/** If the computed time moves further than this, a phone without boot id counts as rebooted, seconds. */
const MOVE_SECONDS = 120;

/**
 * When a phone booted. We compute it once per boot and keep it: the clocks of phone and host drift, and drift is not a
 * reboot. (When the host's clock is set, the roster adjusts it.)
 *
 * @param before the last known boot
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
