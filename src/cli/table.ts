/** Phones as a table for a terminal. */
import type { Line, Style } from '../base/styled-text.ts';
import { naturalOrder } from '../base/words.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { type Cell, layOut, type TextColumn } from './columns.ts';

const GIB = 1024 ** 3;

interface PhoneColumn extends TextColumn {
  value(device: DeviceInfo): Cell | undefined;
}

/** The name of a phone's slot, by its udid. */
export type SlotOf = (udid: string) => string | undefined;

export interface TableOptions {
  /** Columns of the terminal. */
  width?: number | undefined;
  slotOf?: SlotOf;
  /** A name of this host that only this run has: the table leaves it out of the udids. */
  passingNodeId?: string | undefined;
}

const columnsWith = ({ slotOf = () => undefined, passingNodeId }: TableOptions): readonly PhoneColumn[] => [
  { title: 'UDID', value: ({ udid }) => withoutHost(udid, passingNodeId), leastWidth: 20 },
  { title: 'SLOT', value: ({ udid }) => slotOf(udid), leastWidth: 14 },
  { title: 'NAME', value: ({ deviceName }) => deviceName, leastWidth: 12 },
  { title: 'ANDROID', value: ({ platformVersion }) => platformVersion },
  { title: 'STATE', value: ({ state, message }) => ({ text: state, style: styleOf(state, message) }) },
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
  { title: 'WHAT TO DO', value: ({ message }) => message, isSentence: true },
];

/** `emulator-5554` of `emulator-5554@HOST`. */
const withoutHost = (udid: string, nodeId?: string): string =>
  nodeId !== undefined && udid.endsWith(`@${nodeId}`) ? udid.slice(0, -nodeId.length - 1) : udid;

const styleOf = (state: string, message: string): Style =>
  state === 'device' ? (message === '' ? 'green' : 'yellow') : 'red';

const usage = (bytes: { total: number; used?: number } | undefined): string | undefined =>
  bytes &&
  `${bytes.used === undefined ? '?' : (bytes.used / GIB).toFixed(1)} / ${(bytes.total / GIB).toFixed(1)} GiB`;

/** Columns that a narrow terminal drops, in this order. */
const DISPENSABLE = ['MEMORY', 'ROOT', 'TEMP', 'STORAGE', 'NETWORK', 'BATTERY', 'ANDROID', 'SLOT'];

/**
 * One row per phone, sorted by slot and udid.
 *
 * @returns lines; escapes control characters in text from phones
 */
export function tableOf(devices: readonly DeviceInfo[], options: TableOptions = {}): Line[] {
  const columns = columnsWith(options);
  const { width, slotOf = () => undefined } = options;
  const placed = devices.map((device) => ({ device, slot: slotOf(device.udid) }));
  const rows = placed
    .sort((one, other) => bySlot(one.slot, other.slot) || naturalOrder(one.device.udid, other.device.udid))
    .map(({ device }) => columns.map(({ value }) => value(device) ?? ''));
  return layOut(columns, rows, { width, dispensable: DISPENSABLE });
}

/** Those without a slot last. */
const bySlot = (one: string | undefined, other: string | undefined): number =>
  Number(one === undefined) - Number(other === undefined) || naturalOrder(one ?? '', other ?? '');
