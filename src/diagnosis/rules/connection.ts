/** How phones and adb come and go: FLAPPING, OFFLINE_LONG, SILENT_LONG, UNAUTHORIZED_AFTER_UPDATE, ADB_RESTARTING, ADB_LOSES_PHONES. */
import { isPassing } from '../../adb/adb.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import { areDense, runsOf, spaced } from '../../base/moments.ts';
import { quantity } from '../../base/words.ts';
import { IN_RECOVERY, NO_ANSWER, OFFLINE, PROMPT } from '../../report/message.ts';
import { eachPhone, type FindOfPhone } from '../context.ts';
import { attributionOf, isOftenAwaySo, lastLosses, lossesByPhone } from '../losses/attribution.ts';
import { BY_PEOPLE, mayAllBeByPeople } from '../losses/by-people.ts';
import { between, listedSince } from '../losses/clock-adjusted.ts';
import { SNATCHED_MS } from '../losses/loss.ts';
import { CALM_MS, FLAPS } from '../losses/repeat-offenders.ts';
import { flashStates, hasStayed, isByReset } from '../losses/signs.ts';
import { BY_PROGRAM, KEY_OF_BEFORE, LOST_AGAIN, remedyFor } from '../remedies.ts';
import { LOST, type Rule } from '../rule.ts';
import { lasting, shownBy, timesIn } from '../words.ts';
import { MANY } from './present.ts';

/** Who looks for a bad cable plugs it some times more than who sets up a phone. */
const FLAPS_BY_PEOPLE = { ...FLAPS, least: 7 };

/** A phone was lost five times within an hour, for no cause that it shares. Ends an hour after its last loss. */
export const flapping: Rule = {
  code: 'FLAPPING',
  severity: 'major',
  sign: 'flapping',
  plural: 'are lost again and again',
  explains: [...LOST],
  tellsPast: true,
  evaluate: eachPhone(({ udid, connection }, context) => {
    const { at } = context.now;
    const losses = lossesByPhone(context).get(udid) ?? [];
    const own = losses.filter(({ cause }) => cause?.kind === 'own' || cause?.kind === 'onUsb');
    const run = runsOf(own, HOUR_MS).at(-1) ?? [];
    const last = run.at(-1);
    const isByPeople = mayAllBeByPeople(run, attributionOf(context));
    if (!last || at - last.at > HOUR_MS) return undefined;
    if (!areDense(run, isByPeople ? FLAPS_BY_PEOPLE : FLAPS)) return undefined;
    return {
      is: `was lost ${timesIn(run)}`,
      remedy: isByReset(last) ? BY_PROGRAM : hasStayed(last) ? STAYED : LOST_AGAIN[connection],
      ...shownBy(run),
      ...(isByPeople && BY_PEOPLE),
    };
  }),
};

const STAYED =
  'USB still shows the phone: look for another program that uses adb (hostnode doctor), then restart the phone, and try another cable';

/** adb lists a phone as offline, or does not get through to it. Ends when it has another state, or is unplugged. */
export const offlineLong: Rule = {
  code: 'OFFLINE_LONG',
  severity: 'major',
  sign: 'offline',
  plural: 'have been offline for long',
  explains: ['state', 'silent'],
  /** Who restarts a phone or its debugging needs minutes; after half an hour nobody is at it. */
  settleMs: 30 * MINUTE_MS,
  evaluate: eachPhone(({ udid, attached, state, connection }, context) => {
    const { now } = context;
    if (!now.isAdbListed || !attached || !isPassing(state)) return undefined;
    const known = listedSince(context).get(udid);
    const begin = known?.state === state ? known : undefined;
    const since = begin?.at ?? context.events[0]?.at;
    if (since === undefined || isOftenAwaySo(udid, context)) return undefined;
    return {
      sign: state,
      is: `has been ${state} for ${begin ? '' : 'more than '}${lasting(now.at - since)}`,
      remedy: flashStates.has(lastLosses(context).get(udid)?.before ?? '')
        ? IN_RECOVERY
        : (state === 'authorizing' ? PROMPT : OFFLINE)[connection],
      since,
      evidence: begin ? [begin.id] : [],
    };
  }),
};

