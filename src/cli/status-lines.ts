/** The host's status for a terminal: a summary line, what needs attention and where, and the phones in rack order. */
import { duration, localTime, zoneName } from '../base/calendar.ts';
import { printable } from '../base/printable.ts';
import type { Line, Span, Style } from '../base/styled-text.ts';
import { quantity } from '../base/words.ts';
import { wrapped, wrappedSpans } from '../base/wrapped.ts';
import { placeInRoom } from '../roster/slot-name.ts';
import {
  type AdbStatus,
  type Cause,
  type Condition,
  type HostStatus,
  isHostProblem,
  isOneThere,
  type PhoneStatus,
  type ReportStatus,
  withReadingsOfNow,
} from '../status/host-status.ts';
import { type Block, behind, fitted, paragraph, temperatureText, usageText } from './columns.ts';
import { phoneTable } from './table.ts';
import { firstFitting, rowsOf } from './terminal-view.ts';

export const conditionStyles: Readonly<Record<Condition, Style>> = {
  fine: 'green',
  needsAttention: 'red',
  maintenance: 'yellow',
  unknown: 'dim',
};

/** What the page calls it: adb's words are not those of a person. */
const stateOf = ({ sign, state, condition, drain }: PhoneStatus): string =>
  sign || (condition === 'needsAttention' ? state : drain && condition === 'fine' ? 'drained' : condition);

const untilOf = ({ until }: { until: number }): string => `${localTime(until)} ${zoneName(until)}`;

function whatToDo({ maintenance, message, drain }: PhoneStatus): string {
  if (maintenance) return `In maintenance until ${untilOf(maintenance)}: ${maintenance.reason}`;
  if (message !== '' || drain === undefined) return message;
  const by = drain.by === undefined ? '' : ` by ${drain.by}`;
  return `Drained until ${untilOf(drain)}${by}${drain.reason === '' ? '' : `: ${drain.reason}`}`;
}

const rowOf = (phone: PhoneStatus) => {
  const { battery, storage, network } = phone;
  return {
    UDID: phone.udid,
    SLOT: phone.slot,
    NAME: phone.name,
    ANDROID: phone.android,
    STATE: { text: stateOf(phone), style: conditionStyles[phone.condition] },
    BATTERY: batteryText(battery),
    TEMP: temperatureText(battery?.temperatureCelsius),
    STORAGE: storage && usageText(storage.usedBytes, storage.totalBytes),
    NETWORK: network?.toLowerCase(),
    'WHAT TO DO': whatToDo(phone),
  };
};

function batteryText(battery: PhoneStatus['battery']): string | undefined {
  if (battery?.levelRatio === undefined) return undefined;
  return `${battery.isCharging ? '+ ' : ''}${Math.round(battery.levelRatio * 100)} %`;
}

export interface StatusLayout {
  width?: number | undefined;
  hint?: string;
  /** `all`: the phones too; `problems`: nothing but them. Default: problems and notices; the phones are counted. */
  view?: 'all' | 'problems';
  rows?: number | undefined;
}

export function statusLines(
  given: HostStatus,
  { width = Number.POSITIVE_INFINITY, hint, view, rows = Number.POSITIVE_INFINITY }: StatusLayout = {},
): Line[] {
  const host = withReadingsOfNow(given);
  const { causes, notices, takenAt } = host;
  const inRack = inRackOrder(host);
  let title: string | undefined;
  const blocksOf = (cause: Cause, mark: Span, group: string): Block[] => {
    const head: Block[] = group === title ? [] : ['', [{ text: group, style: 'bold' }]];
    title = group;
    return [...head, ...causeLines(cause, inRack(cause.udids), { mark, now: takenAt })];
  };
  const problem = (cause: Cause): Block[] =>
    blocksOf(cause, alarm, isHostProblem(cause) ? 'Problems of this host' : 'Needs attention');
  const head = [
    ...wrappedSpans(headOf(host), width),
    ...wrapped([pageText(host), hint].filter(Boolean).join(' · '), width).filter(Boolean),
  ];
  if (view === 'problems') {
    // one row for the prompt
    const room = { rows: rows - rowsOf(head, width) - 1, columns: width, forRest: 2 };
    const { lines, left } = firstFitting(causes, (cause) => fitted(problem(cause), width), room);
    const more = left === 0 ? [] : ['', `… ${quantity(left, 'more problem')}: hostnode status`];
    return [...head, ...lines, ...more];
  }
  const rest = [
    ...causes.flatMap(problem),
    ...notices.flatMap((cause) => blocksOf(cause, notice, 'Notices')),
    ...phoneLines(host, inRack, view === 'all'),
  ];
  return [...head, ...fitted(rest, width)];
}

/** The phones with these udids, as they stand in the room. */
function inRackOrder({ bands, phones }: HostStatus): (udids: readonly string[]) => PhoneStatus[] {
  const places = new Map(bands.flatMap(({ bays }) => bays).map(({ udid }, place) => [udid, place]));
  const known = new Map(phones.map((phone) => [phone.udid, phone]));
  const place = ({ udid }: PhoneStatus) => places.get(udid) ?? places.size;
  return (udids) =>
    udids.flatMap((udid) => known.get(udid) ?? []).sort((one, other) => place(one) - place(other));
}

