/** Phones as a table for a terminal. */
import stringWidth from 'string-width';
import type { DeviceInfo } from '../cloud/contract.ts';
import { printable } from '../printable.ts';

const GAP = '  ';
const GIB = 1024 ** 3;

interface Column {
  title: string;
  value(device: DeviceInfo): string | undefined;
  alignRight?: boolean;
}

const columns: readonly Column[] = [
  { title: 'UDID', value: ({ udid }) => udid },
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

/**
 * @param width columns of the terminal; longer lines are cut
 * @returns lines; text from phones cannot reach the terminal's controls
 */
export function tableOf(devices: readonly DeviceInfo[], width = Number.POSITIVE_INFINITY): string[] {
  const rows = devices.map((device) => columns.map(({ value }) => printable(value(device) ?? '')));
  const shown = columns.map((_, index) => index === 0 || rows.some((row) => row[index] !== ''));
  const widths = columns.map(({ title }, index) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[index] ?? ''))),
  );
  return [columns.map(({ title }) => title), ...rows].map((row) => {
    const cells = row.map((text, index) => pad(text, widths[index] ?? 0, columns[index]?.alignRight));
    return cut(
      cells
        .filter((_, index) => shown[index])
        .join(GAP)
        .trimEnd(),
      width,
    );
  });
}

function pad(text: string, width: number, alignRight = false): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return alignRight ? blanks + text : text + blanks;
}

function cut(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  let kept = '';
  let keptWidth = 0;
  for (const char of line) {
    keptWidth += stringWidth(char);
    if (keptWidth >= width) break;
    kept += char;
  }
  return `${kept}…`;
}