/** adb calls a phone `device`, and it has not answered for half an hour. Ends when it answers. */
export const silentLong: Rule = {
  code: 'SILENT_LONG',
  severity: 'major',
  sign: 'no answer',
  plural: 'have not answered for long',
  explains: ['state', 'silent'],
  settleMs: 30 * MINUTE_MS,
  evaluate: eachPhone(({ attached, state, isSilent, silentSince, connection }, { now }) => {
    if (!attached || state !== 'device' || !isSilent || silentSince === undefined) return undefined;
    return {
      is: `has not answered for ${lasting(now.at - silentSince)}`,
      remedy: NO_ANSWER[connection],
      since: silentSince,
    };
  }),
};

/** An update takes no longer. */
const UPDATE_MS = 120 * MINUTE_MS;

/** A phone that was `device` is unauthorized: since adb was started anew, or since an absence as long as a restart or an update. */
export const unauthorizedAfterUpdate: Rule = {
  code: 'UNAUTHORIZED_AFTER_UPDATE',
  severity: 'major',
  sign: 'unauthorized',
  plural: 'are unauthorized since a restart or an update',
  explains: ['unauthorized'],
  /** Whoever updates phones allows them within some minutes. */
  settleMs: 10 * MINUTE_MS,
  evaluate: eachPhone(
    (phone, context) =>
      phone.state === 'unauthorized' && (sinceAdb(phone, context) || sinceUpdate(phone, context)),
  ),
};

/** The phone does not know the key that adb has now, which lists its phones within a minute. Where all are, they are told together. */
const sinceAdb: FindOfPhone = ({ udid }, context) => {
  const begin = listedSince(context).get(udid);
  const attached = context.now.phones.filter((phone) => phone.attached);
  const isAll = attached.length >= MANY && attached.every(({ state }) => state === 'unauthorized');
  const mark =
    begin &&
    attributionOf(context).hostMarks.findLast(
      ({ kind, at }) => kind === 'adb' && begin.at >= at && begin.at - at <= MINUTE_MS,
    );
  if (!mark || isAll) return undefined;
  return {
    certainty: 'likely',
    is: 'is unauthorized since adb was started anew: adb may have another key',
    remedy: KEY_OF_BEFORE,
    since: begin.at,
    evidence: [mark.id, begin.id],
  };
};

const sinceUpdate: FindOfPhone = ({ udid, connection }, context) => {
  const loss = lastLosses(context).get(udid);
  if (loss?.before !== 'device' || loss.back?.state !== 'unauthorized') return undefined;
  if (['adb', 'start', 'handled'].includes(loss.cause?.kind ?? '')) return undefined;
  const away = between(loss, loss.back);
  if (away === undefined || away > UPDATE_MS) return undefined;
  return {
    certainty: 'possible',
    is: `came back unauthorized after ${lasting(away)}, as from a restart or an update`,
    remedy: PROMPT[connection],
    since: loss.back.at,
    evidence: [loss.id, loss.back.id],
  };
};

/** A server that is replaced is lost, back and another one: one restart. One that crashes at each start does so again soon. */
const ONE_RESTART_MS = 30_000;
/** What does not answer for longer hangs. */
const HANGS_MS = 60_000;
/** In a day, or in a week: each night once, and an engineer who restarts it three times, are no fault. */
const LEAST_RESTARTS = { ofDay: 5, ofWeek: 12 };

/** One is an update of adb; two versions that take turns are two programs. As often it hangs by no chance. */
const TURNS = { least: 3, withinMs: 7 * DAY_MS };