/** The host in one line, as spans with blanks between them. Why something fails is left to the problems below. */
function headOf(status: HostStatus): Span[] {
  const { host, fineSince, adb, reports, causes, takenAt } = status;
  const { needsAttention, fine, maintenance, unknown, phones } = status.counts;
  const drained = status.phones.filter(({ drain }) => drain).length;
  const isBelow = (kind: string) => causes.some((cause) => cause.kind === kind);
  const part = (isSo: boolean, text: string, style?: Style): Span[] =>
    isSo ? [{ text: '·' }, { text: printable(text), style }] : [];
  const affected = needsAttention > 0 ? ` with ${quantity(needsAttention, 'phone')}` : '';
  const calm = fineSince === undefined ? undefined : duration(takenAt - fineSince);
  const { needsAttention: red, fine: green, maintenance: yellow } = conditionStyles;
  const parts = [
    ...part(causes.length > 0, `${quantity(causes.length, 'problem')}${affected}`, red),
    ...part(phones === 0, 'no phones'),
    ...part(phones > 0, `${quantity(fine, 'phone')} fine`, fine === 0 ? 'dim' : green),
    ...part(calm !== undefined && phones > 0, `all fine for ${calm}`),
    ...part(unknown > 0, `${unknown} unknown`),
    ...part(maintenance > 0, `${maintenance} in maintenance`, yellow),
    ...part(drained > 0, `${drained} drained`, yellow),
    ...part(true, reportsText(reports, takenAt, isBelow('cloud')), reports.failure ? red : undefined),
    ...part(true, adbText(adb, takenAt, isBelow('adb')), adb.state === 'unreachable' ? red : undefined),
  ];
  const name = host.hostname === undefined ? host.name : `${host.name} (${host.hostname})`;
  return [{ text: printable(`${name}:`), style: 'bold' }, ...parts.slice(1)];
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
    return `adb${version === undefined ? '' : ` ${version}`}, up for ${duration(now - since)}`;
  return state === 'unknown'
    ? 'adb: no answer yet'
    : withWhy('cannot reach adb', isBelow ? undefined : failure);
}

const withWhy = (what: string, why: string | undefined): string =>
  why === undefined ? what : `${what}: ${why}`;

type Placed = Pick<PhoneStatus, 'slot' | 'devpath' | 'serial' | 'name'>;

export const alarm: Span = { text: ' ! ', style: 'red' };
const notice: Span = { text: ' · ', style: 'dim' };

export function causeLines(
  { title, code, certainty, said, remedy, command, since }: Omit<Cause, 'key' | 'kind' | 'udids'>,
  phones: readonly Placed[],
  { mark, now }: { mark: Span; now: number },
): Block[] {
  const sure = certainty === undefined || certainty === 'certain' ? '' : `, ${certainty}`;
  const label = code === undefined ? '' : `${code}${sure}, `;
  return [
    behind(mark, `${title}  (${label}for ${duration(now - since)})`),
    ...(phones.length === 0 ? [] : [behind({ text: '     ' }, whereText(phones), 'dim')]),
    ...(said === undefined ? [] : [behind({ text: '     ' }, `the cloud says: ${said}`)]),
    behind({ text: '   → ' }, remedy),
    ...(command === undefined ? [] : [`     ${printable(command)}`]),
  ];
}

/** Of so few phones each has its name: in the title stands that of a single one. */
const FEW = 3;
/** So many are listed, with their serials. */
const MOST_LISTED = 8;

/** `rack 1, shelf 2: bay 1 (HUB-1), bay 2 (HUB-2); USB port 1-3 (R58M1) and 4 more`. */
function whereText(phones: readonly Placed[]): string {
  const hasNames = phones.length > 1 && phones.length <= FEW;
  const listed = phones.slice(0, MOST_LISTED).map((phone) => {
    const { slot = '', devpath, serial, name } = phone;
    const { band, bay } = placeInRoom(slot);
    const place = slot === '' ? devpath && `USB port ${devpath}` : bay;
    const who = hasNames && name !== serial ? `${serial}, ${name}` : serial;
    return { band, text: place === undefined ? who : `${place} (${who})` };
  });
  const shelves = [...Map.groupBy(listed, ({ band }) => band)].map(([band, some]) => {
    const bays = some.map(({ text }) => text).join(', ');
    return band === '' ? bays : `${band}: ${bays}`;
  });
  const left = phones.length - listed.length;
  return `${shelves.join('; ')}${left === 0 ? '' : ` and ${left} more`}`;
}

function phoneLines(
  { adb, phones }: HostStatus,
  inRack: ReturnType<typeof inRackOrder>,
  areListed: boolean,
): Block[] {
  // adb may list only ignored phones
  if (phones.length === 0) return adb.state === 'listed' ? ['', `No phones. ${isOneThere(adb.onUsb)}`] : [];
  const onUsb = adb.onUsb ? ['', `adb lists no phone. ${isOneThere(adb.onUsb)}`] : [];
  const count = `${quantity(phones.length, 'phone')} in all: hostnode status --all lists them`;
  if (!areListed) return [...onUsb, '', paragraph(count)];
  const rows = inRack(phones.map(({ udid }) => udid)).map(rowOf);
  return [...onUsb, '', phoneTable(rows)];
}
