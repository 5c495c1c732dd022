/** Phones as a table for a terminal. */
import type { DeviceInfo } from '../cloud/contract.ts';
import { type Column, layOut } from './columns.ts';

const GIB = 1024 ** 3;

interface PhoneColumn extends Column {
  value(device: DeviceInfo): string | undefined;
}

/** The name of the slot in which a phone sits, by its udid. */
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

/** What a narrow terminal does without, the first of it first. */
const DISPENSABLE = ['MEMORY', 'ROOT', 'TEMP', 'STORAGE', 'NETWORK', 'BATTERY', 'ANDROID', 'SLOT'];

/**
 * @param width columns of the terminal: where the lines are longer, columns are left out, and what is longer yet is cut
 * @returns lines; text from phones cannot reach the terminal's controls
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
