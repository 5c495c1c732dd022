/** USB ports and the hubs above them, by their paths. */
import type { Where } from '../history/events/event.ts';
import { hubOf } from '../history/events/where.ts';

/** USB allows 5 hubs in a row (USB 2.0, 4.1.1). */
const MOST_HUBS = 5;

/** The `key` of a phone's port; undefined for a phone of the network. */
export const portOf = ({ usbPath, devpath }: Where): string | undefined => usbPath ?? devpath;

/** The controller or bus of a port: its path without the ports. */
export const controllerOf = (port: string): string =>
  port.slice(0, Math.max(port.lastIndexOf(':'), port.lastIndexOf('-')) + 1);

/** Of each place, which many events share. */
const known = new WeakMap<Where, readonly string[]>();

/** All hubs above a phone, the deepest first. */
export function hubsAbove(where: Where): readonly string[] {
  const hubs = known.get(where) ?? hubsOf(where);
  known.set(where, hubs);
  return hubs;
}

function hubsOf(where: Where): string[] {
  const port = portOf(where);
  const hubs: string[] = [];
  let hub = where.hub ?? (port === undefined ? undefined : hubOf(port));
  while (hub !== undefined && hubs.length < MOST_HUBS) {
    hubs.push(hub);
    hub = hubOf(hub);
  }
  return hubs;
}

/** A hub's port as adb writes it, `1-4`, by the place of a phone below it; undefined if that does not say. */
export function hubDevpath(hub: string, where: Where): string | undefined {
  const depth = hubsAbove(where).indexOf(hub);
  let port = depth < 0 ? undefined : where.devpath;
  for (let step = 0; step <= depth && port !== undefined; step += 1) port = hubOf(port);
  return port;
}

/** Whether a hub is that one, or sits below it. */
export const isWithin = (hub: string, above: string): boolean => hub === above || hub.startsWith(`${above}.`);
