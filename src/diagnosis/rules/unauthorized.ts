/**
 * UNAUTHORIZED_AFTER_UPDATE: a phone that was `device` came back unauthorized from an absence as long as a restart or an
 * update. Ends when somebody allows it.
 */
import { DAY_MS, MINUTE_MS } from '../../base/calendar.ts';
import type { Finding } from '../finding.ts';
import type { Accusation } from '../losses/attribution.ts';
import { between } from '../losses/clock-adjusted.ts';
import type { RuleContext } from '../rule.ts';
import { evidenceOf, lasting, namesOf } from '../words.ts';

/** No phone restarts faster. */
const SHORTEST_MS = 15_000;
/** An update takes no longer. */
const LONGEST_MS = 120 * MINUTE_MS;
/** Whoever updates phones allows them within some minutes. */
const WAITS_MS = 10 * MINUTE_MS;
/** An update of this or another phone so near makes it likely. */
const UPDATE_MS = 2 * DAY_MS;

export function unauthorized({ losses, causeOf }: Accusation, { now, events }: RuleContext): Finding[] {
  const name = namesOf(now);
  const lastOf = new Map(losses.map((loss) => [loss.udid, loss]));
  const updates = events.filter(({ kind }) => kind === 'os');
  return now.phones.flatMap(({ udid, state, isInMaintenance }): Finding[] => {
    const loss = lastOf.get(udid);
    if (state !== 'unauthorized' || isInMaintenance || loss?.back?.state !== state) return [];
    if (loss.before !== 'device' || ['adb', 'start', 'handled'].includes(causeOf.get(loss)?.kind ?? ''))
      return [];
    const away = between(loss, loss.back);
    if (away === undefined || away < SHORTEST_MS || away > LONGEST_MS) return [];
    if (loss.back.port !== loss.port || now.at - loss.back.at < WAITS_MS) return [];
    const { at } = loss;
    const update = updates.find((event) => Math.abs(event.at - at) <= UPDATE_MS);
    return [
      {
        code: 'UNAUTHORIZED_AFTER_UPDATE',
        severity: 'major',
        subject: { kind: 'phone', key: udid },
        certainty: update ? 'likely' : 'possible',
        title: `${name(udid)} came back unauthorized after ${lasting(away)}, as from ${update ? 'an update' : 'a restart or an update'}`,
        remedy: 'Accept the USB debugging prompt on the phone, with “Always allow” ticked',
        since: loss.back.at,
        udids: [udid],
        evidence: evidenceOf([loss.id, loss.back.id, ...(update ? [update.id] : [])]),
      },
    ];
  });
}
