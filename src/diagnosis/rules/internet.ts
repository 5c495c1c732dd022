/** Phones that had internet and have lost it: one, by what it shows; most of the host at once, by what they share. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import { median } from '../../base/statistics.ts';
import { beginsAnew, type HistoryEvent } from '../../history/events/event.ts';
import { ageMs, nameOf } from '../context.ts';
import { PLACE_PART } from '../losses/cause.ts';
import { scheduled, TIMER_MS } from '../losses/daily-pattern.ts';
import type { Loss } from '../losses/loss.ts';
import { GO_ONLINE } from '../remedies.ts';
import type { Found, Rule } from '../rule.ts';
import { lasting, shownBy } from '../words.ts';
import { MANY } from './present.ts';

/** Codes of the event `hindered`. */
export const OF_INTERNET: ReadonlySet<string> = new Set(['internet', 'network']);

/** The network of each is read every five minutes. */
const AT_ONCE_MS = 10 * MINUTE_MS;
/** Whoever lives without it for so long does not need it. */
const NEEDLESS_MS = 7 * DAY_MS;

export const internetLost: Rule = {
  code: 'INTERNET_LOST',
  severity: 'major',
  sign: 'no internet',
  plural: 'lost the internet an hour ago or more',
  explains: ['network'],
  /** A test switches the airplane mode of phones off again, an access point that restarts is back. */
  settleMs: 15 * MINUTE_MS,
  evaluate: (context) => {
    const { now, events } = context;
    const attached = now.phones.filter((phone) => phone.attached);
    const without = new Map(
      attached.filter(({ network }) => network === 'UNREACHABLE').map((phone) => [phone.udid, phone]),
    );
    if (without.size === 0) return undefined;
    const losses = cuts(events).flatMap((ofPhone) => {
      const last = ofPhone.at(-1);
      if (!last || last.until !== undefined || !without.has(last.udid)) return [];
      const lastsMs = ageMs(now.at, last.at);
      return lastsMs > NEEDLESS_MS || isByPlan(ofPhone, lastsMs) ? [] : last;
    });
    const middle = median(losses.map(({ at }) => at)) ?? now.at;
    const atOnce = losses.filter(({ at }) => Math.abs(at - middle) <= AT_ONCE_MS / 2);
    const had = losses.length + attached.filter(({ network }) => network === 'REACHABLE').length;
    const isShared = atOnce.length >= Math.max(MANY, had * PLACE_PART);
    // what a page asks of a single one is told by what it shows now
    const single = losses.filter(
      (loss) => !(isShared && atOnce.includes(loss)) && !without.get(loss.udid)?.remedy,
    );
    const found = single.map(
      (loss): Found => ({
        ...shownBy([loss]),
        subject: { kind: 'phone', key: loss.udid },
        severity: 'minor',
        settleMs: HOUR_MS,
        title: `${nameOf(context)(loss.udid)} has had no internet for ${lasting(now.at - loss.at)}`,
        remedy: GO_ONLINE,
      }),
    );
    if (!isShared) return found;
    const shared: Found = {
      ...shownBy(atOnce),
      subject: { kind: 'network' },
      certainty: 'likely',
      title: `${atOnce.length === had ? 'All' : `${atOnce.length} of`} ${had} phones that had internet lost it at once`,
      remedy:
        'Restart the Wi-Fi access point, the router and the switch, check their cables and the way to the internet; see on a phone whether its Wi-Fi is on, knows the password or asks to sign in; undo the last change of the network; then restart the phones',
    };
    return [...found, shared];
  },
};

/** `until`: absent where nobody recorded that the phone has it again. */
type Cut = Pick<Loss, 'id' | 'at' | 'udid'> & { until?: number };

/** A test switches the airplane mode on, or a router restarts, at one time of day: for no longer than before. */
function isByPlan(ofPhone: readonly Cut[], lastsMs: number): boolean {
  const times = ofPhone.map(({ at }) => at);
  const byPlan = scheduled(times, TIMER_MS);
  const before = ofPhone.slice(0, -1).filter(({ at }) => byPlan.has(at));
  const longestMs = before.reduce((most, { at, until = at }) => Math.max(most, until - at), 0);
  return byPlan.has(times.at(-1) ?? 0) && lastsMs <= longestMs + AT_ONCE_MS;
}

/** When each phone lost the internet, oldest first. */
function cuts(events: readonly HistoryEvent[]): Cut[][] {
  const found = new Map<string, Cut[]>();
  let startId = 0;
  for (const event of events) {
    const { id, kind } = event;
    if (beginsAnew(event)) startId = id;
    if (kind !== 'hindered') continue;
    const isCut = event.codes.split(',').some((code) => OF_INTERNET.has(code));
    // a start does not know who had it before, and records no end of what it does not know
    const ofPhone = found.get(event.udid) ?? [];
    const last = ofPhone.at(-1);
    const lasting = last && last.until === undefined && last.id > startId ? last : undefined;
    if ((lasting !== undefined) === isCut) continue;
    if (lasting) lasting.until = event.at;
    else ofPhone.push({ id, udid: event.udid, at: event.at });
    found.set(event.udid, ofPhone);
  }
  return [...found.values()].sort((one, other) => (one.at(-1)?.at ?? 0) - (other.at(-1)?.at ?? 0));
}
