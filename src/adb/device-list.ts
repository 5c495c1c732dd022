/**
 * Reads the payload of `host:devices-l`: one line a phone, no header.
 *
 * Source: AOSP adb/transport.cpp, append_transport(): the serial padded to 22, a blank, the state, then ` usb:…`, `
 * product:`, ` model:`, ` device:` each only where known, ` transport_id:N` last (platform-tools 28+). The phone
 * chooses its serial, `product:` and `device:`, and can imitate a line of another phone. So `usb:` counts only directly
 * after the state, `transport_id:` only at the end, and only a line feed ends a line.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { ListedDevice } from './adb.ts';

/** adb's words (adb/adb.h, ConnectionState); the patterns below handle the two that have two words. */
const STATES =
  'device|unauthorized|authorizing|offline|connecting|recovery|rescue|sideload|bootloader|detached|host|unknown';

const DETAILS = /\s(?:usb|product|model|device|features|transport_id):/;
const NO_PERMISSIONS = /^(|.*?\s)no permissions\b(.*)$/s;
/** Some servers print the USB path without `usb:`. We ignore it: a phone could print it too. */
const KNOWN_STATE = new RegExp(`^(|.*?\\s)(no device|${STATES})(?: +\\d+-[\\d.]+)?$`, 's');
const OTHER_STATE = /^(\S+)\s+([a-z]\S*)$/;

/** What adb prints for a phone without a serial number. */
const NO_SERIAL = new Set(['(no serial number)', '????????????']);

/** What the `adb` command prints around the list of its server. */
const BANNER = /^\s{0,8}(?:List of devices attached|\* |adb server |error: )/;

/** Limit of a line whose serial is unknown, characters. */
const LONGEST_LINE = 2048;
/** Limit of each property in the list, characters. */
const LONGEST_PROPERTY = 128;

/** What follows serial and state in a line. */
type Details = Pick<ListedDevice, 'devpath' | 'product' | 'model' | 'device' | 'transportId'>;

/** The lines of a list, without the carriage returns of a terminal or Windows. */
export const linesOf = (payload: string): string[] => [...eachLine(payload)];

/** As `linesOf`, one line at a time: a phone can write 500,000 lines. */
export function* eachLine(payload: string): Generator<string> {
  for (let start = 0; start < payload.length; ) {
    const feed = payload.indexOf('\n', start);
    const end = feed < 0 ? payload.length : feed;
    const line = withoutReturns(payload.slice(start, end));
    start = end + 1;
    if (line.trim() !== '') yield line;
  }
}

/** A line without the carriage returns at its end. */
function withoutReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
}

/**
 * Parses a list by itself; `confirmList` then checks which phones are real.
 *
 * @param payload lines of `host:devices-l` or `host:devices` (serial, TAB, state), or all that `adb devices -l` prints
 * @returns the phones, in adb's order, without other lines (server banners, halves of a broken property)
 * @throws {ParseError} when there is text and not one line of it is a phone
 */
export function parseDeviceList(payload: string): ListedDevice[] {
  const lines = linesOf(payload).filter((line) => !BANNER.test(line));
  const devices = lines.flatMap((line) => parseLine(line) ?? []);
  if (lines.length > 0 && devices.length === 0) throw new ParseError('host:devices-l', payload);
  return devices;
}

function parseLine(line: string): ListedDevice | undefined {
  const start = line.slice(0, LONGEST_LINE);
  const detailsAt = DETAILS.exec(start)?.index ?? start.length;
  const head = parseHead(start.slice(0, detailsAt).replaceAll('\t', ' ').trimEnd());
  return head && omitUndefined({ ...named(head.serial, head.state), ...detailsOf(line.slice(detailsAt)) });
}

/** Serial and state, the reason with it. */
function parseHead(head: string): { serial: string; state: string } | undefined {
  const refused = NO_PERMISSIONS.exec(head);
  if (refused) return { serial: refused[1]?.trim() ?? '', state: `no permissions${refused[2]}` };
  const known = KNOWN_STATE.exec(head);
  if (known) return { serial: known[1]?.trim() ?? '', state: known[2] ?? '' };
  const other = OTHER_STATE.exec(head);
  return other ? { serial: other[1] ?? '', state: other[2] ?? '' } : undefined;
}

/**
 * A phone from its serial and state.
 *
 * @param state with the reason that adb adds to `no permissions`
 */
export function named(serial: string, state: string): ListedDevice {
  const isRefused = state.startsWith('no permissions');
  return omitUndefined({
    serial: NO_SERIAL.has(serial) ? '' : serial,
    state: isRefused ? 'no permissions' : state,
    reason: isRefused ? withinBrackets(state)?.slice(0, LONGEST_LINE) : undefined,
  });
}

/** @param details what follows the state in a line of `host:devices-l`, up to its end */
export function detailsOf(details: string): Details {
  const start = details.slice(0, LONGEST_LINE);
  const transportId = /(?:^| )transport_id:(\d{1,15})$/.exec(details.slice(-32))?.[1];
  return omitUndefined({
    // only as the first detail: later ones may be the phone's own text
    devpath: /^\s*usb:(\S{1,128})(?=\s|$)/.exec(start)?.[1],
    product: detail(start, 'product'),
    model: detail(start, 'model'),
    device: detail(start, 'device'),
    transportId: transportId === undefined ? undefined : Number(transportId),
  });
}

/** The text between the first and the last bracket. */
function withinBrackets(text: string): string | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  return open >= 0 && close > open ? text.slice(open + 1, close) : undefined;
}

/** The value after ` key:`, up to the next key; it may hold blanks. */
function detail(details: string, key: string): string | undefined {
  const start = details.indexOf(` ${key}:`);
  if (start < 0) return undefined;
  const value = details.slice(start + key.length + 2);
  return value.slice(0, DETAILS.exec(value)?.index).slice(0, LONGEST_PROPERTY).trim() || undefined;
}
