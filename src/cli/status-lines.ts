/** The host's status for a terminal: a summary line, what needs attention, and the phones in rack order. */
import { printable } from '../base/printable.ts';
import { duration } from '../daemon/status-line.ts';
import type { AdbStatus, Cause, HostStatus, PhoneStatus, ReportStatus } from '../status/host-status.ts';
import { type Column, layOut } from './columns.ts';
import { localTime } from './moment.ts';
import { IS_ONE_THERE } from './no-phones.ts';
import { wrapped } from './wrapped.ts';

const GIB = 1024 ** 3;

interface PhoneColumn extends Column {
  value(phone: PhoneStatus): string | undefined;
}

const columns: readonly PhoneColumn[] = [
  { title: 'UDID', value: ({ udid }) => udid },
  { title: 'SLOT', value: ({ slot }) => slot },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'ANDROID', value: ({ android }) => android },
  { title: 'STATE', value: ({ sign, state }) => sign || state },
  { title: 'BATTERY', value: ({ battery }) => batteryText(battery), alignRight: true },
  { title: 'TEMP', value: ({ battery }) => temperatureText(battery?.temperatureCelsius), alignRight: true },
  { title: 'STORAGE', value: ({ storage }) => usageText(storage), alignRight: true },
  { title: 'NETWORK', value: ({ network }) => network?.toLowerCase() },
  { title: 'WHAT TO DO', value: ({ maintenance, message }) => maintenanceText(maintenance) ?? message },
];

/** Columns that a narrow terminal drops, in this order. */
const DISPENSABLE = ['TEMP', 'STORAGE', 'NETWORK', 'BATTERY', 'ANDROID', 'SLOT'];

function batteryText(battery: PhoneStatus['battery']): string | undefined {
  if (battery?.levelRatio === undefined) return undefined;
  return `${battery.isCharging ? '+ ' : ''}${Math.round(battery.levelRatio * 100)} %`;
}

const temperatureText = (celsius: number | undefined): string | undefined =>
  celsius === undefined ? undefined : `${celsius.toFixed(1)} °C`;

const usageText = (storage: PhoneStatus['storage']): string | undefined =>
  storage &&
  `${storage.usedBytes === undefined ? '?' : (storage.usedBytes / GIB).toFixed(1)} / ${(storage.totalBytes / GIB).toFixed(1)} GiB`;

const maintenanceText = (maintenance: PhoneStatus['maintenance']): string | undefined =>
  maintenance && `In maintenance until ${localTime(maintenance.until)}: ${maintenance.reason}`;

/**
 * @param width columns of the terminal
 * @returns lines; escapes control characters in foreign text
 */
export function statusLines(host: HostStatus, width = Number.POSITIVE_INFINITY): string[] {
  const { causes } = host;
  const parts = [
    causes.length === 0
      ? []
      : ['Needs attention', ...causes.flatMap((cause) => causeLines(cause, host.takenAt, width))],
    phoneLines(host, width),
  ];
  return [
    ...wrapped(headLine(host), width),
    ...parts.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines])),
  ];
}

function headLine({ host, counts, fineSince, adb, reports, takenAt }: HostStatus): string {
  const { needsAttention, fine, maintenance, unknown, phones } = counts;
  const parts = [
    ...(needsAttention > 0 ? [`${needsAttention} ${needsAttention === 1 ? 'needs' : 'need'} attention`] : []),
    phones === 0 ? 'no phones' : `${fine} fine`,
    ...(fineSince !== undefined && phones > 0 ? [`all fine for ${duration(takenAt - fineSince)}`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(maintenance > 0 ? [`${maintenance} in maintenance`] : []),
    reportsText(reports, takenAt),
    adbText(adb, takenAt),
  ];
  return printable(`${host.name}: ${parts.join(' · ')}`);
}

function reportsText(
  { notReporting, failure, failingSince, storedAt, nextAt }: ReportStatus,
  now: number,
): string {
  if (notReporting !== undefined) return `not reporting: ${notReporting}`;
  if (failure !== undefined) {
    const since = failingSince === undefined ? '' : ` for ${duration(now - failingSince)}`;
    return `the cloud rejects our reports${since}: ${failure}`;
  }
  const last = storedAt === undefined ? 'not reported yet' : `reported ${duration(now - storedAt)} ago`;
  return nextAt === undefined
    ? `cloud: ${last}`
    : `cloud: ${last}, next in ${duration(Math.max(0, nextAt - now))}`;
}

function adbText({ state, version, since, failure }: AdbStatus, now: number): string {
  if (state === 'listed')
    return `adb${version === undefined ? '' : ` ${version}`} for ${duration(now - since)}`;
  return state === 'unasked' ? 'adb: no answer yet' : `cannot reach adb: ${failure}`;
}

function causeLines({ title, said, remedy, command, since }: Cause, now: number, width: number): string[] {
  const below = (first: string, text: string): string[] => {
    const [head = '', ...rest] = wrapped(printable(text), width - first.length);
    return [first + head, ...rest.map((line) => ' '.repeat(first.length) + line)];
  };
  return [
    ...below(' ! ', `${title}  (for ${duration(now - since)})`),
    ...(said === undefined ? [] : below('     ', `the cloud says: ${said}`)),
    ...below('   → ', remedy),
    ...(command === undefined ? [] : [`     ${printable(command)}`]),
  ];
}

function phoneLines({ adb, bands, phones }: HostStatus, width: number): string[] {
  // adb may list only ignored phones
  if (phones.length === 0) return adb.state === 'listed' ? [`No phones. ${IS_ONE_THERE}`] : [];
  const standing = bands.flatMap(({ bays }) => bays.flatMap(({ udid }) => udid ?? []));
  const place = (udid: string) => (standing.includes(udid) ? standing.indexOf(udid) : standing.length);
  const rows = phones
    .toSorted((one, other) => place(one.udid) - place(other.udid))
    .map((phone) => columns.map(({ value }) => value(phone) ?? ''));
  return layOut(columns, rows, { width, dispensable: DISPENSABLE });
}
