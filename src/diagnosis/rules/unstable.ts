/**
 * PHONE_UNSTABLE, PORT_UNSTABLE, LINK_UNSTABLE: losses again and again, of one phone in several ports, of one port, or of
 * one phone from the network. They end after ten days without such a loss, and with a note or a maintenance of the phone,
 * which counts as a repair.
 */
import { sentence } from '../../base/words.ts';
import { nameOf } from '../context.ts';
import { attributionOf } from '../losses/attribution.ts';
import { BY_PEOPLE, mayAllBeByPeople } from '../losses/by-people.ts';
import type { Loss } from '../losses/loss.ts';
import type { Offender } from '../losses/repeat-offenders.ts';
import { isByMode, isInManyPorts, isSurelyPhone, mannerOf, seenAtPort } from '../losses/signs.ts';
import { COUNT_ANEW, remedyFor, remedyOfPhone, remedyOfPort } from '../remedies.ts';
import { type Found, LOST, type Rule, type RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { andNote, inKernelWords, portName, shownBy, spanOf, timesIn } from '../words.ts';
import { isAtVirtualController } from './usb-view.ts';

interface Known extends Offender {
  last: Loss;
  phone?: PhoneInput | undefined;
  /** Those that are not forgotten. */
  udids: string[];
}

/** A rule about all offenders of one kind, except phones that are forgotten. */
const unstableRule = (
  kind: Offender['kind'],
  literal: Pick<Rule, 'code' | 'sign' | 'plural'>,
  find: (offender: Known, context: RuleContext) => Pick<Found, 'certainty' | 'title' | 'remedy'>,
): Rule => ({
  severity: 'major',
  explains: [...LOST, 'FLAPPING', 'OFFLINE_LONG'],
  tellsPast: true,
  ...literal,
  evaluate(context) {
    const phones = new Map(context.now.phones.map((phone) => [phone.udid, phone]));
    const attribution = attributionOf(context);
    return attribution.offenders.flatMap((offender): Found | [] => {
      const { key, losses } = offender;
      const [last, phone] = [losses.at(-1), phones.get(key)];
      if (offender.kind !== kind || !last || (kind !== 'port' && !phone)) return [];
      const shown = shownBy(losses);
      const udids = shown.udids.filter((udid) => phones.has(udid));
      const { slot } = last.where;
      const isByPeople =
        losses.every(isByMode) || (!isInManyPorts(losses) && mayAllBeByPeople(losses, attribution));
      return {
        ...shown,
        udids,
        subject:
          kind === 'port' ? { kind, key, ...(slot !== undefined && { slot }) } : { kind: 'phone', key },
        ...find({ ...offender, last, phone, udids }, context),
        ...(isByPeople && BY_PEOPLE),
      };
    });
  },
});

/** A phone that is lost once more was not repaired, whatever somebody wrote: all its losses count again. */
const THEN_NOTE = '; a `hostnode note` about the repair ends this until the phone is lost again';

export const phoneUnstable = unstableRule(
  'phone',
  { code: 'PHONE_UNSTABLE', sign: 'unstable', plural: 'are unstable: lost again and again' },
  ({ key, losses, phone }, context) => ({
    certainty: isSurelyPhone(losses) ? 'likely' : 'possible',
    title: `${nameOf(context)(key)} was lost ${timesIn(losses)}${mannerOf(losses)}`,
    remedy: `${remedyOfPhone(losses, phone?.connection)}${THEN_NOTE}`,
  }),
);

export const portUnstable = unstableRule('port', { code: 'PORT_UNSTABLE' }, (offender, context) => {
  const { losses, last, udids } = offender;
  const port = portName(last.where);
  const phones = udids.length;
  const isOfMany = phones > 1;
  const inAll = losses.length > phones ? `, ${losses.length} times in all` : '';
  const wasListed = losses.every((loss) => loss.wasListed);
  const most = seenAtPort(losses);
  const seen = most ? `; the kernel: ${inKernelWords(...most)}` : '';
  const lost = isOfMany
    ? `${phones} different phones in ${spanOf(losses)}${inAll}`
    : `${nameOf(context)(last.udid)} ${timesIn(losses)}${wasListed ? ', which adb called offline' : ''}`;
  const newCable = `Replace the cable ${andNote(port, 'new cable')}`;
  return {
    certainty: most ? 'certain' : isOfMany ? 'likely' : 'possible',
    title: `${sentence(port)} lost ${lost}${seen}`,
    remedy: remedyOfPort(offender, newCable, isAtVirtualController(last, context)),
  };
});

export const linkUnstable = unstableRule(
  'link',
  {
    code: 'LINK_UNSTABLE',
    sign: 'unstable network',
    plural: 'are lost from the network again and again',
  },
  ({ key, losses }, context) => ({
    certainty: 'likely',
    title: `${nameOf(context)(key)} was lost from the network ${timesIn(losses)}`,
    remedy: `${remedyFor.link}${COUNT_ANEW}`,
  }),
);
