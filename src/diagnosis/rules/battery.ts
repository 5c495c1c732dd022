/** What harms a phone's battery, and what it has lost. */
import { DAY_MS, duration, HOUR_MS, MINUTE_MS } from '../../base/calendar.ts';
import { FINE_MS, type HistorySample, OLD_SAMPLE_MS, SAMPLE_MS } from '../../history/events/event.ts';
import { eachPhone, type FindOfPhone, nameOf } from '../context.ts';
import { lastLosses } from '../losses/attribution.ts';
import { BREAK_MS, LOW_PERCENT } from '../losses/charge.ts';
import { CHARGE } from '../remedies.ts';
import { type Found, LOST, type Rule, type RuleContext } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';

/** At this temperature a battery ages fast and may swell, °C: makers limit charging to 45. */
export const HOT_CELSIUS = 45;
/** At this one it may catch fire, °C: cells are specified up to it, also while they are not charged. */
const DANGEROUS_CELSIUS = 60;
/**
 * At this one, °C, a cell that is kept full loses about 35 % of what it holds within a year, at 25 °C 20 %, and half full
 * 15 and 4. Source: Battery University, BU-808, table 3.
 */
const AGING_CELSIUS = 40;
/**
 * Below this much of a new battery, percent, a battery is worn. Source: Regulation (EU) 2023/1670 asks for 80 % after 800
 * cycles.
 */
const WORN_PERCENT = 80;

/** How far back a heat is followed, ms. */
const FOLLOWED_MS = 2 * DAY_MS;
/** A charger that is swapped, or a test that ends, is no finding: shorter heat is a present problem only, ms. */
const HOT_FOR_MS = 10 * MINUTE_MS;
/** A battery at the limit is now above, now below it: it has cooled down below this, tenths of °C. */
export const COOLED_DECICELSIUS = HOT_CELSIUS * 10 - 10;

/** Hours full and so warm that are too many within so many days. */
const TOO_LONG_HOURS = 72;
const LONGEST_DAYS = 30;
/** Looked at every third day, each time at another hour: full, but for one time in so many. */
const KEPT_FULL = { percent: 99, everyDays: 3, everyHours: 7, forOther: 18 };
/** As warm on average. At 30.9 °C one swelled: zebrunner/mcloud-device#150. */
const WARM_CELSIUS = 30;
/** Full for these days, however cool: after two years many swell (openstf/stf#426). */
const LONG_DAYS = 56;

const isDangerous = (decicelsius: number): boolean => decicelsius >= DANGEROUS_CELSIUS * 10;

export const coolDown = (decicelsius: number): string =>
  isDangerous(decicelsius)
    ? 'Unplug the phone and take it out of the rack at once: its battery may catch fire'
    : 'Let the phone cool down: stop its tests, unplug it, and check whether its back bulges; restart it if it stays hot, and charge it at a weaker port or charger';

export const batteryHot: Rule = {
  code: 'BATTERY_HOT',
  severity: 'critical',
  sign: 'hot',
  plural: 'are hot',
  explains: ['hot', 'battery too hot', 'BATTERY_FULL_AND_HOT', 'unplugged'],
  settleMs: HOT_FOR_MS,
  evaluate: eachPhone(({ udid, attached, battery }, context) => {
    const { now, samplesOf } = context;
    if (!attached) return switchedOff(udid, 'hot', context);
    const decicelsius = battery?.temperatureDecicelsius ?? Number.NEGATIVE_INFINITY;
    if (decicelsius < COOLED_DECICELSIUS) return undefined;
    const run = hotRun(samplesOf(udid, now.at - FOLLOWED_MS), now.at);
    const hottest = Math.max(
      decicelsius,
      ...run.map(({ temperatureDecicelsius = 0 }) => temperatureDecicelsius),
    );
    if (hottest < HOT_CELSIUS * 10) return undefined;
    const since = run[0]?.at ?? now.at;
    return {
      title: (name) =>
        now.at - since < HOT_FOR_MS || isDangerous(decicelsius)
          ? `The battery of ${name} is at ${Math.round(decicelsius / 10)} °C`
          : `The battery of ${name} has been at about ${HOT_CELSIUS} °C or more for ${duration(now.at - since)}`,
      remedy: coolDown(decicelsius),
      since,
      settleMs: isDangerous(decicelsius) ? 0 : HOT_FOR_MS,
    };
  }),
};

