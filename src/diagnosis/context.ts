/** What several rules ask of their context. */
import { DAY_MS } from '../base/calendar.ts';
import type { Found, Rule, RuleContext } from './rule.ts';
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

/** Asked only where something was found. */
const nameOf = once(({ now }) => namesOf(now));

/** What a rule finds of one phone. `is` completes `Pixel 5 …`, in place of a title. */
export type FoundOfPhone = Omit<Found, 'subject' | 'title'> &
  ({ title: string; is?: string } | { is: string; title?: string });

/** Evaluates a rule that looks at each phone for itself, by the name that tells it from the others: the phone is the subject. */
export const eachPhone =
  (find: (phone: PhoneInput, context: RuleContext) => FoundOfPhone | false | undefined): Rule['evaluate'] =>
  (context) =>
    context.now.phones.map((phone) => {
      if (!find(phone, context)) return undefined;
      const name = nameOf(context)(phone.udid);
      const found = find({ ...phone, name }, context);
      if (!found) return undefined;
      const { is, title = `${name} ${is}`, ...rest } = found;
      return { subject: { kind: 'phone', key: phone.udid }, title, ...rest };
    });

/** How long ago something was, ms. Times from before the clock was set back are in the future: long ago. */
export const ageMs = (now: number, at: number): number => (at > now ? Number.POSITIVE_INFINITY : now - at);

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
