/** Where a phone sits, in the form that does not change when the host boots. Pure. */
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
