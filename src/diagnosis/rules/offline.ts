/** OFFLINE_LONG: adb has listed a phone as offline for half an hour. Ends when it has another state, or is unplugged. */

import type { Finding } from '../finding.ts';
import { steadily } from '../losses/clock-adjusted.ts';
import type { RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { lasting, namesOf } from '../words.ts';

/** Who restarts a phone or its debugging needs minutes; after half an hour nobody is at it. */
const LONG_MS = 30 * 60_000;

const remedies: Readonly<Record<PhoneInput['connection'], string>> = {
  usb: 'Unplug the phone and plug it back in; if it stays offline, restart the phone',
  tcp: 'Check that the phone is on the network, then connect it again with `adb connect`',
  emulator: 'Restart the emulator',
};

export function judgeOffline({ now, events }: RuleContext): Finding[] {
  if (!now.isAdbListed) return [];
  const away = now.phones.filter(
    (phone) => phone.attached && phone.state === 'offline' && !phone.isInMaintenance,
  );
  if (away.length === 0) return [];
  const momentOf = steadily(events);
  const began = new Map<string, { at: number; id: number }>();
  let oldest: number | undefined;
  for (const event of events) {
    const { at } = momentOf(event);
    oldest ??= at;
    if (event.kind !== 'attached' && event.kind !== 'state') continue;
    if (event.state !== 'offline') began.delete(event.udid);
    else if (!began.has(event.udid)) began.set(event.udid, { at, id: event.id });
  }
  const name = namesOf(now);
  return away.flatMap((phone): Finding[] => {
    const begin = began.get(phone.udid);
    const since = begin?.at ?? oldest;
    if (since === undefined || now.at - since < LONG_MS) return [];
    return [
      {
        code: 'OFFLINE_LONG',
        severity: 'major',
        subject: { kind: 'phone', key: phone.udid },
        certainty: 'certain',
        title: `${name(phone.udid)} has been offline for ${begin ? '' : 'more than '}${lasting(now.at - since)}`,
        remedy: remedies[phone.connection],
        since,
        udids: [phone.udid],
        evidence: begin ? [begin.id] : [],
      },
    ];
  });
}
