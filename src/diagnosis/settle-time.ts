/** How long ago something was, for judges that wait before they speak. */
import type { RuleContext } from './rule.ts';

/** Times from before the clock was set back are in the future: long ago. */
export const ageMs = (now: number, at: number): number => (at > now ? Number.POSITIVE_INFINITY : now - at);

const SERVER_EVENTS = new Set(['agentStarted', 'adbBack', 'adbReplaced']);

/** Since when this adb server has listed phones to this agent, as far back as the events go, ms; 0 before the first event. */
export function listedForMs({ now, events }: RuleContext): number {
  if (events.length === 0) return 0;
  const last = events.findLast(({ kind }) => SERVER_EVENTS.has(kind));
  return last === undefined ? Number.POSITIVE_INFINITY : ageMs(now.at, last.at);
}

const DAY = 86_400_000;

/** For what is older than all events: the day of the first of them, so that it changes once a day. */
export const longAgo = ({ now, events }: RuleContext): number =>
  Math.floor((events[0]?.at ?? now.at) / DAY) * DAY;
