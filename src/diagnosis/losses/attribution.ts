/** Who is to blame for each loss of a phone in the last 30 days: phone, port, hub, network, adb, host, room or a person. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { quantity } from '../../base/words.ts';
import type { HistoryEvent } from '../../history/events/event.ts';
import { reasonInWords, rebootKind } from '../../history/events/reboot-reason.ts';
import { once } from '../context.ts';
import type { Certainty } from '../finding.ts';
import type { RuleContext } from '../rule.ts';
import { evidenceOf, hubName, inKernelWords, lasting, namesOf, oneLine, portName, times } from '../words.ts';
import { mayAllBeByPeople, mayBeByHand } from './by-people.ts';
import { type LossCauses, lossCausesOf } from './cause.ts';
import { between } from './clock-adjusted.ts';
import { dayOf, onScheduleOf, wallClock } from './daily-pattern.ts';
import {
  backAt,
  type Charge,
  hasLasted,
  hasStayed,
  isByReset,
  isSeenAtPort,
  isSurelyPhone,
  type Loss,
  type LossCause,
  type Medium,
  mannerOf,
  type PlaceLoss,
  ROUTINE_MS,
  runsOf,
  SNATCHED_MS,
  seenAtPort,
  spanOf,
  wasAway,
} from './loss.ts';
import { doFlap, FLAPS, type Offender, offendersOf } from './repeat-offenders.ts';

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

/** Why a phone was lost once. */
export interface Blame {
  party: Party;
  /** Which one: a udid, usbPath or hub; absent for the others. */
  key?: string;
  certainty: Certainty;
  /** One sentence without a full stop, for a person: `5 phones of hub 1-4 were lost within 2 s`. */
  because: string;
  /** `id` of each event that shows it. */
  evidence: number[];
}

export interface Attribution extends LossCauses {
  offenders: Offender[];
  onSchedule: ReadonlySet<PlaceLoss>;
  /** Those at a port, of a phone that flaps there. */
  flapping: ReadonlySet<Loss>;
  /** The whole network was away until its host was started anew: it may be the host that hangs (budtmo/docker-android#86). */
  wasNetworkUntilBoot: boolean;
}

export const attributionOf = once((context): Attribution => {
  const causes = lossCausesOf(context);
  const onSchedule = onScheduleOf(causes.placeLosses);
  return {
    ...causes,
    offenders: offendersOf(causes, context.now),
    onSchedule,
    flapping: flappingOf(causes),
    wasNetworkUntilBoot: wasNetworkUntilBoot(causes),
  };
});

const wasNetworkUntilBoot = ({ placeLosses, hostMarks }: LossCauses): boolean => {
  const boots = hostMarks.filter(({ isPowerCut }) => isPowerCut);
  const ofNetwork = placeLosses.filter(({ kind }) => kind === 'network');
  return ofNetwork.some((loss) => boots.some(({ at }) => loss.at < at && at <= (backAt(loss) ?? 0)));
};

function flappingOf({ losses }: LossCauses): Set<Loss> {
  const own = losses.filter(({ cause, medium }) => cause?.kind === 'own' && medium === 'usb');
  const byPlace = [...Map.groupBy(own, ({ udid, port }) => `${udid} ${port}`).values()];
  const runs = byPlace.flatMap((ofOne) => runsOf(ofOne, FLAPS.withinMs));
  return new Set(runs.filter(doFlap).flat());
}

/** Oldest first, by udid. */
const lossesByPhone = once((context) => Map.groupBy(attributionOf(context).losses, ({ udid }) => udid));

/** The newest loss of each phone, whether it lasts or not; by udid. */
export const lastLosses = once(
  (context) => new Map(attributionOf(context).losses.map((loss) => [loss.udid, loss])),
);

/** On so many days it was lost for at least half as long, and came back. */
const OFTEN_DAYS = 3;

/** A job leaves the phone so, or it sleeps, and is fetched again: what it has often done is no news. */
export function isOftenAwaySo(udid: string, context: RuleContext): boolean {
  const ofPhone = lossesByPhone(context).get(udid) ?? [];
  const now = ofPhone.at(-1);
  const asLong = ofPhone.filter((loss) => now && loss.back && wasAway(loss, (context.now.at - now.at) / 2));
  return new Set(asLong.map(({ at }) => dayOf(wallClock(at)))).size >= OFTEN_DAYS;
}

