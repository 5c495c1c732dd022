/** The host's status for a terminal: a summary line, what needs attention, and the phones in rack order. */
import { duration, localTime } from '../base/calendar.ts';
import { printable } from '../base/printable.ts';
import type { Line, Span, Style } from '../base/styled-text.ts';
import { wrapped, wrappedSpans } from '../base/wrapped.ts';
import {
  type AdbStatus,
  type Cause,
  type Condition,
  type HostStatus,
  isHostProblem,
  type PhoneStatus,
  type ReportStatus,
} from '../status/host-status.ts';
import { behind, temperatureText, usageText } from './columns.ts';
import { phoneTable } from './table.ts';
import { isOneThere } from './trouble.ts';

export const conditionStyles: Readonly<Record<Condition, Style>> = {
  fine: 'green',
  needsAttention: 'red',
  maintenance: 'yellow',
  unknown: 'dim',
};

const rowOf = (phone: PhoneStatus) => {
  const { battery, storage, maintenance } = phone;
  return {
    UDID: phone.udid,
    SLOT: phone.slot,
    NAME: phone.name,
    ANDROID: phone.android,
    STATE: { text: phone.sign || phone.state, style: conditionStyles[phone.condition] },
    BATTERY: batteryText(battery),
    TEMP: temperatureText(battery?.temperatureCelsius),
    STORAGE: storage && usageText(storage.usedBytes, storage.totalBytes),
    NETWORK: phone.network?.toLowerCase(),
    'WHAT TO DO': maintenance
      ? `In maintenance until ${localTime(maintenance.until)}: ${maintenance.reason}`
      : phone.message,
  };
};

function batteryText(battery: PhoneStatus['battery']): string | undefined {
  if (battery?.levelRatio === undefined) return undefined;
  return `${battery.isCharging ? '+ ' : ''}${Math.round(battery.levelRatio * 100)} %`;
}

/**
 * @param width columns of the terminal
 * @param hint how to leave the display
 * @returns lines; escapes control characters in foreign text
 */
export function statusLines(host: HostStatus, width = Number.POSITIVE_INFINITY, hint?: string): Line[] {
  const { causes, notices, takenAt } = host;
  const listed = (title: string, some: readonly Cause[], mark = alarm): Line[] =>
    some.length === 0
      ? []
      : [
          [{ text: title, style: 'bold' }],
          ...some.flatMap((cause) => causeLines(cause, { mark, now: takenAt, width })),
        ];
  const parts = [
    listed('Problems of this host', causes.filter(isHostProblem)),
    listed(
      'Needs attention',
      causes.filter((cause) => !isHostProblem(cause)),
    ),
    listed('Notices', notices, notice),
    phoneLines(host, width),
  ];
  return [
    ...wrappedSpans(headOf(host), width),
    ...wrapped([pageText(host), hint].filter(Boolean).join(' · '), width).filter(Boolean),
    ...parts.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines])),
  ];
}

/** The host in one line, as spans with blanks between them. Why something fails is left to the problems below. */
function headOf({ host, counts, fineSince, adb, reports, causes, takenAt }: HostStatus): Span[] {
  const { needsAttention, fine, maintenance, unknown, phones } = counts;
  const isBelow = (kind: string) => causes.some((cause) => cause.kind === kind);
  const part = (isSo: boolean, text: string, style?: Style): Span[] => (isSo ? [{ text, style }] : []);
  const needs = needsAttention === 1 ? 'needs' : 'need';
  const calm = fineSince === undefined ? undefined : duration(takenAt - fineSince);
  const { needsAttention: red, fine: green, maintenance: yellow } = conditionStyles;
  const parts = [
    ...part(needsAttention > 0, `${needsAttention} ${needs} attention`, red),
    ...part(phones === 0, 'no phones'),
    ...part(phones > 0, `${fine} fine`, fine === 0 ? 'dim' : green),
    ...part(calm !== undefined && phones > 0, `all fine for ${calm}`),
    ...part(unknown > 0, `${unknown} unknown`),
    ...part(maintenance > 0, `${maintenance} in maintenance`, yellow),
    {
      text: reportsText(reports, takenAt, isBelow('cloud')),
      style: reports.failure === undefined ? undefined : red,
    },
    { text: adbText(adb, takenAt, isBelow('adb')), style: adb.state === 'unreachable' ? red : undefined },
  ];
  const name = host.hostname === undefined ? host.name : `${host.name} (${host.hostname})`;
  return [
    { text: printable(`${name}:`), style: 'bold' },
    ...parts.flatMap(({ text, style }, place) => [
      ...(place === 0 ? [] : [{ text: '·' }]),
      { text: printable(text), style },
    ]),
  ];
}

