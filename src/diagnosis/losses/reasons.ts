/** Why a phone was lost once, in words, and who did it: the phone, its port, its hub, the network, adb, the host, the room or a person. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { quantity } from '../../base/words.ts';
import { reasonInWords, rebootKind } from '../../history/events/reboot-reason.ts';
import type { Certainty } from '../finding.ts';
import { hubName, inKernelWords, lasting, oneLine, spanOf } from '../words.ts';
import type { Attribution } from './attribution.ts';
import { mayBeByHand } from './by-people.ts';
import { between } from './clock-adjusted.ts';
import {
  type Charge,
  hasLasted,
  type Loss,
  type LossCause,
  type Medium,
  type PlaceLoss,
  ROUTINE_MS,
  SNATCHED_MS,
  wasAway,
} from './loss.ts';
import { hasStayed, isByReset, wasHandled } from './signs.ts';

/** Who lost a phone. `person`: somebody unplugged it, or works on it. `link`: its own connection to the network. */
export type Party =
  | 'phone'
  | 'port'
  | 'link'
  | 'hub'
  | 'network'
  | 'adb'
  | 'host'
  | 'room'
  | 'person'
  | 'unknown';

/** Why a phone was lost, in words. */
export interface Reason {
  party: Party;
  /** Which one: a udid, usbPath or hub; absent for the others. */
  key?: string;
  certainty: Certainty;
  /** One sentence without a full stop, for a person: `5 phones of hub 1-4 were lost within 2 s`. */
  because: string;
}

const sureAs =
  (certainty: Certainty) =>
  (party: Party, because: string, key?: string): Reason =>
    omitUndefined({ party, key, certainty, because });
export const [certain, likely, possible] = [sureAs('certain'), sureAs('likely'), sureAs('possible')];
const unknown = (because: string): Reason => possible('unknown', because);

const likelyIf = (is: boolean) => (is ? likely : possible);

export function reasonOf(loss: Loss, cause: LossCause, attribution: Attribution): Reason {
  switch (cause.kind) {
    case 'onUsb':
      // what is back so soon may be the phone that restarted its adbd
      return likelyIf(wasAway(loss, SNATCHED_MS))('adb', 'USB still showed the phone: adb lost it');
    case 'mode':
      return ofMode(loss);
    case 'adb':
      return likelyIf(isBackSoon(loss))('adb', 'the adb server had just restarted');
    case 'sleep':
      return likelyIf(isBackSoon(loss))('host', 'the host had just woken up');
    case 'pause':
      return unknown('it was lost while hostnode stood still');
    case 'start':
      return cause.mark.isPowerCut
        ? possible(
            'room',
            'it was not back after the host had restarted without a shutdown, as in a power cut',
          )
        : unknown('it was lost while hostnode was starting or not running');
    case 'handled':
      return ofHandled(loss, cause.repair);
    case 'restarted':
      return ofRestart(loss, cause);
    case 'hub':
    case 'network':
    case 'host':
    case 'room':
      return ofPlace(loss, cause, attribution);
    case 'daily':
      return ofTimeOfDay(loss, attribution);
    case 'away':
      return ofAbsence(loss, attribution);
    case 'battery':
      return ofBattery(loss);
    case 'dead':
      return ofDead(loss);
    case 'gone':
      return unlessOften(loss, attribution, 'it has not come back');
    case 'own':
      return ofOwn(loss, attribution, cause.isUnattended);
  }
}

function ofMode(loss: Loss): Reason {
  const { usb, udid } = loss;
  // who flashes a phone does not let it wait there: google/clusterfuzz#2984
  if (usb?.isInBootloader && wasAway(loss, ROUTINE_MS))
    return possible(
      'phone',
      'it does not boot: it waits in its bootloader, or in the download mode of its chip, as after a crash',
      udid,
    );
  if (!usb?.isOtherMode) return possible('person', 'adb root or adb unroot restarted its USB debugging');
  // some phones switch it off themselves: flutter/flutter#104432, RikkaApps/Shizuku#515
  return possible('person', 'its USB mode or USB debugging was changed, by hand or by the phone itself');
}

function ofHandled(loss: Loss, repair: { id: number } | undefined): Reason {
  if (!repair && !wasHandled(loss))
    return possible('person', 'somebody had just plugged it in, or changed its USB mode');
  const what = repair ? 'wrote a note about it' : 'worked on it';
  // who finds a phone lost writes a note, too
  return likelyIf(wasHandled(loss) || (repair?.id ?? loss.id) < loss.id)('person', `somebody ${what} then`);
}

function ofRestart({ reboot, udid }: Loss, cause: Extract<LossCause, { kind: 'restarted' }>): Reason {
  // who finds that it hangs restarts it, too
  if (cause.isAsked) return possible('person', 'the phone was restarted by a person or an update');
  if (rebootKind(reboot?.reason) === 'crash') {
    const reason = oneLine(reasonInWords(reboot?.reason ?? ''));
    return likely('phone', `the phone crashed and restarted: ${reason}`, udid);
  }
  if (cause.isLoop === false) return possible('phone', 'it was lost again and again as it restarted', udid);
  return possible('phone', 'the phone restarted and gives no reason', udid);
}