/** The last readings without one that had cooled down, and without a break; oldest first. */
function hotRun(samples: readonly HistorySample[], now: number): readonly HistorySample[] {
  const last = samples.findLastIndex(
    ({ at, temperatureDecicelsius = Number.NEGATIVE_INFINITY }, index) =>
      temperatureDecicelsius < COOLED_DECICELSIUS || (samples[index + 1]?.at ?? now) - at > BREAK_MS,
  );
  return samples.slice(last + 1);
}

export const batteryFullAndHot: Rule = {
  code: 'BATTERY_FULL_AND_HOT',
  severity: 'minor',
  sign: 'full and hot',
  plural: 'have been full for too long',
  explains: ['hot', 'battery too hot'],
  evaluate: (context) => {
    const alone = fullAndHot(context);
    const told = new Set(alone.map(({ subject }) => 'key' in subject && subject.key));
    const others = context.now.phones.filter(({ udid }) => !told.has(udid));
    return [...alone, alwaysFull(others, context)];
  },
};

const fullAndHot = eachPhone(({ udid, battery }, { now, samplesOf }) => {
  if (battery?.isPresent === false) return undefined;
  const suffered = samplesOf(udid, now.at - LONGEST_DAYS * DAY_MS, {
    isFull: true,
    leastDecicelsius: AGING_CELSIUS * 10,
  });
  const hours = suffered.reduce((total, { at }) => total + hoursOf(now.at - at), 0);
  if (hours < TOO_LONG_HOURS) return undefined;
  return {
    title: (name) =>
      `The battery of ${name} was full and at ${AGING_CELSIUS} °C or more for ${Math.round(hours)} hours of the last ${LONGEST_DAYS} days`,
    remedy:
      'See whether its back bulges: then take it out at once, and replace its battery; limit its charge to 80 % in its settings, or switch the power of its port or charger off for some hours a day; cool its bay: a battery that is full and hot ages fast and may swell',
    since: suffered[0]?.at ?? now.at,
  };
});

/** All of them in one: of a host whose phones are seldom used it is most of them. @param phones those that are not told alone */
function alwaysFull(phones: readonly PhoneInput[], context: RuleContext): Found | undefined {
  const { now } = context;
  const full = phones.filter(
    (phone) => isWarm(whenFull(phone, context, LONGEST_DAYS)) || isLongFull(phone, context),
  );
  const [first] = full;
  if (!first) return undefined;
  const isOne = full.length === 1;
  const of = isOne
    ? `battery of ${nameOf(context)(first.udid)} was`
    : `batteries of ${full.length} phones were`;
  return {
    sign: 'always full',
    subject: isOne ? { kind: 'phone', key: first.udid } : { kind: 'host' },
    title: `The ${of} full all the time, for weeks`,
    remedy:
      'See whether its back bulges: then take it out at once, and replace its battery, or run it without one if it can; limit its charge to 80 % in its settings, or switch the power of its port or charger off for some hours a day: a battery that is kept full ages and may swell',
    since: now.at - LONGEST_DAYS * DAY_MS,
    udids: full.map(({ udid }) => udid),
  };
}

/** What has one temperature all the time has no battery, as an emulator. */
const isOfBattery = (looks: readonly number[]): boolean => new Set(looks).size > 1;

function isLongFull(phone: PhoneInput, context: RuleContext): boolean {
  const begin = context.now.at - LONG_DAYS * DAY_MS;
  if (context.samplesOf(phone.udid, begin - DAY_MS, { until: begin }).length === 0) return false;
  return isOfBattery(whenFull(phone, context, LONG_DAYS));
}

