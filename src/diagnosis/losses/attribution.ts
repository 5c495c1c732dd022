/** Why each phone was lost in the last 30 days, and who loses again and again. */
import { dayOf } from '../../base/calendar.ts';
import { once } from '../context.ts';
import type { RuleContext } from '../rule.ts';
import { type LossCauses, lossCausesOf } from './cause.ts';
import { onScheduleOf } from './daily-pattern.ts';
import { backAt, type Loss, type PlaceLoss, wasAway } from './loss.ts';
import { type Offender, offendersOf } from './repeat-offenders.ts';

export interface Attribution extends LossCauses {
  offenders: Offender[];
  onSchedule: ReadonlySet<PlaceLoss>;
  /** The whole network was away until its host was started anew: it may be the host that hangs (budtmo/docker-android#86). */
  wasNetworkUntilBoot: boolean;
  /** Phones of the network that left it again and again, for nothing that others share; by udid. */
  oftenOff: ReadonlySet<string>;
}

export const attributionOf = once((context): Attribution => {
  const causes = lossCausesOf(context);
  const onSchedule = onScheduleOf(causes.placeLosses);
  return {
    ...causes,
    offenders: offendersOf(causes, context.now),
    onSchedule,
    wasNetworkUntilBoot: wasNetworkUntilBoot(causes),
    oftenOff: oftenOffOf(causes),
  };
});

const wasNetworkUntilBoot = ({ placeLosses, hostMarks }: LossCauses): boolean => {
  const boots = hostMarks.filter(({ isPowerCut }) => isPowerCut);
  const ofNetwork = placeLosses.filter(({ kind }) => kind === 'network');
  return ofNetwork.some((loss) => boots.some(({ at }) => loss.at < at && at <= (backAt(loss) ?? 0)));
};

/** So often it leaves the network alone before that is laid to its own connection. */
const LEAST_OFF = 3;

const isOffAlone = ({ medium, cause }: Loss): boolean =>
  medium === 'network' &&
  (cause?.kind === 'own' || cause?.kind === 'away' || cause?.kind === 'daily') &&
  !cause.isOfJob;

function oftenOffOf({ losses }: LossCauses): Set<string> {
  // what comes at one time of day, and never else, is a plan
  const isOften = (own: readonly Loss[]) =>
    own.length >= LEAST_OFF && own.some(({ cause }) => cause?.kind !== 'daily');
  const byPhone = Map.groupBy(losses.filter(isOffAlone), ({ udid }) => udid);
  return new Set([...byPhone].flatMap(([udid, own]) => (isOften(own) ? udid : [])));
}

/** Oldest first, by udid. */
export const lossesByPhone = once((context) =>
  Map.groupBy(attributionOf(context).losses, ({ udid }) => udid),
);

/** The newest loss of each phone, whether it lasts or not; by udid. */
export const lastLosses = once(
  (context) => new Map(attributionOf(context).losses.map((loss) => [loss.udid, loss])),
);

/** On so many days it was lost for at least half as long, to the same mode of USB, and came back. */
const OFTEN_DAYS = 3;

/** A job leaves the phone so, or it sleeps, and is fetched again: what it has often done is no news. */
export function isOftenAwaySo(udid: string, context: RuleContext): boolean {
  const ofPhone = lossesByPhone(context).get(udid) ?? [];
  const last = ofPhone.at(-1);
  if (!last) return false;
  const leastMs = (context.now.at - last.at) / 2;
  const isSo = (loss: Loss) => loss.usb?.isOtherMode === last.usb?.isOtherMode && wasAway(loss, leastMs);
  const asLong = ofPhone.filter((loss) => loss.back && isSo(loss));
  return new Set(asLong.map(({ at }) => dayOf(at))).size >= OFTEN_DAYS;
}

/** By the `id` of the event with which it began. */
export const lossesById = once(
  (context): ReadonlyMap<number, Loss> =>
    new Map(attributionOf(context).losses.map((loss) => [loss.id, loss])),
);
