import { printable } from '../base/printable.ts';
import type { Style } from '../base/styled-text.ts';
import { firstStep, naturalOrder } from '../base/words.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { type Block, tableOf, temperatureText, usageText } from './columns.ts';

const columns = [
  { title: 'UDID', leastWidth: 20 },
  { title: 'SLOT', leastWidth: 14 },
  { title: 'NAME', leastWidth: 12 },
  'HOST',
  'ANDROID',
  'STATE',
  ...['BATTERY', 'TEMP', 'STORAGE', 'MEMORY'].map((title) => ({ title, alignRight: true })),
  'NETWORK',
  'ROOT',
  { title: 'WHAT TO DO', isSentence: true },
];

const DISPENSABLE = ['MEMORY', 'ROOT', 'TEMP', 'STORAGE', 'NETWORK', 'BATTERY', 'ANDROID', 'HOST', 'SLOT'];

/** In the order of their slots, and of their names; those without a slot last. */
export const bySlot =
  <T extends { slot?: string }>(nameOf: (of: T) => string) =>
  (one: T, other: T): number =>
    Number(one.slot === undefined) - Number(other.slot === undefined) ||
    naturalOrder(one.slot ?? '', other.slot ?? '') ||
    naturalOrder(nameOf(one), nameOf(other));

export const phoneTable = (rows: Parameters<typeof tableOf>[1]): Block => tableOf(columns, rows, DISPENSABLE);

export interface TablePhone {
  info: DeviceInfo;
  slot?: string;
  /** Which one has it, where there are several. */
  host?: string;
}

export const deviceTable = (phones: readonly TablePhone[]): Block =>
  phoneTable(phones.toSorted(bySlot(({ info }) => info.udid)).map(rowOf));

const CSV: Readonly<Record<string, (phone: TablePhone) => string | number | undefined>> = {
  udid: ({ info }) => info.udid,
  serialNumber: ({ info }) => info.serialNumber,
  slot: ({ slot }) => slot,
  deviceName: ({ info }) => info.deviceName,
  brandName: ({ info }) => info.brandName,
  modelName: ({ info }) => info.modelName,
  platformVersion: ({ info }) => info.platformVersion,
  state: ({ info }) => info.state,
  batteryPercent: ({ info }) => info.battery?.percentage,
  temperatureCelsius: ({ info: { battery } }) =>
    battery?.temperature === undefined ? undefined : battery.temperature / 10,
  storageUsedBytes: ({ info }) => info.storage?.used,
  storageTotalBytes: ({ info }) => info.storage?.total,
  network: ({ info }) => info.networkReachability?.status,
  message: ({ info }) => info.message,
};

/** One line for each phone in the form of RFC 4180, the names of the columns first. */
export const deviceCsv = (phones: readonly TablePhone[]): string[] => [
  Object.keys(CSV).join(','),
  ...phones.map((phone) =>
    Object.values(CSV)
      .map((read) => csvCell(read(phone)))
      .join(','),
  ),
];

/** A spreadsheet runs what begins like a formula: a phone's text gets an apostrophe before it. */
function csvCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = printable(value);
  const harmless = /^[=+@-]/.test(text) ? `'${text}` : text;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const rowOf = ({ info, slot, host }: TablePhone) => {
  const { udid, state, message, isRooted, battery, storage, memory, networkReachability } = info;
  const { percentage, temperature } = battery ?? {};
  return {
    UDID: udid,
    SLOT: slot,
    NAME: info.deviceName,
    HOST: host,
    ANDROID: info.platformVersion,
    STATE: { text: state, style: styleOf(state, message) },
    BATTERY: percentage && `${percentage} %`,
    TEMP: temperatureText(temperature === undefined ? undefined : temperature / 10),
    STORAGE: storage && usageText(storage.used, storage.total),
    MEMORY: memory && usageText(memory.used, memory.total),
    NETWORK: networkReachability?.status.toLowerCase(),
    ROOT: isRooted === undefined ? undefined : isRooted ? 'yes' : 'no',
    'WHAT TO DO': firstStep(message),
  };
};

const styleOf = (state: string, message: string): Style =>
  state === 'device' ? (message === '' ? 'green' : 'yellow') : 'red';