const isWarm = (looks: readonly number[]): boolean =>
  isOfBattery(looks) && looks.reduce((sum, each) => sum + each, 0) >= looks.length * WARM_CELSIUS * 10;

/** How warm it was, tenths of °C; none of a battery that is not always full. Reads little: phones in use are found so within some days. */
function whenFull(
  { udid, battery }: PhoneInput,
  { now, samplesOf }: RuleContext,
  days: number,
): readonly number[] {
  const { percent, everyDays, everyHours, forOther } = KEPT_FULL;
  if ((battery?.levelPercent ?? 0) < percent) return [];
  const most = days / everyDays;
  const full: number[] = [];
  let others = 0;
  for (let look = 1; look <= most && others * forOther <= most; look += 1) {
    const until = now.at - look * everyDays * DAY_MS + ((look * everyHours) % 24) * HOUR_MS;
    const { levelPercent = -1, temperatureDecicelsius } =
      samplesOf(udid, until - BREAK_MS, { until })[0] ?? {};
    if (levelPercent < 0 || temperatureDecicelsius === undefined) continue;
    if (levelPercent < percent) others += 1;
    else full.push(temperatureDecicelsius);
  }
  return full.length * 3 >= most * 2 && others * forOther <= most ? full : [];
}

/** How many hours one sample of this age stands for. */
const hoursOf = (age: number): number => (age < FINE_MS ? SAMPLE_MS : OLD_SAMPLE_MS) / HOUR_MS;

/** Readings of so long show whether a battery is charged, ms: of half as much where some are missing. */
const CHARGING_MS = 2 * HOUR_MS;

export const batteryDraining: Rule = {
  code: 'BATTERY_DRAINING',
  severity: 'minor',
  sign: 'battery empty',
  plural: 'have low or empty batteries',
  explains: [...LOST, 'EXPECTED_MISSING', 'OFFLINE_LONG'],
  evaluate: eachPhone((phone, context) =>
    phone.attached && phone.state === 'device'
      ? drains(phone, context) || onlyFell(phone, context) || fillsNoMore(phone, context)
      : switchedOff(phone.udid, 'empty', context),
  ),
};

/** Whoever limits the charge of a phone does so at 80 % or more; a phone in tests is full on one of two nights. */
const NOT_FULL = { percent: 75, days: 2, lookHours: 3 };

/** It was full within the last weeks, and is no more, although it was plugged in for days. Of most phones nothing is read. */
const fillsNoMore: FindOfPhone = ({ udid, connection, battery }, { now, samplesOf }) => {
  const { percent, days, lookHours } = NOT_FULL;
  const begin = now.at - days * DAY_MS;
  const { levelPercent = 100 } = battery ?? {};
  if (connection !== 'usb' || levelPercent > percent) return undefined;
  for (let until = now.at; until >= begin; until -= lookHours * HOUR_MS)
    if ((samplesOf(udid, until - BREAK_MS, { until }).at(-1)?.levelPercent ?? 100) > percent)
      return undefined;
  const highest = Math.max(...samplesOf(udid, begin).map(({ levelPercent = 0 }) => levelPercent));
  const wasFull = samplesOf(udid, now.at - LONGEST_DAYS * DAY_MS, { until: begin, isFull: true }).length > 0;
  if (highest > percent || !wasFull) return undefined;
  return {
    sign: 'charges little',
    certainty: 'possible',
    title: (name) =>
      `The battery of ${name} has not been above ${Math.round(highest)} % for ${days} days, though the phone is plugged in`,
    remedy: CHARGE,
    since: begin,
  };
};

