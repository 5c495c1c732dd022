/** Phones that are plugged in, and that adb does not list. */
import { HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { HistoryEvent } from '../../history/events/event.ts';
import type { KernelFault } from '../../host/kernel-line.ts';
import {
  chipModeOf,
  hasAdb,
  hasFastboot,
  hubOf,
  PHONE_VENDORS,
  sharesFiles,
  type UsbDevice,
} from '../../host/usb-devices.ts';
import { ageMs, lastAt, listedForMs, missedAs, nameOf } from '../context.ts';
import { isOftenAwaySo, lastLosses } from '../losses/attribution.ts';
import { NO_ROOM } from '../remedies.ts';
import type { Found, Rule, RuleContext } from '../rule.ts';
import { inKernelWords, portName } from '../words.ts';
import { isOverIp, portSubject, type UsbView, usbView } from './usb-view.ts';

/** A phone that boots, or that changes its USB mode, is on USB for some seconds before adb lists it. */
const SETTLES_MS = 60_000;
/** Who flashes a phone, or sets it up anew, needs some minutes. */
const FLASHED_MS = 10 * MINUTE_MS;

/** What a phone without the adb interface waits for. */
interface Mode {
  /** Completes "Pixel 8 in bay 4 …". */
  readonly is: string;
  readonly remedy: string;
}

/** The kernel reads it, and cannot set it up: its controller has no room (`can't set config`, USB core's message.c). */
const NOT_SET_UP: Mode = {
  is: 'was found by the kernel, and could not be set up',
  remedy:
    'Its USB controller is most likely full: move phones to another controller; if it is alone there, use another cable',
};

export const BLOCKED: Mode = {
  is: 'is blocked on this host',
  remedy:
    'Let it in for good, in each of its USB modes and at each port: where usbguard runs, by `usbguard allow-device -p` with its number from `usbguard list-devices`; else look for what blocks USB while the screen of the host is locked; then restart the host, which interrupts all phones',
};

export const DEBUGGING_OFF: Mode = {
  is: 'has USB debugging off',
  remedy:
    'On the phone open Settings > Developer options and turn on USB debugging; if it is on, turn it off and on, choose file transfer or another USB mode (default USB configuration), or restart the phone; then undo its last build, app or module, or ask whoever manages it (MDM)',
};

/** WSL gets its phones so, from Windows, which has an adb server too. */
const OVER_IP =
  'Stop the adb server of the computer that it is plugged into, and attach it again; add its udev rule here, reload udev, and restart the adb server here, which interrupts all phones; or use the server of that computer over the network (ADB_SERVER_SOCKET), with the same version of adb';

const comesOverIp = ({ controller }: UsbDevice, { tree }: UsbView): boolean =>
  tree.controllers.some((each) => each.name === controller && isOverIp(each));

/** A container with single devices loses each that is plugged in anew or changes its mode: it is another device then. */
const WHOLE_USB =
  'the whole folder /dev/bus/usb and `--device-cgroup-rule "c 189:* rwm"`, not single devices; then restart that server';
const IN_CONTAINER = `Unplug it and plug it back in; an adb server in a container needs ${WHOLE_USB}, which interrupts all phones; run hostnode doctor: another server may hold it`;

/** A restart of the server interrupts no phone on USB then. */
const NONE_LISTED =
  'Restart the adb server; run hostnode doctor, and stop what holds the phones, as another adb server or a container; add their udev rules; update adb, the same for all programs and no snap';
const NONE_IN_CONTAINER = `Give the container of the adb server ${WHOLE_USB}; run hostnode doctor: another server may hold the phones`;

export const notInAdb: Rule = {
  code: 'NOT_IN_ADB',
  severity: 'major',
  sign: 'not in adb',
  plural: 'are on USB, and adb does not list them',
  explains: ['unplugged', 'EXPECTED_MISSING'],
  tellsNow: true,
  settleMs: SETTLES_MS,
  evaluate: (context) => {
    const { now, events } = context;
    const view = usbView(context);
    if (view === undefined || !now.isAdbListed || now.adbPorts === undefined) return undefined;
    if (listedForMs(context) < SETTLES_MS) return undefined;
    const quiet = new Set([...now.adbPorts, ...busyPorts(now.at, events)]);
    const unlisted = view.devices.filter(({ port }) => !quiet.has(port));
    const withAdb = unlisted.filter(hasAdb);
    const held = withAdb.flatMap((device) => unlistedAt(device, view, context) ?? []);
    const others = unlisted
      .filter((device) => !hasAdb(device))
      .map((device) => unlistedAt(device, view, context));
    if (held.length < 2 || now.adbPorts.length > 0) return [...held, ...others];
    const noneListed = isInContainer(context) ? NONE_IN_CONTAINER : NONE_LISTED;
    const ofServer: Found = {
      subject: { kind: 'host' },
      title: `USB shows ${held.length} phones that have USB debugging on, and adb lists none of them`,
      remedy: withAdb.some((device) => comesOverIp(device, view)) ? OVER_IP : noneListed,
      since: Math.min(...held.map(({ since = now.at }) => since)),
      udids: [...new Set(held.flatMap(({ udids = [] }) => udids))],
      command: 'hostnode doctor',
    };
    return [ofServer, ...others];
  },
};

const isInContainer = ({ now }: RuleContext) => now.host?.adbAt.hostKind.inContainer;

function unlistedAt(device: UsbDevice, view: UsbView, context: RuleContext): Found | undefined {
  const missed = missedAs(device, context);
  const only = missed.length === 1 ? missed[0] : undefined;
  const mode = modeOf(device, missed.length > 0);
  if (mode === undefined || device.connectedAt === undefined) return undefined;
  if (only && !hasAdb(device) && isOftenAwaySo(only.udid, context)) return undefined;
  // USB_POWER tells of those
  if (mode === NOT_SET_UP && view.at(hubOf(device.port))?.isSelfPowered === false) return undefined;
  const heldRemedy = comesOverIp(device, view)
    ? OVER_IP
    : isInContainer(context)
      ? IN_CONTAINER
      : mode.remedy;
  const name = only && chipModeOf(device) ? nameOf(context)(only.udid) : view.nameOf(device);
  const lostAt = missed.map(({ udid }) => lastLosses(context).get(udid)?.at ?? 0);
  const since = Math.max(device.connectedAt, ...lostAt);
  const isInOtherMode = device.interfaces.length > 0 && !hasAdb(device);
  const mayBeFlashed = isInOtherMode && context.now.at - since < FLASHED_MS;
  const mayBeWanted = mode === DEBUGGING_OFF && missed.length === 0;
  return {
    ...((mayBeFlashed || mayBeWanted) && { severity: 'minor' }),
    ...(only && only.serial !== device.serial && { certainty: 'likely' }),
    subject: only ? { kind: 'phone', key: only.udid } : portSubject(device, view),
    title: `${name} ${mode.is}`,
    remedy: hasAdb(device) ? heldRemedy : mode.remedy,
    since,
    udids: missed.map(({ udid }) => udid),
  };
}

/** A phone that the kernel gave up says nothing when it is unplugged: so much later nobody knows, ms. */
const GIVEN_UP_MS = 6 * HOUR_MS;
const GIVEN_UP: ReadonlySet<string> = new Set<KernelFault>(['enumerate', 'cable', 'resources']);

/**
 * Something is plugged in, and the kernel cannot read it: by its log, or, from Linux 6.5 on, by the state of the port
 * (Documentation/ABI/testing/sysfs-bus-usb).
 */
export const usbUnreadable: Rule = {
  code: 'USB_UNREADABLE',
  severity: 'major',
  explains: ['unplugged', 'EXPECTED_MISSING'],
  tellsNow: true,
  settleMs: SETTLES_MS,
  evaluate: (context) => {
    const { now, events } = context;
    const view = usbView(context);
    if (view === undefined) return undefined;
    const given = new Map<string, { id: number; at: number; fault: KernelFault; count: number }>();
    for (const event of events) {
      const port = event.where?.devpath;
      if (port === undefined) continue;
      if (event.kind === 'attached') given.delete(port);
      else if (event.kind === 'kernel' && GIVEN_UP.has(event.fault) && ageMs(now.at, event.at) <= GIVEN_UP_MS)
        given.set(port, event);
    }
    const busy = new Set(busyPorts(now.at, events));
    const unread = (view.tree.unreadPorts ?? []).filter((port) => !busy.has(port));
    return [...new Set([...given.keys(), ...unread])].map((port): Found | undefined => {
      if ((view.at(port)?.interfaces.length ?? 0) > 0) return undefined;
      const said = given.get(port);
      const place = view.placeOf(port);
      const why = said === undefined ? '' : `: ${inKernelWords(said.fault, said.count)}`;
      return {
        subject: portSubject(place, view),
        title: `The kernel cannot read what is plugged in at ${portName(omitUndefined({ slot: view.slotOf(place), devpath: port }))}${why}`,
        remedy:
          said?.fault === 'resources'
            ? NO_ROOM
            : 'Turn its plug over, or replace the cable, then restart the phone; use another port, of the host or of a powered hub; switch the hub off and on; update, flash (which erases it) or repair the phone; then restart the host, which interrupts all phones, or switch it off and on',
        // as far as anybody can know
        udids: lastAt(place, context).map(({ udid }) => udid),
        certainty: said === undefined ? 'likely' : 'certain',
        ...(said === undefined ? { settleMs: 0 } : { since: said.at, evidence: [said.id] }),
      };
    });
  },
};

/** Ports where adb has just gained or lost a phone: USB and adb's list were not read at one instant. */
const busyPorts = (now: number, events: readonly HistoryEvent[]): (string | undefined)[] =>
  events.filter(({ at }) => ageMs(now, at) < SETTLES_MS).map(({ where }) => where?.devpath);

/** @param isKnown it is a phone of the roster, likely */
function modeOf(device: UsbDevice, isKnown: boolean): Mode | undefined {
  const { vendorId = '', interfaces, isBlocked, isHub } = device;
  if (hasAdb(device)) {
    return {
      is: 'has USB debugging on, and adb does not list it',
      remedy:
        'Unplug it and plug it back in, or restart it; run hostnode doctor, and stop what holds it, as another adb server or a container; add its udev rule; update adb, the same for all programs and no snap; then restart the adb server, which interrupts all phones',
    };
  }
  if (hasFastboot(device)) {
    return {
      is: 'waits in its bootloader (fastboot)',
      remedy:
        'Run `fastboot reboot`, or hold power and volume down for 20 seconds; if it comes back here, free a stuck button, switch it to its other Android (`fastboot set_active other`), remove what was last installed, or flash its system again, which may erase it',
    };
  }
  const mode = chipModeOf(device);
  if (mode !== undefined) {
    return {
      is: `does not boot: it is in ${mode}`,
      remedy:
        'Hold its power button, or power and volume down, for 30 seconds; if that does not help, flash it again, or have it repaired',
    };
  }
  if (interfaces.length === 0 && !isHub && (isKnown || PHONE_VENDORS.has(vendorId)))
    return isBlocked ? BLOCKED : NOT_SET_UP;
  // as a modem, a camera, …: adb listed it once
  return isKnown || sharesFiles(device) ? DEBUGGING_OFF : undefined;
}
