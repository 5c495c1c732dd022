/** Who is to blame for each loss of a phone in the last 30 days, in words: as that loss shows it, or those like it. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { HistoryEvent } from '../../history/events/event.ts';
import type { KernelFault } from '../../host/kernel-line.ts';
import { nameOf, once } from '../context.ts';
import type { RuleContext } from '../rule.ts';
import { evidenceOf, hubName, inKernelWords, portName, times } from '../words.ts';
import { type Attribution, attributionOf, lossesById } from './attribution.ts';
import { mayAllBeByPeople } from './by-people.ts';
import type { Loss, LossCause, Medium } from './loss.ts';
import { certain, likely, possible, type Reason, reasonOf } from './reasons.ts';
import type { Offender } from './repeat-offenders.ts';
import { isByReset, isSurelyPhone, isWhenFull, mannerOf, seenAtPort } from './signs.ts';

/** Who is to blame for a loss, or for several that have one cause, and what shows it. */
export interface Blame extends Reason {
  /** `id` of each event that shows it. */
  evidence: number[];
}

export interface LossBlame {
  /** Of the event with which the loss began. */
  id: number;
  at: number;
  udid: string;
  blame: Blame;
  /** What is known of the loss itself. */
  cause: LossCause['kind'];
  medium: Medium;
  sign?: LossSign;
}

/** What it showed beside its cause, where that leads to another remedy. `root`: `adb root` restarted its adbd. */
type LossSign = KernelFault | 'full' | 'mode' | 'root' | 'unattended';

export function signOf(loss: Loss): LossSign | undefined {
  const { cause, usb } = loss;
  if (cause?.kind === 'mode' && !usb?.isInBootloader) return usb?.isOtherMode ? 'mode' : 'root';
  if (cause?.kind !== 'own') return undefined;
  if (isWhenFull(loss)) return 'full';
  if (isByReset(loss)) return 'reset';
  return seenAtPort([loss])?.[0] ?? (cause.isUnattended ? 'unattended' : undefined);
}

/**
 * Of an event with which a loss began, `detached` or `state` with a state such as `offline`; undefined of others. Each
 * offender is put into words once, at most: one may have many thousands of losses, of a phone that changes its name.
 */
export const blameIn = once((context): ((event: HistoryEvent) => LossBlame | undefined) => {
  const attribution = attributionOf(context);
  const { offenders } = attribution;
  const name = nameOf(context);
  const lossOf = lossesById(context);
  const offenderOf = new Map<Loss, Offender>();
  for (const offender of offenders.toReversed())
    for (const loss of offender.losses) offenderOf.set(loss, offender);
  const ofPhones = new Map(offenders.flatMap((each) => (each.kind === 'phone' ? [[each.key, each]] : [])));
  const inWords = new Map<Offender, Blame>();
  return ({ id, at }) => {
    const loss = lossOf.get(id);
    if (loss === undefined) return undefined;
    const { udid, cause = { kind: 'own' } } = loss;
    // what went again and again has gone again, most likely
    const isLasting = loss.back === undefined && (cause.kind === 'gone' || cause.kind === 'own');
    const offender = offenderOf.get(loss) ?? (isLasting ? ofPhones.get(udid) : undefined);
    const blame = offender
      ? (inWords.get(offender) ?? blameOfOffender(offender, name, attribution))
      : blameOfOne(loss, cause, attribution);
    if (offender) inWords.set(offender, blame);
    return omitUndefined({ id, at, udid, blame, cause: cause.kind, medium: loss.medium, sign: signOf(loss) });
  };
});

/**
 * Of the newest loss of each phone at each place: it is also the newest one of its phone, its port, its hub or its slot.
 *
 * @returns undefined if there are more than `most`
 */
export function newestBlamesOf(context: RuleContext, most: number): LossBlame[] | undefined {
  const blameOf = blameIn(context);
  const newest = new Map<string, LossBlame>();
  for (const event of context.events.toReversed()) {
    const key = `${event.udid} ${event.where?.usbPath} ${event.where?.slot}`;
    const blame = newest.has(key) ? undefined : blameOf(event);
    if (blame !== undefined) newest.set(key, blame);
    if (newest.size > most) return undefined;
  }
  return [...newest.values()];
}

function blameOfOne(loss: Loss, cause: LossCause, attribution: Attribution): Blame {
  const shownBy = [loss, loss.usb, loss.kernel, ...shownAlsoBy(loss, cause)];
  const evidence = evidenceOf(shownBy.flatMap((each) => each?.id ?? []));
  return { ...reasonOf(loss, cause, attribution), evidence };
}

function shownAlsoBy({ reboot, revival }: Loss, cause: LossCause): readonly { id: number }[] {
  if ('losses' in cause) return cause.losses;
  if ('mark' in cause) return [cause.mark];
  if (cause.kind === 'restarted' || cause.kind === 'dead') return [revival ?? reboot ?? []].flat();
  return 'repair' in cause && cause.repair ? [cause.repair] : [];
}

function blameOfOffender(
  offender: Offender,
  name: (udid: string) => string,
  attribution: Attribution,
): Blame {
  const reason = reasonOfOffender(offender, name);
  const certainty = mayAllBeByPeople(offender.losses, attribution) ? 'possible' : reason.certainty;
  return { ...reason, certainty, evidence: evidenceOf(offender.losses.map(({ id }) => id)) };
}

function reasonOfOffender({ kind, key, losses }: Offender, name: (udid: string) => string): Reason {
  const phones = new Set(losses.map(({ udid }) => udid)).size;
  switch (kind) {
    case 'phone': {
      const because = `${name(key)} was lost ${times(losses.length)}${mannerOf(losses)}`;
      if (losses.every(isByReset)) return possible('host', `${because}, as programs do`);
      return (isSurelyPhone(losses) ? likely : possible)('phone', because, key);
    }
    case 'link':
      return likely('link', `${name(key)} is lost from the network again and again`, key);
    case 'hub': {
      const ports = new Set(losses.map(({ port }) => port)).size;
      const because = `${hubName(key, losses)} lost ${phones} phones one by one, at ${ports} ports`;
      return likely('hub', because, key);
    }
    case 'network':
      return likely('network', `${phones} phones on the network are lost again and again`);
    case 'port': {
      const port = portName(losses.at(-1)?.where ?? {});
      const most = seenAtPort(losses);
      if (most)
        return certain(
          'port',
          `${port} lost the phone ${times(losses.length)}; the kernel: ${inKernelWords(...most)}`,
          key,
        );
      if (phones > 1) return likely('port', `${port} lost ${phones} different phones`, key);
      const because = `${port} lost the phone ${times(losses.length)}, and the phone was lost at no other port`;
      return possible('port', because, key);
    }
  }
}
