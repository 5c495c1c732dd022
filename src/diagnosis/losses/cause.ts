/** Why each phone was lost: by the loss itself, by those of the same moment, then by what is known of other days. */
import { byTime, runsOf } from '../../base/moments.ts';
import { isAskedFor, rebootKind } from '../../history/events/reboot-reason.ts';
import { controllerOf, hubsAbove, isWithin } from '../../history/events/where.ts';
import type { RuleContext } from '../rule.ts';
import { explainJobs, explainRest } from './by-itself.ts';
import { readCharges } from './charge.ts';
import {
  areTooBrief,
  type Loss,
  type LossCause,
  type Losses,
  type LossGroup,
  NETWORK,
  type PlaceLoss,
  type UsbWitness,
} from './loss.ts';
import { lossesOf } from './losses.ts';
import { type Presence, presenceIn } from './presence.ts';
import { flashStates, hasStayed, wasHandled } from './signs.ts';

export interface LossCauses extends Omit<Losses, 'groups'>, Presence {
  /** Oldest first. */
  placeLosses: PlaceLoss[];
}

/** No restart takes longer, ms. */
const RESTART_MS = 30 * 60_000;
/** This part of the phones of a hub, or of the network, that go at once is no chance. */
export const PLACE_PART = 0.6;
/** So many of one hub at once are no chance, however many it has. */
const HUB_PHONES = 4;
/** This part of a controller's phones is the controller. */
const CONTROLLER_PART = 0.9;
/** Fewer of the network may be chance. */
const NETWORK_PHONES = 3;

export function lossCausesOf(context: RuleContext): LossCauses {
  const { groups, ...all } = lossesOf(context);
  const placeLosses: PlaceLoss[] = [];
  const blame = (place: PlaceLoss | undefined): void => {
    if (!place) return;
    for (const loss of place.losses) loss.cause = place;
    placeLosses.push(place);
  };
  for (const loss of all.losses) loss.cause = causeOfOne(loss);
  for (const ofOne of Map.groupBy(all.losses, ({ udid }) => udid).values()) explainLoops(ofOne);
  explainJobs(all.losses, context);
  for (const { losses, had } of groups) {
    const left = losses.filter((loss) => !loss.cause && !hasStayed(loss));
    blame(seenToLeave(left, had) ?? placeLossOf(left, { losses, had }));
  }
  for (const loss of all.losses) if (!loss.cause) blame(seenToLeave([loss]));
  placeLosses.sort(byTime);
  readCharges(all.losses, context);
  const presence = presenceIn({ ...all, placeLosses }, context);
  explainRest(context, all.losses, presence);
  return { ...all, ...presence, placeLosses };
}

/** `adb root` restarts adbd, which takes seconds; at times adb calls the phone offline from then on. */
const isByRoot = (loss: Loss): boolean =>
  (loss.root !== undefined && areTooBrief([loss])) || (loss.root === 'changed' && loss.wasListed);

/** Who works on a phone in its recovery leads it elsewhere; what comes back there by itself fell out of it, or restarted. */
const isBackThere = ({ before, back, wasInMaintenance }: Loss): boolean =>
  !wasInMaintenance && flashStates.has(before) && back?.state === before;

function causeOfOne(loss: Loss): LossCause | undefined {
  const { mark, repair, usb, wasListed } = loss;
  if (wasHandled(loss) && !isBackThere(loss)) return { kind: 'handled' };
  // a host that wakes up resets its USB; who stood still sees at one moment what went at several
  const isLate = mark?.kind === 'sleep' || mark?.kind === 'pause';
  if (mark && (usb === undefined || isLate || hasStayed(loss))) return { kind: mark.kind, mark };
  if (hasStayed(loss)) return wasListed ? undefined : { kind: 'onUsb' };
  if (usb && isAbove(usb)) return undefined;
  if ((loss.reboot && !hadStopped(loss)) || (flashStates.has(loss.back?.state ?? '') && !isBackThere(loss)))
    return { kind: 'restarted', isAsked: isAsked(loss) };
  if (usb?.isOtherMode || isByRoot(loss)) return { kind: 'mode' };
  return repair && { kind: 'handled', repair };
}

const isAbove = ({ gone }: UsbWitness): boolean => gone === 'hub' || gone === 'controller';

/**
 * The one hub, or the controller, that USB showed to leave, with those of these losses that were below it. Undefined where
 * several hubs left: what they have in common is counted.
 */
