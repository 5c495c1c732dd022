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

/** What a narrow terminal does without, the first of it first. */
const DISPENSABLE = ['MEMORY', 'ROOT', 'TEMP', 'STORAGE', 'NETWORK', 'BATTERY', 'ANDROID'];
/** Room for a sentence in the last column. */
const SENTENCE = 44;

/**
 * @param width columns of the terminal: where the lines are longer, columns are left out, and what is longer yet is cut
 * @returns lines; text from phones cannot reach the terminal's controls
 */
export function tableOf(devices: readonly DeviceInfo[], width = Number.POSITIVE_INFINITY): string[] {
  const rows = devices.map((device) => columns.map(({ value }) => printable(value(device) ?? '')));
  const widths = columns.map(({ title }, index) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[index] ?? ''))),
  );
  const filled = columns.map((_, index) => index === 0 || rows.some((row) => row[index] !== ''));
  const shown = fitting(filled, widths, width);
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

/** Of the columns that are shown, those for which there is room. */
function fitting(shown: readonly boolean[], widths: readonly number[], width: number): boolean[] {
  const kept = [...shown];
  const last = kept.lastIndexOf(true);
  const needed = () =>
    widths
      .map((each, index) => (index === last ? Math.min(each, SENTENCE) : each) + GAP.length)
      .reduce((sum, each, index) => (kept[index] ? sum + each : sum), -GAP.length);
  for (const title of DISPENSABLE) {
    if (needed() <= width) break;
    kept[columns.findIndex((column) => column.title === title)] = false;
  }
  return kept;
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
