/**
 * What is wrong with a phone now that only a person can fix. These rules need no history: they are evaluated with each
 * status, and their codes are what the status calls the problem.
 */
import { isPassing } from '../../adb/adb.ts';
import { byTime, runsOf } from '../../base/moments.ts';
import { hubsAbove } from '../../history/events/where.ts';
import type { ByConnection } from '../../report/message.ts';
import { eachPhone, type FindOfPhone } from '../context.ts';
import type { Finding } from '../finding.ts';
import { FREE_STORAGE, KEY_OF_BEFORE, remedyFor, UNSTUCK, unlessEmulator } from '../remedies.ts';
import { LOST, type Rule, type ShownPhone } from '../rule.ts';
import type { PhoneInput } from '../rule-input.ts';
import { coolDown, HOT_CELSIUS } from './battery.ts';
import { FULL_RATIO } from './storage.ts';

/** A rule that looks at each phone for itself. Any other problem says more than that a phone has no internet. */
const phoneRule = (literal: Omit<Rule, 'evaluate'>, find: FindOfPhone): Rule => ({
  explains: ['network'],
  ...literal,
  evaluate: eachPhone(find),
});

/** What a phone's state asks for, since adb says so. */
const asked = ({ remedy = '', stateSince }: PhoneInput) => ({
  remedy,
  ...(stateSince !== undefined && { since: stateSince }),
});

const isReady = ({ attached, state, isSilent }: PhoneInput): boolean =>
  attached && state === 'device' && !isSilent;

const BAD_BATTERY: Readonly<Record<string, string>> = {
  OVERHEAT: 'battery too hot',
  DEAD: 'battery dead',
  OVER_VOLTAGE: 'battery over voltage',
  UNSPECIFIED_FAILURE: 'battery failing',
};

const badBattery = ({ battery }: PhoneInput): string | undefined => BAD_BATTERY[battery?.health ?? ''];

export const battery = phoneRule({ code: 'battery', severity: 'critical' }, (phone) => {
  const sign = badBattery(phone);
  if (sign === undefined) return undefined;
  const remedy = 'Take the phone out and check its battery: it may swell';
  return { sign, title: (name) => `${name}: ${sign}`, remedy };
});

export const hot = phoneRule(
  { code: 'hot', severity: 'critical', sign: 'hot', plural: 'are hot' },
  (phone) => {
    const decicelsius = phone.battery?.temperatureDecicelsius ?? 0;
    const isHot = decicelsius >= HOT_CELSIUS * 10 && badBattery(phone) === undefined;
    return isHot && { is: 'is hot', remedy: coolDown(decicelsius) };
  },
);

/** The cloud was asked once, when it was lost; after an hour that says nothing any more. */
export const booked = phoneRule(
  {
    code: 'booked',
    severity: 'critical',
    sign: 'booked and gone',
    plural: 'were lost while they were booked',
    explains: ['network', ...LOST],
  },
  (phone) => phone.isBookedAndGone && { is: 'was lost while it was booked', ...asked(phone) },
);

export const unplugged = phoneRule(
  { code: 'unplugged', severity: 'major', sign: 'unplugged', merge: wentTogether },
  (phone) =>
    !phone.attached && phone.inCloud?.there !== 'elsewhere' && { is: 'is unplugged', ...asked(phone) },
);

/** Phones that went within this time did so together, ms. */
export const TOGETHER_MS = 10_000;

/**
 * Phones below one hub, or with the same kind of connection, that went at the same moment have one cause; so have hubs that
 * lost several each.
 */
function wentTogether(findings: readonly Finding[], phones: readonly ShownPhone[]): Finding[] {
  const placeOf = new Map(phones.map((phone) => [phone.udid, phone]));
  const hubsOf = ({ udids: [udid = ''] }: Finding) =>
    hubsAbove({ devpath: placeOf.get(udid)?.devpath ?? '' });
  const connectionOf = ({ udids: [udid = ''] }: Finding) => placeOf.get(udid)?.connection ?? 'usb';
  const byPlace = Map.groupBy(findings, (finding) => hubsOf(finding).at(-1) ?? connectionOf(finding));
  const ofPlaces = [...byPlace.values()].flatMap((ofPlace) =>
    joined(ofPlace, (first, others, count) => {
      const hub = hubsOf(first).find((each) => others.every((other) => hubsOf(other).includes(each)));
      return hub === undefined
        ? { title: `${count} phones were unplugged at once`, remedy: togetherRemedies[connectionOf(first)] }
        : {
            subject: { kind: 'hub', key: hub },
            title: `${count} phones behind hub ${hub} are unplugged`,
            remedy: remedyFor.hub,
          };
    }),
  );
  const [ofOthers, ofHubs] = [ofPlaces.filter((each) => !isOfHub(each)), ofPlaces.filter(isOfHub)];
  return [
    ...ofOthers,
    ...joined(ofHubs, (_first, others, count) => ({
      subject: { kind: 'room' },
      title: `${count} phones behind ${others.length + 1} hubs were unplugged at once`,
      remedy: togetherRemedies.usb,
    })),
  ];
}

