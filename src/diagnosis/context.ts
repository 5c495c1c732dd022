/** What several rules ask of their context. */
import { DAY_MS } from '../base/calendar.ts';
import { portOf } from '../history/events/where.ts';
import { chipModeOf, type UsbDevice } from '../host/usb-devices.ts';
import type { Found, RuleContext } from './rule.ts';
import type { PhoneInput } from './rule-input.ts';
import { namesOf } from './words.ts';

/** The same answer for the same context: what several rules need is found out once. */
export function once<T>(find: (context: RuleContext) => T): (context: RuleContext) => T {
  const answers = new WeakMap<RuleContext, { answer: T }>();
  return (context) => {
    const known = answers.get(context);
    if (known) return known.answer;
    const answer = find(context);
    answers.set(context, { answer });
    return answer;
  };
}

/** What people call each phone, by udid. Names for all cost more than most rules do: they are made once. */
export const nameOf = once(({ now }) => namesOf(now));

/** What a rule finds of one phone. `is` completes its name, as in `Pixel 5 is hot`; a `title` has the name elsewhere. */
type FoundOfPhone = Omit<Found, 'subject' | 'title'> &
  ({ is: string; title?: never } | { title(name: string): string; is?: never });

export type FindOfPhone = (phone: PhoneInput, context: RuleContext) => FoundOfPhone | false | undefined;

/** Evaluates a rule that looks at each phone for itself: the phone is the subject. */
export const eachPhone =
  (find: FindOfPhone) =>
  (context: RuleContext): Found[] =>
    context.now.phones.flatMap((phone) => {
      const found = find(phone, context);
      if (!found) return [];
      const { is, title, ...rest } = found;
      const name = nameOf(context)(phone.udid);
      const { udid: key } = phone;
      return { subject: { kind: 'phone', key }, title: title?.(name) ?? `${name} ${is}`, ...rest };
    });

/** How long ago something was, ms. Times from before the clock was set back are in the future: long ago. */
export const ageMs = (now: number, at: number): number => (at > now ? Number.POSITIVE_INFINITY : now - at);

/** Who was the last to go from each port, where nobody has come since; udids, by the `key` of the port. */
const lastToGo = once(({ events }) => {
  const found = new Map<string, string>();
  for (const { kind, udid, where } of events) {
    const port = where && portOf(where);
    if (port === undefined || udid === undefined) continue;
    if (kind === 'detached') found.set(port, udid);
    else if (kind === 'attached') found.delete(port);
  }
  return found;
});

/** The phone that was the last at this port, and that adb does not list: one, or none. */
export function lastAt(
  { port, usbPath }: Pick<UsbDevice, 'port' | 'usbPath'>,
  context: RuleContext,
): PhoneInput[] {
  const last = lastToGo(context).get(usbPath) ?? lastToGo(context).get(port);
  return context.now.phones.filter(({ attached, udid }) => !attached && udid === last);
}

/**
 * The phones that a device on USB may be, and that adb does not list: those of its serial. The download mode of a chip has
 * none: it is the phone that was the last at its port.
 */
export function missedAs(device: UsbDevice, context: RuleContext): PhoneInput[] {
  const alike = context.now.phones.filter(({ attached, serial }) => !attached && serial === device.serial);
  return alike.length > 0 || chipModeOf(device) === undefined ? alike : lastAt(device, context);
}

const SERVER_EVENTS = new Set(['agentStarted', 'adbBack', 'adbReplaced']);

/** Since when this adb server has listed phones to this agent, as far back as the events go, ms; 0 before the first event. */
export const listedForMs = once(({ now, events }): number => {
  if (events.length === 0) return 0;
  const last = events.findLast(({ kind }) => SERVER_EVENTS.has(kind));
  return last === undefined ? Number.POSITIVE_INFINITY : ageMs(now.at, last.at);
});

/** For what is older than all events: the day of the first of them, so that it changes once a day. */
export const longAgo = ({ now, events }: RuleContext): number =>
  Math.floor((events[0]?.at ?? now.at) / DAY_MS) * DAY_MS;
