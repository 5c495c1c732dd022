/** Phones that are plugged in, and that adb does not list. */

import type { HistoryEvent } from '../../history/events/event.ts';
import { hasAdb, hasFastboot, sharesFiles, type UsbDevice } from '../../host/usb-devices.ts';
import { ageMs, listedForMs } from '../context.ts';
import type { Severity } from '../finding.ts';
import type { Found, Rule } from '../rule.ts';
import { portSubject, usbView } from './usb-view.ts';

/** A phone that boots, or that changes its USB mode, is on USB for some seconds before adb lists it. */
const SETTLES_MS = 60_000;

/** What a phone without the adb interface waits for. */
interface Mode {
  readonly severity: Severity;
  /** Completes "Pixel 8 in bay 4 …". */
  readonly is: string;
  readonly remedy: string;
}

/** The modes of a chip that has found nothing to boot, by vendor and product. */
const CHIP_MODES: Readonly<Record<string, string>> = {
  '05c6:9008': 'Qualcomm emergency download mode',
  '0e8d:0003': 'MediaTek boot ROM mode',
  '0e8d:2000': 'MediaTek preloader mode',
  '04e8:685d': 'Samsung download mode',
};

export const DEBUGGING_OFF: Mode = {
  severity: 'minor',
  is: 'has USB debugging off',
  remedy: 'On the phone open Settings > Developer options and turn on USB debugging',
};

const NONE_LISTED = 'adb lists no phone at all: run hostnode doctor, then restart the adb server';

export const notInAdb: Rule = {
  code: 'NOT_IN_ADB',
  severity: 'major',
  sign: 'not in adb',
  plural: 'are on USB, and adb does not list them',
  explains: ['unplugged', 'EXPECTED_MISSING'],
  settleMs: SETTLES_MS,
  evaluate: (context) => {
    const { now, events } = context;
    const view = usbView(context);
    if (view === undefined || !now.isAdbListed || now.adbPorts === undefined) return undefined;
    if (listedForMs(context) < SETTLES_MS) return undefined;
    const quiet = new Set([...now.adbPorts, ...busyPorts(now.at, events)]);
    const unlisted = view.devices.filter(({ port }) => !quiet.has(port));
    const isNoneListed = now.adbPorts.length === 0 && unlisted.filter(hasAdb).length > 1;
    return unlisted.map((device): Found | undefined => {
      const { connectedAt } = device;
      const mode = modeOf(device);
      if (mode === undefined || connectedAt === undefined) return undefined;
      const missed = now.phones.filter(({ serial, attached }) => !attached && serial === device.serial);
      return {
        severity: missed.length > 0 ? 'major' : mode.severity,
        subject: portSubject(device, view),
        title: `${view.nameOf(device)} ${mode.is}`,
        remedy: isNoneListed && hasAdb(device) ? NONE_LISTED : mode.remedy,
        since: connectedAt,
        udids: missed.map(({ udid }) => udid),
      };
    });
  },
};

/** Ports where adb has just gained or lost a phone: USB and adb's list were not read at one instant. */
const busyPorts = (now: number, events: readonly HistoryEvent[]): (string | undefined)[] =>
  events.filter(({ at }) => ageMs(now, at) < SETTLES_MS).map(({ where }) => where?.devpath);

function modeOf(device: UsbDevice): Mode | undefined {
  const { vendorId, productId } = device;
  if (hasAdb(device)) {
    return {
      severity: 'major',
      is: 'has USB debugging on, and adb does not list it',
      remedy: 'Unplug it and plug it back in; if that does not help, run hostnode doctor',
    };
  }
  if (hasFastboot(device)) {
    return {
      severity: 'major',
      is: 'waits in its bootloader (fastboot)',
      remedy: 'Run fastboot reboot, or hold its power button for 10 seconds',
    };
  }
  const mode = CHIP_MODES[`${vendorId}:${productId}`];
  if (mode !== undefined) {
    return {
      severity: 'major',
      is: `does not boot: it is in ${mode}`,
      remedy: 'Hold its power button for 20 seconds; if that does not help, flash it again',
    };
  }
  if (!sharesFiles(device)) return undefined;
  return DEBUGGING_OFF;
}
