/** Events in a person's words, one line each: for the page, the terminal and `hostnode why`. Pure. */
import { duration, localTime } from '../../base/calendar.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { printable } from '../../base/printable.ts';
import {
  type EventKind,
  type HistoryEvent,
  type HostHappening,
  isAfterBoot,
  type KernelEvent,
  type PhoneHappening,
  type PlaceEvent,
  type PlaceHappening,
} from '../../history/events/event.ts';
import { inWords, reasonInWords } from '../../history/events/reboot-reason.ts';
import { inKernelWords, portName, times } from '../words.ts';
import { hindranceInWords } from './hindrances.ts';

export interface TimelineEntry {
  /** Its order; the clock may have been set between two of them. */
  id: number;
  at: number;
  kind: EventKind;
  /** `lost: adb no longer lists it`, `restarted by itself (kernel panic)`, `note by anna: swapped the cable`. */
  text: string;
  /** The phone, where the timeline is that of a slot or hub. */
  udid?: string;
  /** What people call it, in the answer of `why` about a place. */
  name?: string;
  slot?: string;
  /** It stands for so many losses and returns, the first of them at `from`; absent for one event. */
  count?: number;
  from?: number;
}

type Happening = PhoneHappening | PlaceHappening | HostHappening;
type Words = { [K in Happening['kind']]: (happening: Extract<Happening, { kind: K }>) => string };

/** A note of 500 characters, who wrote it, and where. */
const LONGEST = 1200;

/** One event as a line of a timeline. Its text is printable and bounded. */
export const timelineEntryOf = (event: HistoryEvent): TimelineEntry =>
  omitUndefined({
    id: event.id,
    at: event.at,
    kind: event.kind,
    text: event.udid === undefined && event.where ? textOfPlace(event) : textOf(event),
    udid: event.udid,
    slot: event.where?.slot,
  });

/** `note by anna on hub 1-4: new power supply`, `the kernel, of USB port 1-4.2: gave up`. */
function textOfPlace(event: PlaceEvent | KernelEvent): string {
  const { slot, devpath, usbPath, hub } = event.where;
  const port = devpath ?? usbPath;
  if (event.kind === 'kernel') {
    const of = port === undefined ? '' : `, of ${portName(event.where)}`;
    return textOf(event).replace('the kernel', `the kernel${of}`);
  }
  const place =
    hub !== undefined
      ? `hub ${devpath ?? hub}`
      : (slot ?? (port === undefined ? 'this host' : `USB port ${port}`));
  return printable(`note${byWhom(event.by)} on ${place}: ${event.text}`, LONGEST);
}

/** `restarted: kernel panic`, `note by anna: swapped the cable`. */
export function textOf(happening: Happening): string {
  const text = words[happening.kind] as (happening: Happening) => string;
  return printable(text(happening), LONGEST);
}

const words: Words = {
  attached: ({ state }) => (state === 'device' ? 'plugged in' : `plugged in: adb says ${state}`),
  detached: () => 'lost: adb no longer lists it',
  usb: ({ gone, interfaces, interfacesBefore, speedMbps, speedMbpsBefore, overCurrents }) =>
    [
      seenOnUsb[gone],
      ...(interfaces !== undefined && gone !== 'nothing' ? ['it is on USB again'] : []),
      ...(interfaces !== undefined && interfaces !== interfacesBefore ? ['with another USB mode'] : []),
      ...(speedMbps === speedMbpsBefore || speedMbps === undefined
        ? []
        : [`at ${speedMbps} Mbit/s, before: ${speedMbpsBefore}`]),
      ...(overCurrents === undefined ? [] : [`its port cut the power ${times(overCurrents)}: over-current`]),
    ].join(', '),
  state: ({ state, before, reason }) => `adb says ${state}${bracketed(reason)}, before: ${before}`,
  identity: ({ model, brand }) => `says that it is a ${[brand, model].filter(Boolean).join(' ') || 'phone'}`,
  rebooted: ({ reason }) => `restarted${reason === undefined ? '' : `: ${reasonInWords(reason)}`}`,
  sim: ({ state, before }) => changed('SIM', simOf(state), before && simOf(before)),
  os: ({ release, before, build, buildBefore }) =>
    release === before
      ? changed('another build of Android', build ?? 'unknown', buildBefore)
      : changed('updated: Android', release ?? 'unknown', before),
  batteryHealth: ({ health, before }) =>
    changed('battery health', inWords(health), before && inWords(before)),
  adbRoot: ({ isRoot }) => (isRoot ? 'adb root: its adbd is root' : 'its adbd is no longer root'),
  hindered: ({ codes }) =>
    codes === ''
      ? 'nothing hinders tests any more'
      : `hinders tests: ${codes.split(',').map(hindranceInWords).join(', ')}`,
  refused: ({ said }) => `rejected by the cloud${said ? `: ${said}` : ''}`,
  stored: () => 'stored by the cloud',
  maintenance: (plan) => `in maintenance ${untilWhen(plan)}`,
  maintenanceEnded: ({ by }) => `maintenance ended${byWhom(by)}`,
  drain: (plan) => `drained ${untilWhen(plan)}`,
  drainEnded: ({ by }) => `drain ended${byWhom(by)}`,
  note: ({ text, by }) => `note${byWhom(by)}: ${text}`,
  kernel: ({ fault, count, controller }) =>
    `the kernel: ${controller === undefined ? '' : `${controller}: `}${inKernelWords(fault, count)}`,
  adbLost: () => 'the adb server stopped answering',
  adbBack: () => 'the adb server answers again',
  adbReplaced: () => 'another adb server answers: it was restarted or replaced',
  agentStarted: (event) =>
    `hostnode ${event.version} started${isAfterBoot(event) ? ', after the host had booted' : ''}`,
  agentStopped: () => 'hostnode stopped',
  agentReloaded: () => 'hostnode read its configuration again',
  agentPaused: ({ forMs }) =>
    `hostnode stood still for ${duration(forMs)}: it was stopped, frozen, or got no processor`,
  clockStepped: ({ byMs }) =>
    `the clock of the host was set ${byMs < 0 ? 'back' : 'forward'} by ${duration(toSeconds(Math.abs(byMs)))}`,
  hostSlept: ({ forMs }) => `the host slept for ${forMs === 0 ? 'less than 5 s' : duration(forMs)}`,
  cloudLost: ({ code }) => `the cloud stores no reports${bracketed(code)}`,
  cloudBack: () => 'the cloud stores reports again',
  historyLost: ({ since }) => `what happened since ${localTime(since)} could not be kept`,
};

/** A step is measured to some milliseconds: an hour is one, and not 59 min. */
const toSeconds = (ms: number): number => Math.round(ms / 1000) * 1000;

const seenOnUsb = {
  nothing: 'USB still shows it: adb lost it',
  phone: 'it left USB; its hub is there',
  hub: 'its hub left USB',
  controller: 'its USB controller left',
};

const byWhom = (by: string | undefined): string => (by === undefined ? '' : ` by ${by}`);

const untilWhen = ({ until, reason, by }: { until: number; reason: string; by?: string }): string =>
  `until ${localTime(until)}${byWhom(by)}${reason === '' ? '' : `: ${reason}`}`;

const changed = (what: string, now: string, before: string | undefined): string =>
  `${what} ${now}${before === undefined ? '' : `, before: ${before}`}`;

const bracketed = (text: string | undefined): string => (text ? ` (${text})` : '');

/** `LOADED,ABSENT`, one for each slot of the phone. */
const simOf = (state: string): string =>
  state
    .split(',')
    .map((each) => inWords(each.trim()) || 'none')
    .join(' and ');
