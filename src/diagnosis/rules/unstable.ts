/**
 * PHONE_UNSTABLE, PORT_UNSTABLE, LINK_UNSTABLE: losses again and again, of one phone in several ports, of one port, or of
 * one phone from the network. They end after ten days without such a loss, and with a note or a maintenance of the phone,
 * which counts as a repair.
 */
import { sentence } from '../../base/words.ts';
import type { Finding } from '../finding.ts';
import type { Accusation } from '../losses/attribution.ts';
import type { Suspect } from '../losses/repeat-offenders.ts';
import type { RuleInput } from '../rule-input.ts';
import { andNote, evidenceOf, lasting, namesOf, portName } from '../words.ts';

export function unstable({ suspects }: Accusation, now: RuleInput): Finding[] {
  const known = new Map(now.phones.map((phone) => [phone.udid, phone]));
  const name = namesOf(now);
  return suspects.flatMap((suspect): Finding[] => {
    const [first] = suspect.losses;
    const last = suspect.losses.at(-1);
    if (!first || !last) return [];
    const phones = [...new Set(suspect.losses.map(({ udid }) => udid))].filter((udid) => known.has(udid));
    const within = `in ${lasting(last.at - first.at)}`;
    const told = { since: first.at, udids: phones, evidence: evidenceOf(suspect.losses.map(({ id }) => id)) };
    if (suspect.kind === 'phone' || suspect.kind === 'link') {
      const findingOf = suspect.kind === 'phone' ? phoneFinding : linkFinding;
      return known.has(suspect.key) ? [{ ...findingOf(suspect, name(suspect.key), within), ...told }] : [];
    }
    if (suspect.kind !== 'port') return [];
    const slot = last.where.slot;
    const subject = { kind: 'port' as const, key: suspect.key, ...(slot !== undefined && { slot }) };
    const port = sentence(portName(last.where));
    const many = phones.length > 1;
    const more = suspect.losses.length > phones.length ? `, ${suspect.losses.length} times in all` : '';
    return [
      {
        code: 'PORT_UNSTABLE',
        severity: 'major',
        subject,
        certainty: many ? 'likely' : 'possible',
        title: many
          ? `${port} lost ${phones.length} different phones ${within}${more}`
          : `${port} lost ${name(last.udid)} ${suspect.losses.length} times ${within}`,
        remedy: many
          ? `Replace the cable ${andNote(portName(last.where), 'new cable')}; if phones are lost there again, use another port of the hub`
          : `Replace the cable ${andNote(portName(last.where), 'new cable')}; if the phone is lost again, move it to another port to see which of them is to blame`,
        ...told,
      },
    ];
  });
}

/** A phone that is lost once more was not repaired, whatever somebody wrote: all its losses count again. */
const THEN_NOTE = '; a `hostnode note` about the repair ends this until the phone is lost again';

function phoneFinding({ key, losses }: Suspect, name: string, within: string) {
  if (losses.some(({ isEmulator }) => isEmulator))
    return emulatorFinding(key, `${name} was lost ${losses.length} times ${within}`);
  const ports = new Set(losses.flatMap(({ port }) => port ?? [])).size;
  const onNetwork = losses.some(({ port }) => port === undefined) ? ' and on the network' : '';
  const where = ports === 1 ? `at its port${onNetwork}` : `in ${ports} different ports${onNetwork}`;
  return {
    code: 'PHONE_UNSTABLE',
    severity: 'major',
    subject: { kind: 'phone', key },
    certainty: 'likely',
    title: `${name} was lost ${losses.length} times ${within}, ${where}`,
    remedy: `Clean the phone’s USB socket and try a new cable; if that does not help, have the phone repaired${THEN_NOTE}`,
  } as const;
}

function emulatorFinding(key: string, title: string) {
  return {
    code: 'PHONE_UNSTABLE',
    severity: 'major',
    subject: { kind: 'phone', key },
    certainty: 'likely',
    title,
    remedy: `Look in the log of the emulator why it ended, and whether this host has the memory for it${THEN_NOTE}`,
  } as const;
}

function linkFinding({ key, losses }: Suspect, name: string, within: string) {
  return {
    code: 'LINK_UNSTABLE',
    severity: 'major',
    subject: { kind: 'phone', key },
    certainty: 'likely',
    title: `${name} was lost from the network ${losses.length} times ${within}, more than the other phones there`,
    remedy:
      'Check the Wi-Fi signal at the phone, and that it does not switch Wi-Fi off while it sleeps; `hostnode note` about the repair starts the count anew',
  } as const;
}
