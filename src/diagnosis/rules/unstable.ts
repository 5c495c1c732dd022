/**
 * PHONE_UNSTABLE, PORT_UNSTABLE, LINK_UNSTABLE: losses again and again, of one phone in several ports, of one port, or of
 * one phone from the network. They end after ten days without such a loss, and with a note or a maintenance of the phone,
 * which counts as a repair.
 */
import { sentence } from '../../base/words.ts';
import type { UsbController } from '../../host/usb-devices.ts';
import { attributionOf } from '../losses/attribution.ts';
import { BY_PEOPLE, mayAllBeByPeople } from '../losses/by-people.ts';
import {
  areTooBrief,
  isByMode,
  isByReset,
  isDead,
  isInAnyPort,
  isOfPhone,
  isSurelyPhone,
  isWhenFull,
  type Loss,
  mannerOf,
  seenAtPort,
  shownBy,
  spanOf,
  timesIn,
} from '../losses/loss.ts';
import type { Offender } from '../losses/repeat-offenders.ts';
import {
  AFTER_CABLE,
  BY_MODE,
  BY_PROGRAM,
  ELSEWHERE,
  LOST_AGAIN,
  remedyAtPort,
  remedyFor,
  WHEN_FULL,
} from '../remedies.ts';
import { LOST, type Rule, type RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { andNote, inKernelWords, namesOf, portName } from '../words.ts';
import { isOverIp, usbView } from './usb-view.ts';

interface Known extends Offender {
  last: Loss;
  phone?: PhoneInput | undefined;
  shown: ReturnType<typeof shownBy>;
}

/** Without phones that are forgotten. */
function offenders(context: RuleContext, wanted: Offender['kind']): Known[] {
  const known = new Map(context.now.phones.map((phone) => [phone.udid, phone]));
  return attributionOf(context).offenders.flatMap((offender) => {
    const { kind, key, losses } = offender;
    const last = losses.at(-1);
    if (kind !== wanted || !last || (kind !== 'port' && !known.has(key))) return [];
    const { udids, ...shown } = shownBy(losses);
    const ofKnown = { ...shown, udids: udids.filter((udid) => known.has(udid)) };
    return [{ ...offender, last, phone: known.get(key), shown: ofKnown }];
  });
}

/** A phone that is lost once more was not repaired, whatever somebody wrote: all its losses count again. */
const THEN_NOTE = '; a `hostnode note` about the repair ends this until the phone is lost again';

const COUNT_ANEW = '; `hostnode note` about the repair starts the count anew';

export const phoneUnstable: Rule = {
  code: 'PHONE_UNSTABLE',
  severity: 'major',
  sign: 'unstable',
  plural: 'are unstable: lost again and again',
  explains: [...LOST, 'FLAPPING', 'OFFLINE_LONG'],
  tellsPast: true,
  evaluate: (context) =>
    offenders(context, 'phone').map(({ key, losses, phone, shown }) => ({
      subject: { kind: 'phone', key },
      certainty: isSurelyPhone(losses) ? 'likely' : 'possible',
      ...((losses.every(isByMode) ||
        (!isInAnyPort(losses) && mayAllBeByPeople(losses, attributionOf(context)))) &&
        BY_PEOPLE),
      title: `${namesOf(context.now)(key)} was lost ${timesIn(losses)}${mannerOf(losses)}`,
      remedy: `${remedyOf(losses, phone)}${THEN_NOTE}`,
      ...shown,
    })),
};

/** What most helps a phone that is lost so, wherever it is plugged in. */
function remedyOf(losses: readonly Loss[], { connection = 'usb' }: Partial<PhoneInput> = {}): string {
  if (connection !== 'usb') return LOST_AGAIN[connection];
  if (losses.every(isDead))
    return 'Check the battery and the temperature of the phone, and update its Android: it switches itself off or hangs; if it goes on, erase it, or replace its battery or the phone';
  if (losses.every(isWhenFull)) return WHEN_FULL;
  if (losses.every(isByMode)) return BY_MODE;
  if (losses.every(isByReset)) return BY_PROGRAM;
  if (losses.every((loss) => isOfPhone(loss) || loss.wasListed))
    return 'Restart the phone, and try another cable; if it hangs again, undo what was last installed on it, update it, or erase it';
  return 'Restart the phone, clean its USB socket and try a short new cable; update it, or undo what came last; turn off USB power saving on the host; then have it repaired, or replace it';
}

export const portUnstable: Rule = {
  code: 'PORT_UNSTABLE',
  severity: 'major',
  explains: [...LOST, 'FLAPPING', 'OFFLINE_LONG'],
  tellsPast: true,
  evaluate: (context) =>
    offenders(context, 'port').map(({ key, losses, last, shown }) => {
      const { slot } = last.where;
      const phones = shown.udids.length;
      const port = sentence(portName(last.where));
      const inAll = losses.length > phones ? `, ${losses.length} times in all` : '';
      const newCable = `Replace the cable ${andNote(portName(last.where), 'new cable')}`;
      const isOfMany = phones > 1;
      const wasListed = losses.every((loss) => loss.wasListed);
      const most = seenAtPort(losses);
      const seen = most && inKernelWords(...most);
      return {
        subject: { kind: 'port', key, ...(slot !== undefined && { slot }) },
        certainty: seen !== undefined ? 'certain' : isOfMany ? 'likely' : 'possible',
        ...(mayAllBeByPeople(losses, attributionOf(context)) && BY_PEOPLE),
        title: `${
          isOfMany
            ? `${port} lost ${phones} different phones in ${spanOf(losses)}${inAll}`
            : `${port} lost ${namesOf(context.now)(last.udid)} ${timesIn(losses)}${wasListed ? ', which adb called offline' : ''}`
        }${seen === undefined ? '' : `; the kernel: ${seen}`}`,
        remedy:
          (most && remedyAtPort[most[0]]?.(newCable)) ??
          (isAtVirtualController(last, context) && !areTooBrief(losses)
            ? `${attachByItself(' replace the cable;')}${COUNT_ANEW}`
            : undefined) ??
          (isOfMany
            ? `${newCable}; if phones are lost there again, ${ELSEWHERE}`
            : `${newCable}; ${wasListed ? ONLINE_AGAIN : AFTER_CABLE}`),
        ...shown,
      };
    }),
};

/** adb goes on listing it, as offline. */
const ONLINE_AGAIN =
  'run `adb reconnect` for it, revoke its authorizations, turn USB debugging off and on; use another port; undo its last update, and update adb';

/** To the machine it is another device each time that it restarts or changes its USB mode. */
export const attachByItself = (next = ''): string =>
  `Have the virtual machine attach its phones by itself, by port or vendor (WSL: \`usbipd attach --auto-attach\`), or give it a whole USB controller;${next} then restart the machine, then its host, which interrupts all phones`;

/** By PCI vendor: QEMU, VMware. */
const isVirtual = (controller: UsbController): boolean =>
  isOverIp(controller) || ['1b36', '15ad'].includes(controller.vendorId ?? '');

export const isAtVirtualController = ({ where: { usbPath = '' } }: Loss, context: RuleContext): boolean =>
  usbView(context)?.tree.controllers.some((each) => usbPath.startsWith(`${each.name}-`) && isVirtual(each)) ??
  false;

export const linkUnstable: Rule = {
  code: 'LINK_UNSTABLE',
  severity: 'major',
  sign: 'unstable network',
  plural: 'are lost from the network again and again',
  explains: [...LOST, 'FLAPPING', 'OFFLINE_LONG'],
  tellsPast: true,
  evaluate: (context) =>
    offenders(context, 'link').map(({ key, losses, shown }) => ({
      subject: { kind: 'phone', key },
      certainty: 'likely',
      ...(mayAllBeByPeople(losses, attributionOf(context)) && BY_PEOPLE),
      title: `${namesOf(context.now)(key)} was lost from the network ${timesIn(losses)}`,
      remedy: `${remedyFor.link}${COUNT_ANEW}`,
      ...shown,
    })),
};
