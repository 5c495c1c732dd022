/** Where a phone sits, as events and findings write it. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Where } from './event.ts';

/** What the roster knows of a phone's place. */
export interface Seated {
  devpath?: string;
  /** All paths of its USB port (`Slots.portPathsOf`). */
  portPaths?: readonly string[];
}

/** Where adb lists the phone, or listed it last. */
export function whereOf({ devpath, portPaths = [] }: Seated, slot: string | undefined): Where {
  const usbPath = portPaths.find((path) => path.includes('-usb-0:')) ?? devpath;
  return omitUndefined({ slot, devpath, usbPath, hub: usbPath === undefined ? undefined : hubOf(usbPath) });
}

/** `1-4` of `1-4.2`, `pci-0000:00:14.0-usb-0:4` of its port 2; undefined for a port of the host itself. */
export function hubOf(path: string): string | undefined {
  const ports = Math.max(path.lastIndexOf(':'), path.lastIndexOf('-'));
  const dot = path.lastIndexOf('.');
  return ports >= 0 && dot > ports ? path.slice(0, dot) : undefined;
}
