/**
 * Reads the payload of `host:devices-l`: one line a phone, no header.
 *
 * Source: AOSP adb/transport.cpp, append_transport(): the serial padded to 22, a blank, the state, then
 * ` usb:…`, ` product:`, ` model:`, ` device:` each only where known, ` transport_id:N` last (platform-tools 28+).
 * A serial may hold blanks (mDNS names), so may `product:` and `device:`, and `no permissions (…)` always does.
 */
import { ParseError } from '../errors.ts';
import { present } from '../present.ts';
import type { ListedDevice } from './adb.ts';

/** adb's words (adb/adb.h, ConnectionState); the two of two words are kept apart below. */
const STATES =
  'device|unauthorized|authorizing|offline|connecting|recovery|rescue|sideload|bootloader|detached|host|unknown';

const DETAILS = /\s(?:usb|product|model|device|features|transport_id):/;
const NO_PERMISSIONS = /^(|[\s\S]*?\s)no permissions\b([\s\S]*)$/;
const KNOWN_STATE = new RegExp(`^(|.*?\\s)(no device|${STATES})(?:\\s+(\\d+-[\\d.]+|\\d+X?))?$`);
const OTHER_STATE = /^(\S+)\s+([a-z]\S*)$/;

/** What adb prints where the phone has told no serial number. */
const NO_SERIAL = new Set(['(no serial number)', '????????????']);

/** What the `adb` command prints around the list of its server. */
const BANNER = /^\s{0,8}(?:List of devices attached|\* |adb server |error: )/;

const MAX_LINE = 2048;

/**
 * @param payload lines of `host:devices-l` or `host:devices` (serial, TAB, state), or all that `adb devices -l` prints
 * @returns the phones, in adb's order; lines that are none (server banners, halves of a broken property) are left out
 * @throws {ParseError} when there is text and not one line of it is a phone
 */
export function parseDeviceList(payload: string): ListedDevice[] {
  const lines = payload.split(/[\r\n]/).filter((line) => line.trim() !== '' && !BANNER.test(line));
  const devices = lines.flatMap((line) => parseLine(line.slice(0, MAX_LINE)) ?? []);
  if (lines.length > 0 && devices.length === 0) throw new ParseError('host:devices-l', payload);
  return devices;
}

function parseLine(line: string): ListedDevice | undefined {
  const detailsAt = DETAILS.exec(line)?.index ?? line.length;
  const head = parseHead(line.slice(0, detailsAt).replaceAll('\t', ' ').trimEnd());
  if (head === undefined) return undefined;
  const details = line.slice(detailsAt).trimEnd();
  const transportId = / transport_id:(\d+)$/.exec(details)?.[1];
  return present({
    ...head,
    serial: NO_SERIAL.has(head.serial) ? '' : head.serial,
    // the first detail, if any: further behind, the phone itself may say so
    devpath: /^\s*usb:(\S+)/.exec(details)?.[1] ?? head.devpath,
    product: detail(details, 'product'),
    model: detail(details, 'model'),
    device: detail(details, 'device'),
    transportId: transportId === undefined ? undefined : Number(transportId),
  });
}

/** Serial and state, and the USB path where it has no `usb:` before it. */
function parseHead(head: string) {
  const refused = NO_PERMISSIONS.exec(head);
  if (refused) {
    const [, serial = '', rest = ''] = refused;
    return { serial: serial.trim(), state: 'no permissions', reason: withinBrackets(rest) };
  }
  const known = KNOWN_STATE.exec(head);
  if (known) return { serial: known[1]?.trim() ?? '', state: known[2] ?? '', devpath: known[3] };
  const other = OTHER_STATE.exec(head);
  return other ? { serial: other[1] ?? '', state: other[2] ?? '', devpath: undefined } : undefined;
}

/** What stands between the first bracket and the last one. */
function withinBrackets(text: string): string | undefined {
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
  return open >= 0 && close > open ? text.slice(open + 1, close) : undefined;
}

/** The value after ` key:`, up to the next key; it may hold blanks. */
function detail(details: string, key: string): string | undefined {
  const start = details.indexOf(` ${key}:`);
  if (start < 0) return undefined;
  const value = details.slice(start + key.length + 2);
  return value.slice(0, DETAILS.exec(value)?.index).trim() || undefined;
}