const isOfHub = ({ subject }: Finding): boolean => subject.kind === 'hub';

/** Those of the same moment are told as one, by what they share. */
function joined(
  findings: readonly Finding[],
  sharedBy: (first: Finding, others: readonly Finding[], count: number) => Partial<Finding>,
): Finding[] {
  const sorted = findings.map((finding) => ({ ...finding, at: finding.since })).sort(byTime);
  return runsOf(sorted, TOGETHER_MS).map(([{ at: _, ...first }, ...others]) => {
    const udids = [first, ...others].flatMap((each) => each.udids);
    return others.length === 0 ? first : { ...first, ...sharedBy(first, others, udids.length), udids };
  });
}

/** What phones without a hub share, by their connection. */
const togetherRemedies: ByConnection = {
  usb: 'See whether the hubs have power, and switch them off and on; check what they share: a cable, the power strip, a USB card; in a virtual machine attach them again; then restart the adb server or the host, which interrupts all phones',
  tcp: 'Check their network and whether their addresses have changed, and connect them again; then restart the adb server, which interrupts all phones',
  emulator:
    'Start them again; if they end again, look in their logs and in that of what starts them, and give this host more memory or disk space',
};

export const unauthorized = phoneRule(
  {
    code: 'unauthorized',
    severity: 'major',
    sign: 'unauthorized',
    plural: 'wait for the USB debugging prompt',
    merge: allUnauthorized,
  },
  (phone) =>
    phone.attached &&
    phone.state === 'unauthorized' && { is: 'waits for the USB debugging prompt', ...asked(phone) },
);

/** This many phones do not lose their authorization independently. */
export const MANY = 3;

function allUnauthorized(findings: readonly Finding[], phones: readonly ShownPhone[]): Finding[] | undefined {
  const [first] = findings;
  const isAll = findings.length === phones.filter(({ attached }) => attached).length;
  if (first === undefined || findings.length < MANY || !isAll) return undefined;
  return [
    {
      ...first,
      title: `All ${findings.length} phones are unauthorized`,
      remedy: KEY_OF_BEFORE,
      command: 'hostnode doctor',
      since: Math.min(...findings.map(({ since }) => since)),
      udids: findings.flatMap(({ udids }) => udids),
    },
  ];
}

/** A restart of adbd, or a hub that powers up, takes less, ms. */
const PASSING_MS = 30_000;
/** The slowest phones boot in this time, seconds. */
const STARTED_SECONDS = 600;

/** adb calls it neither `device` nor `unauthorized`, or it does not finish booting. */
export const state = phoneRule({ code: 'state', severity: 'major' }, (phone) => {
  const { attached, bootCompleted, uptimeSeconds = 0, state: sign } = phone;
  if (isReady(phone) && bootCompleted === false && uptimeSeconds > STARTED_SECONDS) {
    const remedy = unlessEmulator(phone.connection, UNSTUCK);
    return { ...asked(phone), sign: 'slow boot', title: (name) => `${name}: slow boot`, remedy };
  }
  if (!attached || sign === 'device' || sign === 'unauthorized') return undefined;
  return {
    ...asked(phone),
    sign,
    title: (name) => `${name}: ${sign}`,
    settleMs: isPassing(sign) ? PASSING_MS : 0,
  };
});

export const silent = phoneRule(
  { code: 'silent', severity: 'major', sign: 'no answer', plural: 'do not answer' },
  ({ attached, state, isSilent, remedy = '' }) =>
    attached && state === 'device' && isSilent && { is: 'does not answer', remedy },
);

export const locked = phoneRule(
  { code: 'locked', severity: 'major', sign: 'locked', plural: 'are locked since boot' },
  (phone) => {
    const isLocked = isReady(phone) && phone.bootCompleted !== false && phone.isDataLocked;
    return isLocked && { is: 'is locked since boot', remedy: phone.remedy ?? '' };
  },
);

export const refused = phoneRule(
  { code: 'refused', severity: 'major', sign: 'rejected', plural: 'are rejected by the cloud' },
  ({ refused: said }) =>
    said !== undefined && {
      is: 'is rejected by the cloud',
      remedy: 'Fix what the cloud names; each report sends the phone again',
      ...(said !== '' && { said }),
    },
);

export const storage = phoneRule(
  { code: 'storage', severity: 'minor', sign: 'storage full', plural: 'have no storage left' },
  ({ storage: { usedBytes = 0, totalBytes } = { totalBytes: 1 } }) =>
    usedBytes >= totalBytes * FULL_RATIO && {
      is: 'has no storage left',
      remedy: FREE_STORAGE,
    },
);

export const network = phoneRule(
  { code: 'network', severity: 'minor', sign: 'no internet', plural: 'have no internet', explains: [] },
  ({ network: status, remedy = '' }) =>
    status === 'UNREACHABLE' && remedy !== '' && { is: 'has no internet', remedy },
);
