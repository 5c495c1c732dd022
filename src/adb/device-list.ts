/**
 * Reads the payload of `host:devices-l`: one line a phone, no header.
 *
 * Source: AOSP adb/transport.cpp, append_transport(): the serial padded to 22, a blank, the state, then ` usb:…`, `
 * product:`, ` model:`, ` device:` each only where known, ` transport_id:N` last (platform-tools 28+). The phone
 * chooses its serial, `product:` and `device:`, and can imitate a line of another phone. So `usb:` counts only directly
 * after the state, `transport_id:` only at the end, and only a line feed ends a line.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { ListedDevice } from './adb.ts';

const DETAILS = /\s(?:usb|product|model|device|features|transport_id):/;
/** What adb prints for a phone without a serial number. */
const NO_SERIAL = new Set(['(no serial number)', '????????????']);

/** Limit of what we read of a line, characters. */
const LONGEST_LINE = 2048;
/** Limit of each property in the list, characters. */
const LONGEST_PROPERTY = 128;

/** What follows serial and state in a line. */
type Details = Pick<ListedDevice, 'devpath' | 'product' | 'model' | 'device' | 'transportId'>;

/**
 * The lines of a list, without the carriage returns of a terminal or Windows; one at a time: a phone can write 500,000.
 */
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