function seenToLeave(losses: readonly Loss[], had: LossGroup['had'] = new Map()): PlaceLoss | undefined {
  const above = losses.filter(({ usb }) => usb && isAbove(usb));
  const hubs = above.flatMap(({ usb }) => usb?.hub ?? []);
  const controller = above.find(({ usb }) => usb?.gone === 'controller')?.port;
  const hub = hubs.find((each) => hubs.every((other) => isWithin(other, each)));
  if (controller === undefined && hub === undefined) return undefined;
  const below = losses.filter(({ port = '', where }) =>
    controller === undefined
      ? hubsAbove(where).some((each) => each === hub)
      : controllerOf(port) === controllerOf(controller),
  );
  const at = below[0]?.at ?? 0;
  const place = { losses: below, at, isSeen: true } as const;
  if (hub === undefined || controller !== undefined)
    return { ...place, kind: 'host', hub: '', had: below.length };
  return { ...place, kind: 'hub', hub, had: Math.max(had.get(hub) ?? 0, below.length) };
}

/** It restarted, and was not listed for longer than any start takes; on the network somebody has to turn adb on again. */
const hadStopped = (loss: Loss): boolean =>
  !isCrash(loss) &&
  !(loss.medium === 'network' ? isAsked(loss) : loss.isUpdated) &&
  loss.back !== undefined &&
  loss.back.at - loss.at > RESTART_MS;

const isAsked = ({ isUpdated = false, reboot }: Loss): boolean => isUpdated || isAskedFor(reboot?.reason);

/**
 * Losses that follow each other so soon, some with a restart that nobody asked for, are a boot loop: mostly it is there too
 * briefly to say so. `surely`: after so many restarts the others count as such, and no person leads a phone to its recovery so
 * often.
 */
const LOOP = { losses: 3, gapMs: 5 * 60_000, surely: 4 };
const isCrash = ({ reboot }: Loss): boolean => rebootKind(reboot?.reason) === 'crash';
const isUnasked = ({ cause, before, wasInMaintenance, mark }: Loss): boolean =>
  cause?.kind === 'restarted' ? !cause.isAsked : !wasInMaintenance && !mark && flashStates.has(before);

function explainLoops(ofOne: readonly Loss[]): void {
  for (const run of runsOf(ofOne, LOOP.gapMs)) {
    const restarts = run.filter(isUnasked);
    const isLoop = restarts.length >= LOOP.surely;
    if (run.length < LOOP.losses || !(isLoop || restarts.some(({ reboot }) => reboot))) continue;
    for (const each of run.filter((one) => !one.cause || (isLoop && isUnasked(one))))
      each.cause = { kind: 'restarted', isAsked: false, isLoop };
  }
}

/**
 * The one place that phones have in common when they went at once.
 *
 * @param left those of the group that nothing else explains
 */
function placeLossOf(left: readonly Loss[], { losses, had }: LossGroup): PlaceLoss | undefined {
  const [first, second] = left;
  const lost = (kind: PlaceLoss['kind'], hub = ''): PlaceLoss => {
    return {
      kind,
      hub,
      losses: [...left],
      at: left[0]?.at ?? 0,
      had: had.get(hub || NETWORK) ?? left.length,
    };
  };
  if (!first || !second || first.medium === 'emulator') return undefined;
  if (first.medium === 'network') {
    const network = lost('network');
    return left.length >= Math.max(NETWORK_PHONES, network.had * PLACE_PART) ? network : undefined;
  }
  const isTheHub = (some: readonly Loss[], hub = hubAbove(some)): hub is string =>
    hub !== undefined && some.length >= Math.max(2, Math.min(HUB_PHONES, (had.get(hub) ?? 0) * PLACE_PART));
  const shared = hubAbove(left);
  if (isTheHub(left, shared)) return lost('hub', shared);
  const controller = controllerOf(first.port ?? '');
  const isItsOwn = ({ port = '' }: Loss) => controllerOf(port) === controller;
  const isMostOfIt = losses.filter(isItsOwn).length >= (had.get(controller) ?? 0) * CONTROLLER_PART;
  if (isMostOfIt && left.every(isItsOwn)) return lost('host');
  const byTopHub = Map.groupBy(left, ({ where }) => hubsAbove(where).at(-1));
  return [...byTopHub.values()].filter((some) => isTheHub(some)).length < 2 ? undefined : lost('room');
}

/** The deepest hub above all of them. */
function hubAbove([first, ...others]: readonly Loss[]): string | undefined {
  return hubsAbove(first?.where ?? {}).find((hub) =>
    others.every(({ where }) => hubsAbove(where).some((each) => isWithin(each, hub))),
  );
}