/** By the `id` of the event with which it began. */
export const lossesById = once(
  (context): ReadonlyMap<number, Loss> =>
    new Map(attributionOf(context).losses.map((loss) => [loss.id, loss])),
);

export interface LossBlame {
  /** Of the event with which the loss began. */
  id: number;
  at: number;
  udid: string;
  blame: Blame;
  /** What is known of the loss itself. */
  cause: LossCause['kind'];
  medium: Medium;
}

/**
 * Of an event with which a loss began, `detached` or `state` with a state such as `offline`; undefined of others. Each
 * offender is put into words once, at most: one may have many thousands of losses, of a phone that changes its name.
 */
export const blameIn = once((context): ((event: HistoryEvent) => LossBlame | undefined) => {
  const attribution = attributionOf(context);
  const { offenders } = attribution;
  const name = namesOf(context.now);
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
    return { id, at, udid, blame, cause: cause.kind, medium: loss.medium };
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

type Reason = Omit<Blame, 'evidence'>;

const sureAs =
  (certainty: Certainty) =>
  (party: Party, because: string, key?: string): Reason =>
    omitUndefined({ party, key, certainty, because });
const [certain, likely, possible] = [sureAs('certain'), sureAs('likely'), sureAs('possible')];
const unknown = (because: string): Reason => possible('unknown', because);

function blameOfOne(loss: Loss, cause: LossCause, causes: Attribution): Blame {
  const shownBy = [
    loss,
    ...shownAlsoBy(loss, cause),
    ...[loss.usb, loss.kernel].filter((each) => each !== undefined),
  ].map(({ id }) => id);
  return { ...partyOf(loss, cause, causes), evidence: evidenceOf(shownBy) };
}

function shownAlsoBy({ reboot, revival }: Loss, cause: LossCause): readonly { id: number }[] {
  if ('losses' in cause) return cause.losses;
  if ('mark' in cause) return [cause.mark];
  if (cause.kind === 'restarted' || cause.kind === 'dead') return [revival ?? reboot ?? []].flat();
  return 'repair' in cause && cause.repair ? [cause.repair] : [];
}

function partyOf(loss: Loss, cause: LossCause, causes: Attribution): Reason {
  const unlessByPeople = (place: PlaceLoss, because: string): Reason =>
    causes.onSchedule.has(place) && hasLasted(place, ROUTINE_MS)
      ? possible('person', `${because}, on a schedule`)
      : (mayBeByHand(place, causes) || staysAlone(loss, place) ? possible : likely)(
          place.kind,
          because,
          place.hub || undefined,
        );
  switch (cause.kind) {
    case 'onUsb':
      // what is back so soon may be the phone that restarted its adbd
      return (wasAway(loss, SNATCHED_MS) ? likely : possible)(
        'adb',
        'USB still showed the phone: adb lost it',
      );
    case 'hung': {
      const many = `${cause.phones} phones of several hubs went offline one after the other`;
      return possible('host', `${many}: adb, or the USB of this host`);
    }
    case 'mode':
      // who flashes a phone does not let it wait there: google/clusterfuzz#2984
      if (loss.usb?.isInBootloader && wasAway(loss, ROUTINE_MS))
        return possible('phone', 'it waits in its bootloader, as after a crash', loss.udid);
      // some phones switch it off themselves: flutter/flutter#104432, RikkaApps/Shizuku#515
      return possible(
        'person',
        loss.usb?.isOtherMode
          ? 'its USB mode or USB debugging was changed, by hand or by the phone itself'
          : 'adb root or adb unroot restarted its USB debugging',
      );
    case 'adb':
      return (isBackSoon(loss) ? likely : possible)('adb', 'the adb server had just restarted');
    case 'sleep':
      return (isBackSoon(loss) ? likely : possible)('host', 'the host had just woken up');
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
      if (!cause.repair && !loss.wasHandled)
        return possible('person', 'somebody had just plugged it in, or changed its USB mode');
      // who finds a phone lost writes a note, too
      return (loss.wasHandled || (cause.repair?.id ?? loss.id) < loss.id ? likely : possible)(
        'person',
        `somebody ${cause.repair ? 'wrote a note about it' : 'worked on it'} then`,
      );
    case 'restarted': {
      const { reboot } = loss;
      // who finds that it hangs restarts it, too
      if (cause.isAsked) return possible('person', 'the phone was restarted by a person or an update');
      if (rebootKind(reboot?.reason) !== 'crash') {
        const because =
          cause.isLoop === false
            ? 'it was lost again and again as it restarted'
            : 'the phone restarted and gives no reason';
        return possible('phone', because, loss.udid);
      }
      const reason = oneLine(reasonInWords(reboot?.reason ?? ''));
      return likely('phone', `the phone crashed and restarted: ${reason}`, loss.udid);
    }
    case 'hub': {
      const { hub, losses, had, isSeen } = cause;
      const [name, count] = [hubName(hub, losses), losses.length];
      const because = isSeen
        ? `${name} left USB, with ${quantity(count, 'phone')}`
        : `${count} of ${had} phones of ${name} ${wereLost(cause)}`;
      return unlessByPeople(cause, because);
    }
    case 'network':
      return (causes.wasNetworkUntilBoot || staysAlone(loss, cause) ? possible : likely)(
        'network',
        `${cause.losses.length} of ${cause.had} phones on the network ${wereLost(cause)}`,
      );
    case 'host':
    case 'room':
      if (cause.isSeen) return certain('host', 'its USB controller left, with all that was plugged in there');
      return unlessByPeople(cause, `${cause.losses.length} phones of several hubs ${wereLost(cause)}`);
    case 'daily':
      return possible(
        loss.medium === 'usb' ? 'person' : 'unknown',
        cause.isTimed
          ? 'it was away for as long as the other times, as when a program switches its port'
          : 'it was lost at about that time on other days, too',
      );
    case 'away': {
      // who finds a phone lost tries another port
      if (loss.back && loss.back.port !== loss.port)
        return possible('person', 'it came back at another port');
      const away = lasting((loss.back?.at ?? loss.at) - loss.at);
      // no more is known than the time of day
      if (loss.medium === 'usb') return unknown(`it was away for ${away}, at an hour when people are there`);
      return unknown(`it was ${loss.medium === 'network' ? 'off the network' : 'away'} for ${away}`);
    }
    case 'battery':
      return (loss.usb?.isOtherMode || loss.charge?.is === 'low' ? possible : likely)(
        'phone',
        `its battery was at ${loss.charge?.reads}${loss.charge && byBattery[loss.charge.is]}`,
        loss.udid,
      );
    case 'dead':
      // who finds a phone missing may restart it and seat its cable anew; one that starts from cold was off
      return (/^cold/i.test((loss.revival ?? loss.reboot)?.reason ?? '') ? likely : possible)(
        'phone',
        `it was off or did not answer until it was restarted ${lasting(loss.revival?.afterMs ?? (loss.back?.at ?? loss.at) - loss.at)} later`,
        loss.udid,
      );
    case 'gone':
      return unknown('it has not come back');
    case 'own': {
      const { usb, kernel, port } = loss;
      if (usb?.overCurrents) return certain('port', 'its USB port cut the power: over-current', port);
      if (isByReset(loss)) return possible('host', 'the kernel had just reset it, as programs do');
      if (kernel) return certain('port', `the kernel: ${inKernelWords(kernel.fault, kernel.count)}`, port);
      // as all phones of a hub that hangs do, one after the other
      if (hasStayed(loss))
        return possible('phone', 'it no longer answers adb, and USB still shows it', loss.udid);
      if (causes.flapping.has(loss))
        return possible('port', 'it was lost again and again within an hour, as with a bad cable', port);
      const when = cause.isUnattended ? 'was lost when nobody is there, and ' : '';
      return unknown(`it ${when}${manner(loss)}; this is too little to ${amongWhich[loss.medium]}`);
    }
  }
}

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

const wereLost = ({ losses }: PlaceLoss): string => `were lost within ${spanOf(losses)}`;

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

function blameOfOffender(offender: Offender, name: (udid: string) => string, causes: LossCauses): Blame {
  const reason = partyOfOffender(offender, name);
  const certainty = mayAllBeByPeople(offender.losses, causes) ? 'possible' : reason.certainty;
  return { ...reason, certainty, evidence: evidenceOf(offender.losses.map(({ id }) => id)) };
}

function partyOfOffender({ kind, key, losses }: Offender, name: (udid: string) => string): Reason {
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
      const most = losses.some(isSeenAtPort) ? seenAtPort(losses) : undefined;
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