function ofPlace(loss: Loss, place: PlaceLoss, attribution: Attribution): Reason {
  const { kind, hub, isSeen } = place;
  const because = leftTogether(place);
  if (kind === 'network')
    return likelyIf(!attribution.wasNetworkUntilBoot && !staysAlone(loss, place))(kind, because);
  if (kind !== 'hub' && isSeen) return certain('host', because);
  if (attribution.onSchedule.has(place) && hasLasted(place, ROUTINE_MS))
    return possible('person', `${because}, on a schedule`);
  const isSure = !mayBeByHand(place, attribution) && !staysAlone(loss, place);
  return likelyIf(isSure)(kind, because, hub || undefined);
}

function leftTogether({ kind, hub, losses, had, isSeen }: PlaceLoss): string {
  const count = losses.length;
  const within = `were lost within ${spanOf(losses)}`;
  if (kind === 'network') return `${count} of ${had} phones on the network ${within}`;
  if (kind !== 'hub')
    return isSeen
      ? 'its USB controller left, with all that was plugged in there'
      : `${count} phones of several hubs ${within}`;
  const name = hubName(hub, losses);
  return isSeen
    ? `${name} left USB, with ${quantity(count, 'phone')}`
    : `${count} of ${had} phones of ${name} ${within}`;
}

function ofAbsence(loss: Loss, attribution: Attribution): Reason {
  const { at, back, port, medium } = loss;
  // who finds a phone lost tries another port
  if (back && back.port !== port) return possible('person', 'it came back at another port');
  const away = lasting((back?.at ?? at) - at);
  // no more is known than the time of day
  if (medium === 'usb') return unknown(`it was away for ${away}, at an hour when people are there`);
  if (medium === 'emulator') return unknown(`it was away for ${away}`);
  return unlessOften(loss, attribution, `it was off the network for ${away}`);
}

function ofTimeOfDay(loss: Loss, attribution: Attribution): Reason {
  const because = 'it was lost at about that time on other days, too';
  return loss.medium === 'usb' ? possible('person', because) : unlessOften(loss, attribution, because);
}

function ofBattery({ charge, usb, udid }: Loss): Reason {
  const because = `its battery was at ${charge?.reads}${charge && byBattery[charge.is]}`;
  return likelyIf(!usb?.isOtherMode && charge?.is !== 'low')('phone', because, udid);
}

function ofDead({ at, back, reboot, revival, udid }: Loss): Reason {
  const later = lasting(revival?.afterMs ?? (back?.at ?? at) - at);
  // who finds a phone missing may restart it and seat its cable anew; one that starts from cold was off
  const isCold = /^cold/i.test((revival ?? reboot)?.reason ?? '');
  return likelyIf(isCold)(
    'phone',
    `it was off or did not answer until it was restarted ${later} later`,
    udid,
  );
}

function ofOwn(loss: Loss, attribution: Attribution, isUnattended?: boolean): Reason {
  const { usb, kernel, port, udid } = loss;
  if (usb?.overCurrents) return certain('port', 'its USB port cut the power: over-current', port);
  if (isByReset(loss)) return possible('host', 'the kernel had just reset it, as programs do');
  if (kernel) return certain('port', `the kernel: ${inKernelWords(kernel.fault, kernel.count)}`, port);
  // as all phones of a hub that hangs do, one after the other
  if (hasStayed(loss)) return possible('phone', 'it no longer answers adb, and USB still shows it', udid);
  const when = isUnattended ? 'was lost when nobody is there, and ' : '';
  const tooLittle = `; this is too little to ${amongWhich[loss.medium]}`;
  return unlessOften(loss, attribution, `it ${when}${manner(loss)}`, tooLittle);
}

/** Nobody knows, but what leaves the network again and again, alone: it may sleep, or leave its Wi-Fi for another. */
const unlessOften = (
  { medium, udid }: Loss,
  { oftenOff }: Attribution,
  because: string,
  tooLittle = '',
): Reason =>
  medium === 'network' && oftenOff.has(udid)
    ? possible('link', `${because}; it leaves the network again and again`, udid)
    : unknown(`${because}${tooLittle}`);

const byBattery: Readonly<Record<Charge['is'], string>> = {
  empty: ': it ran empty',
  low: ', and fell',
  hot: ': it switched itself off',
  full: '',
};

/** What most others came back from has another cause by now. */
const staysAlone = (loss: Loss, { losses }: PlaceLoss): boolean =>
  loss.back === undefined && losses.filter(({ back }) => back).length * 2 > losses.length;

/** A server that starts lists its phones within a minute; what stays away for longer has another cause, or was hit by the same. */
const isBackSoon = (loss: Loss): boolean =>
  loss.back !== undefined && (between(loss, loss.back) ?? Number.POSITIVE_INFINITY) <= 60_000;

const amongWhich: Readonly<Record<Medium, string>> = {
  usb: 'tell the phone from its cable or port',
  network: 'tell the phone from its network',
  emulator: 'blame the emulator',
};

function manner(loss: Loss): string {
  const isOnUsb = loss.medium === 'usb';
  if (loss.wasListed) return isOnUsb ? 'went offline at its port' : 'went offline';
  if (!loss.back) return 'has not come back';
  const away = between(loss, loss.back);
  const back = isOnUsb ? 'came back at the same port' : 'came back by itself';
  return away === undefined ? back : `${back} after ${lasting(away)}`;
}
