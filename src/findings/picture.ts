/** The host at one instant, as the judgement sees it: plain data, which goes to the thread in one message. */
import type { BatteryFacts } from '../facts/battery.ts';
import type { Where } from '../history/event.ts';

/** One phone of the roster. */
export interface PhonePicture {
  udid: string;
  serial: string;
  /** As people call it. */
  name: string;
  connection: 'usb' | 'tcp' | 'emulator';
  where: Where;
  attached: boolean;
  /** adb's word. */
  state: string;
  /** A person works on it: it has no findings of its own, and its losses count for nobody. */
  isInMaintenance: boolean;
  battery?: BatteryFacts;
  storage?: { totalBytes: number; usedBytes?: number };
  bootCompleted?: boolean;
}

export interface HostPicture {
  /** ms since the epoch. */
  at: number;
  /** adb's list can be read. */
  isAdbListed: boolean;
  /** Without ignored phones. */
  phones: readonly PhonePicture[];
}
