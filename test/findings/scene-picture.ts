/** A phone of a scene as it is at the end, by its events. */

import type { PhoneInput } from '../../src/diagnosis/rule-input.ts';
import type { HistoryEvent, Where } from '../../src/history/events/event.ts';

/**
 * @param events its own
 * @param now ms since the epoch
 */
export function pictureOf(
  { udid, connection, picture }: { udid: string; connection: 'usb' | 'tcp'; picture: Partial<PhoneInput> },
  where: Where,
  events: readonly HistoryEvent[] = [],
  now: number,
): PhoneInput {
  let state = 'device';
  let isInMaintenance = false;
  for (const event of events) {
    if (event.kind === 'attached' || event.kind === 'state') state = event.state;
    if (event.kind === 'detached') state = 'disconnected';
    if (event.kind === 'maintenance') isInMaintenance = event.until > now;
    if (event.kind === 'maintenanceEnded') isInMaintenance = false;
  }
  return {
    udid,
    serial: connection === 'usb' ? udid : `10.0.0.${Number(udid.slice(1))}:5555`,
    name: `Pixel ${udid}`,
    connection,
    where,
    attached: state !== 'disconnected',
    state,
    isInMaintenance,
    ...picture,
  };
}
