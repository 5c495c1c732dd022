/** USB ports and the hubs above them, by their paths. */
import type { Where } from '../history/event.ts';

/** USB allows 5 hubs in a row (USB 2.0, 4.1.1). */
const MOST_HUBS = 5;

/** The `key` of a phone's port; undefined for a phone of the network. */
export const portOf = ({ usbPath, devpath }: Where): string | undefined => usbPath ?? devpath;

/** Where the ports of a controller begin in a path: `1-` of `1-4.2`, `…-usb-0:` of `…-usb-0:4.2`. */
const afterController = (path: string): number => Math.max(path.lastIndexOf(':'), path.lastIndexOf('-')) + 1;

/** The controller or bus of a port: its path without the ports. */
export const controllerOf = (port: string): string => port.slice(0, afterController(port));

/** The hub of a port or of a hub; undefined for a port of the host itself. */
export function hubAbove(path: string): string | undefined {
  const dot = path.lastIndexOf('.');
  return dot > afterController(path) ? path.slice(0, dot) : undefined;
}

/** All hubs above a phone, the deepest first. */
export function hubsAbove(where: Where): string[] {
  const port = portOf(where);
  const hubs: string[] = [];
  let hub = where.hub ?? (port === undefined ? undefined : hubAbove(port));
  while (hub !== undefined && hubs.length < MOST_HUBS) {
    hubs.push(hub);
    hub = hubAbove(hub);
  }
  return hubs;
}

/** Whether a hub is that one, or sits below it. */
export const isWithin = (hub: string, above: string): boolean => hub === above || hub.startsWith(`${above}.`);
