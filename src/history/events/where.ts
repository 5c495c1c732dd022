/** Where a phone sits, in the form that does not change when the host boots, and the hubs above it. Pure. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { RosterDevice } from '../../roster/device.ts';
import type { Where } from './event.ts';

/** `pci-0000:00:14.0-usb-0:4.2`: neither of the controller's two root hubs is named. */
const BY_CONTROLLER = '-usb-0:';

/**
 * The place of a phone, or its last one. A phone on the network has at most a slot.
 *
 * @param slot the name of its slot
 */
export function whereOf(
  { devpath, portPaths }: Pick<RosterDevice, 'devpath' | 'portPaths'>,
  slot?: string,
): Where {
  const usbPath = devpath && (portPaths?.find((path) => path.includes(BY_CONTROLLER)) ?? devpath);
  return omitUndefined({ slot, devpath, usbPath, hub: usbPath && hubOf(usbPath) });
}

/** `…-usb-0:4` for `…-usb-0:4.2`, `1-4` for `1-4.2`; undefined for a port of the host itself. */
export function hubOf(usbPath: string): string | undefined {
  const end = usbPath.lastIndexOf('.');
  const isOfHub = end > Math.max(usbPath.lastIndexOf(':'), usbPath.lastIndexOf('-'));
  return isOfHub ? usbPath.slice(0, end) : undefined;
}

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
  const before = known.get(where);
  if (before) return before;
  const hubs: string[] = [];
  let hub = where.hub ?? hubOf(portOf(where) ?? '');
  for (; hub !== undefined && hubs.length < MOST_HUBS; hub = hubOf(hub)) hubs.push(hub);
  known.set(where, hubs);
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