function pageText({ pageUrl, pageProblem }: HostStatus): string {
  if (pageUrl !== undefined) return `page: ${printable(pageUrl)}`;
  return pageProblem === undefined ? '' : `page: not served, ${printable(pageProblem)}`;
}

function reportsText(
  { notReporting, failure, isRejected, failingSince, storedAt, nextAt }: ReportStatus,
  now: number,
  isBelow: boolean,
): string {
  if (notReporting !== undefined) return withWhy('not reporting', isBelow ? undefined : notReporting);
  if (failure !== undefined) {
    const what = isRejected ? 'the cloud rejects our reports' : 'cannot report to the cloud';
    const since = failingSince === undefined ? '' : ` for ${duration(now - failingSince)}`;
    return withWhy(`${what}${since}`, isBelow ? undefined : failure);
  }
  const last = storedAt === undefined ? 'not reported yet' : `reported ${duration(now - storedAt)} ago`;
  return nextAt === undefined
    ? `cloud: ${last}`
    : `cloud: ${last}, next in ${duration(Math.max(0, nextAt - now))}`;
}

function adbText({ state, version, since, failure }: AdbStatus, now: number, isBelow: boolean): string {
  if (state === 'listed')
    return `adb${version === undefined ? '' : ` ${version}`} for ${duration(now - since)}`;
  return state === 'unknown'
    ? 'adb: no answer yet'
    : withWhy('cannot reach adb', isBelow ? undefined : failure);
}

const withWhy = (what: string, why: string | undefined): string =>
  why === undefined ? what : `${what}: ${why}`;

const alarm: Span = { text: ' ! ', style: 'red' };
const notice: Span = { text: ' · ', style: 'dim' };

function causeLines(
  { title, code, certainty, said, remedy, command, since }: Cause,
  { mark, now, width }: { mark: Span; now: number; width: number },
): Line[] {
  const sure = certainty === undefined || certainty === 'certain' ? '' : `, ${certainty}`;
  const label = code === undefined ? '' : `${code}${sure}, `;
  return [
    ...behind([mark], `${title}  (${label}for ${duration(now - since)})`, width),
    ...(said === undefined ? [] : behind([{ text: '     ' }], `the cloud says: ${said}`, width)),
    ...behind([{ text: '   → ' }], remedy, width),
    ...(command === undefined ? [] : [`     ${printable(command)}`]),
  ];
}

function phoneLines({ adb, bands, phones }: HostStatus, width: number): Line[] {
  // adb may list only ignored phones
  const onUsb = adb.onUsb ? [`adb lists no phone. ${isOneThere(adb.onUsb)}`, ''] : [];
  if (phones.length === 0) return adb.state === 'listed' ? [`No phones. ${isOneThere(adb.onUsb)}`] : [];
  const places = new Map(bands.flatMap(({ bays }) => bays).map(({ udid }, place) => [udid, place]));
  const place = (udid: string) => places.get(udid) ?? places.size;
  const sorted = phones.toSorted((one, other) => place(one.udid) - place(other.udid));
  return [...onUsb, ...phoneTable(sorted.map(rowOf), width)];
}
