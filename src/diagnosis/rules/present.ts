/**
 * What is wrong with a phone now that only a person can fix. These rules need no history: they are evaluated with each
 * status, and their codes are what the status calls the problem.
 */
import { isPassing } from '../../adb/adb.ts';
import { hubOf } from '../events/where.ts';
import type { Finding } from '../finding.ts';
import type { Found, PlacedPhone, Rule } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { COOL_DOWN, HOT_CELSIUS } from './battery.ts';
import { FULL_RATIO } from './storage.ts';

/** What is wrong with one phone. `is` completes `Pixel 5 …`; without it its name and the sign say enough. */
type Problem = Omit<Found, 'subject' | 'title'> & { is?: string };

/** A rule that looks at each phone for itself. Any other problem says more than that a phone has no internet. */
const phoneRule = (
  literal: Omit<Rule, 'evaluate'>,
  find: (phone: PhoneInput) => Problem | undefined,
): Rule => ({
  explains: ['network'],
  ...literal,
  evaluate: ({ now }) =>
    now.phones.flatMap((phone) => {
      const problem = find(phone);
      if (problem === undefined) return [];
      const { is, ...found } = problem;
      const sign = found.sign ?? literal.sign;
      const title = is === undefined ? `${phone.name}: ${sign}` : `${phone.name} ${is}`;
      return [{ subject: { kind: 'phone', key: phone.udid }, title, ...found }];
    }),
});

const isReady = ({ attached, state, isSilent }: PhoneInput): boolean =>
  attached && state === 'device' && !isSilent;

/** For what adb's word alone says. */
const sinceState = ({ stateSince }: PhoneInput) => stateSince !== undefined && { since: stateSince };

const BAD_BATTERY: Readonly<Record<string, string>> = {
  OVERHEAT: 'battery too hot',
  DEAD: 'battery dead',
  OVER_VOLTAGE: 'battery over voltage',
  UNSPECIFIED_FAILURE: 'battery failing',
};

const badBattery = ({ battery }: PhoneInput): string | undefined => BAD_BATTERY[battery?.health ?? ''];

export const battery = phoneRule({ code: 'battery', severity: 'critical' }, (phone) => {
  const sign = badBattery(phone);
  return sign === undefined
    ? undefined
    : { sign, remedy: 'Take the phone out and check its battery: it may swell' };
});

export const hot = phoneRule(
  { code: 'hot', severity: 'critical', sign: 'hot', plural: 'are hot' },
  (phone) => {
    const decicelsius = phone.battery?.temperatureDecicelsius ?? 0;
    const isHot = badBattery(phone) === undefined && decicelsius >= HOT_CELSIUS * 10;
    return isHot ? { is: 'is hot', remedy: COOL_DOWN } : undefined;
  },
);

/** Phones that went within this time did so together, ms. */
export const TOGETHER_MS = 10_000;

export const unplugged: Rule = phoneRule(
  { code: 'unplugged', severity: 'major', sign: 'unplugged', merge: wentTogether },
  (phone) =>
    phone.attached ? undefined : { is: 'is unplugged', remedy: phone.remedy ?? '', ...sinceState(phone) },
);

/** Phones of one hub that went at the same moment have one cause. */
function wentTogether(findings: readonly Finding[], phones: readonly PlacedPhone[]): Finding[] {
  const placeOf = new Map(phones.map((phone) => [phone.udid, phone]));
  const sharedBy = ({ udids: [udid = ''] }: Finding) => {
    const { devpath = '', connection = '' } = placeOf.get(udid) ?? {};
    return hubOf(devpath) ?? connection;
  };
  return [...Map.groupBy(findings, sharedBy)].flatMap(([shared, ofPlace]) => {
    const groups: Finding[][] = [];
    for (const finding of ofPlace.toSorted((one, other) => one.since - other.since)) {
      const group = groups.at(-1);
      const before = group?.at(-1);
      if (group && before && finding.since - before.since <= TOGETHER_MS) group.push(finding);
      else groups.push([finding]);
    }
    return groups.flatMap((group) => goneAtOnce(group, shared));
  });
}

const CONNECTIONS = ['usb', 'tcp', 'emulator'];

