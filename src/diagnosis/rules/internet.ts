/** Most phones of the host lost the internet at once, and are still without it: it is not the phones. */
import { MINUTE_MS } from '../../base/calendar.ts';
import { median } from '../../base/statistics.ts';
import type { HistoryEvent } from '../../history/events/event.ts';
import { shownBy } from '../losses/loss.ts';
import type { Rule } from '../rule.ts';
import { MANY } from './present.ts';

/** Codes of the event `hindered`. */
export const OF_INTERNET: ReadonlySet<string> = new Set(['internet', 'network']);

/** The network of each is read every five minutes. */
const AT_ONCE_MS = 10 * MINUTE_MS;
const MOST = 0.6;

export const internetLost: Rule = {
  code: 'INTERNET_LOST',
  severity: 'major',
  explains: ['network'],
  /** A test switches the airplane mode of phones off again, an access point that restarts is back. */
  settleMs: 15 * MINUTE_MS,
  evaluate: ({ now, events }) => {
    const attached = now.phones.filter((phone) => phone.attached);
    const without = new Set(attached.flatMap(({ udid, network }) => (network === 'UNREACHABLE' ? udid : [])));
    if (without.size < MANY) return undefined;
    const losses = cuts(events).filter(({ udid }) => without.has(udid));
    const middle = median(losses.map(({ at }) => at)) ?? now.at;
    const atOnce = losses.filter(({ at }) => Math.abs(at - middle) <= AT_ONCE_MS / 2);
    const had = losses.length + attached.filter(({ network }) => network === 'REACHABLE').length;
    if (atOnce.length < Math.max(MANY, had * MOST)) return undefined;
    return {
      ...shownBy(atOnce),
      subject: { kind: 'network' },
      certainty: 'likely',
      title: `${atOnce.length === had ? 'All' : `${atOnce.length} of`} ${had} phones that had internet lost it at once`,
      remedy:
        'Restart the Wi-Fi access point, the router and the switch, check their cables and the way to the internet; see on a phone whether its Wi-Fi is on, knows the password or asks to sign in; undo the last change of the network; then restart the phones',
    };
  },
};

/** The last time when each phone lost the internet, oldest first, but for those of which it was recorded that they have it again. */
function cuts(events: readonly HistoryEvent[]) {
  const last = new Map<string, Extract<HistoryEvent, { kind: 'hindered' }>>();
  // a start does not know who had it before, and records no end of what it does not know
  const lasting = new Set<string>();
  for (const event of events) {
    if (event.kind === 'agentStarted' || event.kind === 'agentReloaded') lasting.clear();
    if (event.kind !== 'hindered') continue;
    const { udid } = event;
    const isCut = event.codes.split(',').some((code) => OF_INTERNET.has(code));
    if (lasting.has(udid) === isCut) continue;
    last.delete(udid);
    lasting.delete(udid);
    if (!isCut) continue;
    last.set(udid, event);
    lasting.add(udid);
  }
  return [...last.values()];
}