/** So many restarts of the adb server, or two versions that take turns, or it hangs; ends when fewer lie within that time. */
export const adbRestarting: Rule = {
  code: 'ADB_RESTARTING',
  severity: 'major',
  evaluate: (context) => {
    const ageOf = ({ at }: { at: number }) => context.now.at - at;
    const marks = attributionOf(context).hostMarks.filter(({ kind }) => kind === 'adb');
    const ofWeek = marks.filter((mark) => ageOf(mark) <= TURNS.withinMs);
    const versions = ofWeek.flatMap(({ version }) => version ?? []);
    const turns = versions.filter((version, index) => version !== (versions[index - 1] ?? version)).length;
    const isOfWeek = turns >= TURNS.least || spaced(ofWeek, ONE_RESTART_MS).length >= LEAST_RESTARTS.ofWeek;
    const recent = isOfWeek ? ofWeek : ofWeek.filter((mark) => ageOf(mark) <= DAY_MS);
    const restarts = spaced(recent, ONE_RESTART_MS);
    const hangs = ofWeek.filter(
      (mark, index) => mark.isSilent && (ofWeek[index + 1]?.at ?? context.now.at) - mark.at > HANGS_MS,
    );
    const isHanging = !isOfWeek && restarts.length < LEAST_RESTARTS.ofDay;
    const shown = isHanging ? hangs : restarts;
    const [first] = shown;
    if (!first || (isHanging && hangs.length < TURNS.least)) return undefined;
    const named = [...new Set(versions)].sort((one, other) => one - other).join(' and ');
    return {
      subject: { kind: 'host' },
      title: `The adb server ${isHanging ? 'did not answer for a minute or longer' : 'restarted'} ${timesIn(shown)}${turns < TURNS.least ? '' : `: versions ${named} take turns`}`,
      remedy: `${remedyFor.adb}; if adb hangs or ends by itself, allow it more open files (\`ulimit -n\`), spread emulators over servers with their own ports, or install another version`,
      since: first.at,
      evidence: (isHanging ? hangs : recent).map(({ id }) => id),
    };
  },
};

/** A script that connects phones of the network anew takes less, ms. */
const FORGOTTEN_MS = 5 * MINUTE_MS;
/** Losses so soon after each other are one. */
const ONE_LOSS_MS = 2 * MINUTE_MS;
const LEAST_LOSSES = 5;

/**
 * adb lost phones that USB went on showing, or started anew and was not told of those on the network, five times within ten
 * days: ends ten days after the last one, or with a note on the host.
 */
export const adbLosesPhones: Rule = {
  code: 'ADB_LOSES_PHONES',
  severity: 'major',
  explains: ['unplugged', 'FLAPPING'],
  tellsPast: true,
  evaluate: (context) => {
    const { losses, repairs } = attributionOf(context);
    const noted = repairs.get('host') ?? -1;
    const recent = losses.filter(({ id, at, back, cause, medium }) => {
      if (id <= noted || context.now.at - at > CALM_MS) return false;
      const awayMs = (back?.at ?? context.now.at) - at;
      return cause?.kind === 'onUsb'
        ? awayMs >= SNATCHED_MS
        : cause?.kind === 'adb' && medium === 'network' && awayMs >= FORGOTTEN_MS;
    });
    if (spaced(recent, ONE_LOSS_MS).length < LEAST_LOSSES) return undefined;
    const shown = shownBy(recent);
    const isOnUsb = recent.some(hasStayed);
    const how = isOnUsb ? 'while USB still showed them' : 'when the adb server started anew';
    const then = isOnUsb ? 'restart the adb server, which interrupts all phones' : 'connect the phones again';
    return {
      ...shown,
      subject: { kind: 'host' },
      certainty: 'likely',
      title: `adb lost ${quantity(shown.udids.length, 'phone')} ${timesIn(recent)}, ${how}`,
      remedy: `${remedyFor.adb}, or install another version; then ${then}`,
      command: 'hostnode doctor',
    };
  },
};