/** Its battery switched it off: an empty one, or a hot one, of which nobody sees whether it cools. */
function switchedOff(udid: string, by: 'empty' | 'hot', context: RuleContext): ReturnType<FindOfPhone> {
  const loss = lastLosses(context).get(udid);
  if (loss?.cause?.kind !== 'battery' || loss.charge?.is !== by || loss.back) return undefined;
  const { reads } = loss.charge;
  return {
    severity: 'major',
    certainty: loss.usb?.isOtherMode ? 'possible' : 'likely',
    ...(by === 'hot'
      ? { sign: 'off, was hot', is: `was lost with its battery at ${reads}`, remedy: coolDown(0) }
      : { is: `ran empty: its battery was at ${reads} when it was lost`, remedy: CHARGE }),
    since: loss.at,
    settleMs: 0,
    evidence: [loss.id],
  };
}

/** Half empty and so much less than before, percent: what it is given is less than what it uses. */
const LOSING = { percent: 50, lost: 10 };

const drains: FindOfPhone = ({ udid, connection, battery }, { now, samplesOf }) => {
  const { levelPercent = 100, status } = battery ?? {};
  if (levelPercent > LOSING.percent) return undefined;
  const [first] = samplesOf(udid, now.at - CHARGING_MS).filter((each) => each.levelPercent !== undefined);
  const then = first?.levelPercent;
  if (!first || then === undefined || now.at - first.at < CHARGING_MS / 2) return undefined;
  const isCharging = status === 'CHARGING';
  const level = `${Math.round(levelPercent)} %`;
  const found = { certainty: 'likely', remedy: CHARGE, since: first.at } as const;
  if (isCharging && then - levelPercent >= LOSING.lost)
    return {
      ...found,
      sign: 'charges little',
      title: (name) =>
        `The battery of ${name} fell from ${Math.round(then)} to ${level}, though it is charged`,
    };
  const gains = levelPercent > then || (levelPercent === then && isCharging);
  if (connection !== 'usb' || levelPercent > LOW_PERCENT || gains) return undefined;
  return {
    ...found,
    title: (name) =>
      `The battery of ${name} is at ${level} and is not charged, though the phone is plugged in`,
  };
};

/** In each half of a day it fell by so much, percent, and never rose; gauges do so by one now and then. */
const FELL = { percent: 10, gauge: 1 };

/** It is plugged in, and is not charged: long before it is empty. */
const onlyFell: FindOfPhone = ({ udid, connection, battery }, { now, samplesOf }) => {
  const { levelPercent = 100 } = battery ?? {};
  if (connection !== 'usb' || levelPercent > LOSING.percent) return undefined;
  const begin = now.at - DAY_MS;
  const samples = samplesOf(udid, begin);
  const [first] = samples;
  if (!first || first.at - begin > BREAK_MS) return undefined;
  const levels = samples.flatMap((each) => each.levelPercent ?? []);
  const [highest = 0, middle = 0] = [levels[0], levels[Math.floor(levels.length / 2)]];
  const fell = Math.min(highest - middle, middle - levelPercent);
  const rose = levels.some((level, index) => level > (levels[index - 1] ?? level) + FELL.gauge);
  if (rose || fell < FELL.percent) return undefined;
  return {
    sign: 'charges little',
    certainty: 'likely',
    title: (name) =>
      `The battery of ${name} only fell for a day, to ${Math.round(levelPercent)} %, though the phone is plugged in`,
    remedy: CHARGE,
    since: first.at,
  };
};

export const batteryWorn: Rule = {
  code: 'BATTERY_WORN',
  severity: 'minor',
  sign: 'worn battery',
  plural: 'have worn batteries',
  evaluate: eachPhone(({ battery, wear = {} }) => {
    if (battery?.isPresent === false) return undefined;
    const { fullMicroampereHours: full, designMicroampereHours: design } = wear;
    const makers = battery?.healthPercent;
    const percent = makers ?? (full && design ? Math.round((full * 100) / design) : undefined);
    if (percent === undefined || percent >= WORN_PERCENT) return undefined;
    return {
      certainty: makers === undefined ? 'likely' : 'certain',
      title: (name) =>
        `The battery of ${name} holds ${percent} % of a new one, says ${makers === undefined ? 'its gauge' : 'its maker’s own figure'}`,
      remedy: 'Replace the battery, run the phone without one if it can, or plan without the phone',
    };
  }),
};
