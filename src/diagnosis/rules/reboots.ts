/** Phones that restart though nobody asked them to, or that do not finish booting. */
import { DAY_MS, MINUTE_MS } from '../../base/calendar.ts';
import { areDense, byTime } from '../../base/moments.ts';
import { type RebootKind, reasonInWords, rebootKind } from '../../history/events/reboot-reason.ts';
import { eachPhone, type FindOfPhone, once } from '../context.ts';
import { attributionOf } from '../losses/attribution.ts';
import { BREAK_MS } from '../losses/charge.ts';
import { listedSince } from '../losses/clock-adjusted.ts';
import { isAtOneTimeOfDay } from '../losses/daily-pattern.ts';
import { emulatorsIn } from '../losses/loss.ts';
import { OUT_OF_LOOP, STOP_RESTARTS, UNSTUCK, unlessEmulator } from '../remedies.ts';
import { LOST, type Rule, type RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { lasting, oneLine, shownBy, times, timesIn, timesOrAgo } from '../words.ts';
import { coolDown, HOT_CELSIUS } from './battery.ts';

const WEEK_MS = 7 * DAY_MS;
/** So many within half an hour; twice as many where jobs restart the phones so often in a week. */
const LOOP = { least: 4, withinMs: 30 * MINUTE_MS };
/**
 * A phone without a reason may have been restarted by its user: not so often a week, nor with nobody there. Of one that was off
 * or hung until somebody started it the loss is told first.
 */
const UNKNOWN = { withRevivals: 6, own: 4, weak: 3 };
/** A worn battery cannot give what a phone takes, from so little charge on, percent: franciscofranco/kenzo#2, fakemanoan/LineageOS-Releases#137. */
const WEAK_PERCENT = 35;
/** The first boot after an update takes up to a quarter of an hour. */
const BOOT_MS = 20 * MINUTE_MS;

interface Reboot {
  id: number;
  udid: string;
  at: number;
  kind: RebootKind;
  reason: string;
  /** It ended a loss: the phone was off, or hung. */
  isRevival: boolean;
}

export const bootLoop: Rule = {
  code: 'BOOT_LOOP',
  severity: 'major',
  sign: 'boot loop',
  plural: 'restart again and again',
  explains: [...LOST, 'UNEXPLAINED_REBOOT', 'FLAPPING'],
  tellsPast: true,
  evaluate: eachPhone((phone, context) => loopOf(phone, context) || stuck(phone, context)),
};

export const unexplainedReboot: Rule = {
  code: 'UNEXPLAINED_REBOOT',
  severity: 'minor',
  sign: 'restarted by itself',
  plural: 'restarted by themselves',
  evaluate: eachPhone((phone, context) =>
    loopOf(phone, context) || stuck(phone, context) ? undefined : unexplained(phone, context),
  ),
};

const loopOf: FindOfPhone = (phone, context) => {
  const now = context.now.at;
  const recent = restartsOf(phone, 2 * LOOP.withinMs, context);
  const least = usual(phone, context) >= LOOP.least ? 2 * LOOP.least : LOOP.least;
  const last = recent.at(-1);
  if (!last || now - last.at > LOOP.withinMs || !areDense(recent, { ...LOOP, least })) return undefined;
  return {
    ...shownBy(recent),
    is: `restarted ${timesIn(recent)}`,
    remedy: unlessEmulator(phone.connection, OUT_OF_LOOP),
  };
};

/** It does not finish booting since adb last listed it anew, or called it something else. */
const stuck: FindOfPhone = ({ udid, bootCompleted, state, connection }, context) => {
  if (bootCompleted !== false || state !== 'device') return undefined;
  const began = listedSince(context).get(udid);
  if (!began || context.now.at - began.at < BOOT_MS) return undefined;
  return {
    certainty: 'likely',
    is: `has not finished booting for ${lasting(context.now.at - began.at)}`,
    remedy: unlessEmulator(connection, UNSTUCK),
    since: began.at,
    evidence: [began.id],
  };
};

const unexplained: FindOfPhone = (phone, context) => {
  const recent = restartsOf(phone, WEEK_MS, context);
  const crashes = recent.filter(({ kind }) => kind === 'crash');
  const isCrash = crashes.length > 0;
  const counted = isCrash ? crashes : recent;
  const last = counted.at(-1);
  const manner = isCrash ? undefined : mannerOf(phone.udid, recent.slice(-UNKNOWN.withRevivals), context);
  if (!last || !(isCrash || manner || isTooOften(phone, recent, context))) return undefined;
  const often = timesOrAgo(counted, context.now.at);
  return {
    ...shownBy(counted),
    certainty: isCrash ? 'certain' : 'possible',
    is: isCrash
      ? `crashed and restarted ${often}: ${reasonInWords(last.reason)}`
      : `restarted ${often} and gives no reason${manner?.is ?? ''}`,
    remedy: unlessEmulator(phone.connection, manner?.remedy ?? STOP_RESTARTS),
  };
};

const CALIBRATE =
  'Keep it charged, and see whether its back bulges: then replace its battery at once; else calibrate it: run it empty, then charge it to full; if it restarts again with little charge, replace the battery, or the phone';
/** What its battery read before many of them. */
function mannerOf(udid: string, reboots: readonly Reboot[], { samplesOf }: RuleContext) {
  const read = reboots.map(({ at }) => samplesOf(udid, at - BREAK_MS, { until: at }).at(-1));
  const weak = read.filter((each) => (each?.levelPercent ?? 100) <= WEAK_PERCENT).length;
  const hot = read.filter((each) => (each?.temperatureDecicelsius ?? 0) >= HOT_CELSIUS * 10).length;
  if (hot >= UNKNOWN.weak) return { is: `; ${times(hot)} at 45 °C or more`, remedy: coolDown(0) };
  if (weak < UNKNOWN.weak) return undefined;
  return { is: `; ${times(weak)} at 35 % of its charge or less`, remedy: CALIBRATE };
}

function isTooOften(phone: PhoneInput, all: readonly Reboot[], context: RuleContext): boolean {
  // whoever switches phones on comes at about that time
  if (isAtOneTimeOfDay(all.map(({ at }) => at))) return false;
  const own = all.filter(({ isRevival }) => !isRevival);
  const more = 2 * usual(phone, context);
  return all.length >= UNKNOWN.withRevivals + more || own.length >= UNKNOWN.own + more;
}

/** Fewer phones may have one fault, such as the same build. */
const LEAST_PHONES = 4;

/**
 * Half of the phones that are connected as this one, or of all where those are few, restart at least so often a week: what jobs
 * do to all of them is no fault of one.
 */
const usual = ({ connection }: PhoneInput, context: RuleContext): number =>
  usuals(context).get(connection) ?? 0;

const usuals = once((context) => {
  const { phones } = context.now;
  return new Map(
    [...Map.groupBy(phones, ({ connection }) => connection)].map(([connection, those]) => {
      const alike = those.length >= LEAST_PHONES ? those : phones;
      const counts = alike
        .map((phone) => restartsOf(phone, WEEK_MS, context).length)
        .sort((one, other) => one - other);
      return [connection, (counts.length >= LEAST_PHONES && counts[Math.floor(counts.length / 2) - 1]) || 0];
    }),
  );
});

/** Those within this time that nobody asked for, oldest first. */
const restartsOf = ({ udid }: PhoneInput, withinMs: number, context: RuleContext): Reboot[] =>
  (unasked(context).get(udid) ?? []).filter(({ at }) => context.now.at - at <= withinMs);

/** The restarts that nobody asked for, as far as the phones say; by udid, oldest first. */
const unasked = once((context): ReadonlyMap<string, Reboot[]> => {
  const { losses, restarts } = attributionOf(context);
  const revivals = new Set(losses.map(({ revival }) => revival?.id));
  const updates = new Set(losses.map(({ isUpdated, reboot }) => (isUpdated ? reboot?.id : undefined)));
  const told = restarts
    .filter(({ id }) => !updates.has(id))
    .map(({ id, udid, at, reason = '' }) => {
      const isRevival = revivals.has(id);
      return { id, udid, at, kind: rebootKind(reason), reason: oneLine(reason), isRevival };
    });
  // of those of a boot loop the phone does not tell each
  const untold = losses
    .filter(({ cause, reboot }) => cause?.kind === 'restarted' && cause.isLoop && !reboot)
    .map(({ id, at, udid }) => ({ udid, id, at, kind: 'unknown' as const, reason: '', isRevival: false }));
  // programs start and reset what has no button
  const emulators = emulatorsIn(context.now);
  const all = [...told, ...untold].filter(
    ({ kind, udid }) => kind === 'crash' || (kind === 'unknown' && !emulators.has(udid)),
  );
  return Map.groupBy(all.sort(byTime), ({ udid }) => udid);
});