/** @param shared the port of their hub, else how they are connected */
function goneAtOnce(group: readonly Finding[], shared: string): Finding[] {
  const [first] = group;
  if (first === undefined || group.length === 1) return [...group];
  const isHub = !CONNECTIONS.includes(shared);
  return [
    {
      ...first,
      title: isHub
        ? `${group.length} phones behind hub ${shared} are unplugged`
        : `${group.length} phones were unplugged at once`,
      remedy: isHub
        ? `Check the power and the cable of the hub at USB port ${shared}`
        : shared === 'tcp'
          ? 'Check their network, then connect them again'
          : 'Check what they share: a hub, a cable, the power',
      udids: group.flatMap(({ udids }) => udids),
    },
  ];
}

/** This many phones do not lose their authorization independently. */
const MANY = 3;

export const unauthorized: Rule = phoneRule(
  {
    code: 'unauthorized',
    severity: 'major',
    sign: 'unauthorized',
    plural: 'wait for the USB debugging prompt',
    merge: (findings, phones) => {
      const [first] = findings;
      const isAll = findings.length === phones.filter(({ attached }) => attached).length;
      if (first === undefined || findings.length < MANY || !isAll) return undefined;
      return [
        {
          ...first,
          title: `All ${findings.length} phones are unauthorized`,
          remedy: 'Run hostnode doctor: another adb server, with another key, holds the port',
          command: 'hostnode doctor',
          since: Math.min(...findings.map(({ since }) => since)),
          udids: findings.flatMap(({ udids }) => udids),
        },
      ];
    },
  },
  (phone) =>
    phone.attached && phone.state === 'unauthorized'
      ? { is: 'waits for the USB debugging prompt', remedy: phone.remedy ?? '', ...sinceState(phone) }
      : undefined,
);

/** A restart of adbd, or a hub that powers up, takes less, ms. */
const PASSING_MS = 30_000;
/** The slowest phones boot in this time, seconds. */
const STARTED_SECONDS = 600;

/** adb calls it neither `device` nor `unauthorized`, or it does not finish booting. */
export const state = phoneRule({ code: 'state', severity: 'major' }, (phone) => {
  const { attached, bootCompleted, uptimeSeconds = 0, remedy = '' } = phone;
  if (isReady(phone) && bootCompleted === false && uptimeSeconds > STARTED_SECONDS)
    return {
      sign: 'slow boot',
      remedy: 'Restart the phone, or check its screen: it does not finish booting',
      ...sinceState(phone),
    };
  if (!attached || phone.state === 'device' || phone.state === 'unauthorized') return undefined;
  const settleMs = isPassing(phone.state) ? PASSING_MS : 0;
  return { sign: phone.state, remedy, settleMs, ...sinceState(phone) };
});

export const silent = phoneRule(
  { code: 'silent', severity: 'major', sign: 'no answer', plural: 'do not answer' },
  ({ attached, state, isSilent, remedy = '' }) =>
    attached && state === 'device' && isSilent ? { is: 'does not answer', remedy } : undefined,
);

export const locked = phoneRule(
  { code: 'locked', severity: 'major', sign: 'locked', plural: 'are locked since boot' },
  (phone) => {
    const isLocked = isReady(phone) && phone.bootCompleted !== false && phone.isDataLocked === true;
    return isLocked ? { is: 'is locked since boot', remedy: phone.remedy ?? '' } : undefined;
  },
);

export const refused = phoneRule(
  { code: 'refused', severity: 'major', sign: 'rejected', plural: 'are rejected by the cloud' },
  ({ refused: said }) =>
    said === undefined
      ? undefined
      : {
          is: 'is rejected by the cloud',
          remedy: 'Fix what the cloud names; each report sends the phone again',
          ...(said !== '' && { said }),
        },
);

export const storage = phoneRule(
  { code: 'storage', severity: 'minor', sign: 'storage full', plural: 'have no storage left' },
  ({ storage: { usedBytes = 0, totalBytes } = { totalBytes: 1 } }) =>
    usedBytes < totalBytes * FULL_RATIO
      ? undefined
      : {
          is: 'has no storage left',
          remedy: 'Free storage on the phone: remove apps and files that tests left behind',
        },
);

export const network = phoneRule(
  { code: 'network', severity: 'minor', sign: 'no internet', plural: 'have no internet', explains: [] },
  ({ network: status, remedy = '' }) =>
    status === 'UNREACHABLE' && remedy !== '' ? { is: 'has no internet', remedy } : undefined,
);
