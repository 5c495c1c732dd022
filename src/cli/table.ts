/** Phones as a table for a terminal. */
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { type Column, layOut } from './columns.ts';

const GIB = 1024 ** 3;

interface PhoneColumn extends Column {
  value(device: DeviceInfo): string | undefined;
}

/** The name of a phone's slot, by its udid. */
export type SlotOf = (udid: string) => string | undefined;

const columnsWith = (slotOf: SlotOf): readonly PhoneColumn[] => [
  { title: 'UDID', value: ({ udid }) => udid },
  { title: 'SLOT', value: ({ udid }) => slotOf(udid) },
  { title: 'NAME', value: ({ deviceName }) => deviceName },
  { title: 'ANDROID', value: ({ platformVersion }) => platformVersion },
  { title: 'STATE', value: ({ state }) => state },
  {
    title: 'BATTERY',
    value: ({ battery }) => battery?.percentage && `${battery.percentage} %`,
    alignRight: true,
  },
  {
    title: 'TEMP',
    value: ({ battery }) =>
      battery?.temperature === undefined ? undefined : `${(battery.temperature / 10).toFixed(1)} °C`,
    alignRight: true,
  },
  { title: 'STORAGE', value: ({ storage }) => usage(storage), alignRight: true },
  { title: 'MEMORY', value: ({ memory }) => usage(memory), alignRight: true },
  { title: 'NETWORK', value: ({ networkReachability }) => networkReachability?.status.toLowerCase() },
  { title: 'ROOT', value: ({ isRooted }) => (isRooted === undefined ? undefined : isRooted ? 'yes' : 'no') },
  { title: 'WHAT TO DO', value: ({ message }) => message },
];

const usage = (bytes: { total: number; used?: number } | undefined): string | undefined =>
  bytes &&
  `${bytes.used === undefined ? '?' : (bytes.used / GIB).toFixed(1)} / ${(bytes.total / GIB).toFixed(1)} GiB`;

/** Columns that a narrow terminal drops, in this order. */
const DISPENSABLE = ['MEMORY', 'ROOT', 'TEMP', 'STORAGE', 'NETWORK', 'BATTERY', 'ANDROID', 'SLOT'];

/**
 * @param width columns of the terminal; drops columns to fit, then cuts longer lines
 * @returns lines; escapes control characters in text from phones
 */
export function tableOf(
  devices: readonly DeviceInfo[],
  width?: number,
  slotOf: SlotOf = () => undefined,
): string[] {
  const columns = columnsWith(slotOf);
  const rows = devices.map((device) => columns.map(({ value }) => value(device) ?? ''));
  return layOut(columns, rows, { width, dispensable: DISPENSABLE });
}
