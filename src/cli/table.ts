/** Phones as a table for a terminal. */
import type { Line, Style } from '../base/styled-text.ts';
import { naturalOrder } from '../base/words.ts';
import type { DeviceInfo } from '../cloud/contract/report.ts';
import { type ColumnOf, tableOfItems, temperatureText, usageText } from './columns.ts';

export interface TableOptions {
  /** Columns of the terminal. */
  width?: number | undefined;
  /** The name of a phone's slot, by its udid. */
  slotOf?(udid: string): string | undefined;
  /** A name of this host that only this run has: the table leaves it out of the udids. */
  passingNodeId?: string | undefined;
}

const columnsWith = ({
  slotOf = () => undefined,
  passingNodeId,
}: TableOptions): readonly ColumnOf<DeviceInfo>[] => [
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
    value: ({ battery: { temperature } = {} }) =>
      temperatureText(temperature === undefined ? undefined : temperature / 10),
    alignRight: true,
  },
  {
    title: 'STORAGE',
    value: ({ storage }) => storage && usageText(storage.used, storage.total),
    alignRight: true,
  },
  {
    title: 'MEMORY',
    value: ({ memory }) => memory && usageText(memory.used, memory.total),
    alignRight: true,
  },
  { title: 'NETWORK', value: ({ networkReachability }) => networkReachability?.status.toLowerCase() },
  { title: 'ROOT', value: ({ isRooted }) => (isRooted === undefined ? undefined : isRooted ? 'yes' : 'no') },
  { title: 'WHAT TO DO', value: ({ message }) => message, isSentence: true },
];

/** `emulator-5554` of `emulator-5554@HOST`. */
const withoutHost = (udid: string, nodeId?: string): string =>
  nodeId !== undefined && udid.endsWith(`@${nodeId}`) ? udid.slice(0, -nodeId.length - 1) : udid;

const styleOf = (state: string, message: string): Style =>
  state === 'device' ? (message === '' ? 'green' : 'yellow') : 'red';

/** Columns that a narrow terminal drops, in this order. */
const DISPENSABLE = ['MEMORY', 'ROOT', 'TEMP', 'STORAGE', 'NETWORK', 'BATTERY', 'ANDROID', 'SLOT'];

/**
 * One row per phone, sorted by slot and udid.
 *
 * @returns lines; escapes control characters in text from phones
 */
export function tableOf(devices: readonly DeviceInfo[], options: TableOptions = {}): Line[] {
  const { width, slotOf = () => undefined } = options;
  const placed = devices.map((device) => ({ device, slot: slotOf(device.udid) }));
  const sorted = placed
    .sort((one, other) => bySlot(one.slot, other.slot) || naturalOrder(one.device.udid, other.device.udid))
    .map(({ device }) => device);
  return tableOfItems(columnsWith(options), sorted, { width, dispensable: DISPENSABLE });
}

/** Those without a slot last. */
const bySlot = (one: string | undefined, other: string | undefined): number =>
  Number(one === undefined) - Number(other === undefined) || naturalOrder(one ?? '', other ?? '');
