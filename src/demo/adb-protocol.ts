/**
 * What the simulated adb server says: its frames, its lists, and which phone a request means. A request is its length as
 * four hex digits, then its text; an answer is `OKAY` or `FAIL`, then an optional text, framed in the same way.
 *
 * Source: AOSP adb, SERVICES.TXT, adb_io.cpp; transport.cpp: append_transport, MatchesTarget, acquire_one_transport.
 */
import type { Socket } from 'node:net';
import type { SimulatedPhone } from './phone.ts';

/** A text behind its length in bytes. */
export function frame(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(bytes.length.toString(16).padStart(4, '0')), bytes]);
}

export const okay = (text?: string): Buffer =>
  Buffer.concat([Buffer.from('OKAY'), ...(text === undefined ? [] : [frame(text)])]);
export const fail = (reason: string): Buffer => Buffer.concat([Buffer.from('FAIL'), frame(reason)]);

/**
 * The requests of one connection, in order. Leaves the connection open when the caller stops reading.
 * Ends at the first bytes that are no frame, as the real server does.
 */
export async function* readRequests(socket: Socket): AsyncGenerator<string> {
  let held = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4) {
      const digits = held.toString('latin1', 0, 4);
      if (!/^[0-9a-f]{4}$/i.test(digits)) return;
      const end = 4 + Number.parseInt(digits, 16);
      if (held.length < end) break;
      const request = held.toString('utf8', 4, end);
      held = held.subarray(end);
      yield request;
    }
  }
}

/** One connection of the server to a phone, with the number that the server gave it. */
export interface Transport {
  readonly id: number;
  readonly phone: SimulatedPhone;
}

/** ` key:value`, or '' for an unknown value. */
const info = (key: string, value: string | undefined): string => (value ? ` ${key}:${value}` : '');

function lineOf({ id, phone }: Transport, isLong: boolean): string {
  const { serial, state, devpath, product, model, device } = phone;
  const printed = serial || '(no serial number)';
  if (!isLong) return `${printed}\t${state}\n`;
  const details = [
    info('usb', devpath),
    info('product', product),
    info('model', model?.replace(/[^A-Za-z0-9]/g, '_')),
    info('device', device),
  ];
  return `${printed.padEnd(22)} ${state}${details.join('')} transport_id:${id}\n`;
}

/** The text of `host:devices`, or of `host:devices-l`: USB first, then by serial. */
export function listTransports(transports: Iterable<Transport>, isLong: boolean): string {
  const kind = ({ phone }: Transport) => (phone.devpath === undefined ? 1 : 0);
  const order = (a: Transport, b: Transport) =>
    kind(a) - kind(b) || (a.phone.serial < b.phone.serial ? -1 : Number(a.phone.serial > b.phone.serial));
  return [...transports]
    .sort(order)
    .map((transport) => lineOf(transport, isLong))
    .join('');
}

/** Is this its serial, its `usb:` devpath, or its `product:`, …? */
export const isNamed = ({ serial, devpath, product, model, device }: SimulatedPhone, name: string): boolean =>
  [serial, `usb:${devpath}`, `product:${product}`, `model:${model}`, `device:${device}`].includes(name);

/**
 * The phone to which a request switches its connection.
 *
 * @returns a text is adb's refusal; undefined for any other request
 */
export function chosenBy(request: string, transports: Iterable<Transport>): Transport | string | undefined {
  const [, id, name = ''] = /^host:(?:transport-id:(\d+)|transport:(.+))$/s.exec(request) ?? [];
  if (id === undefined && name === '') return undefined;
  const [found, other] = [...transports].filter((transport) =>
    id === undefined ? isNamed(transport.phone, name) : transport.id === Number(id),
  );
  if (other !== undefined) return 'more than one device';
  if (found !== undefined) return refusal(found.phone.state) ?? found;
  return id === undefined ? `device '${name}' not found` : `no device with transport id '${id}'`;
}

/** Why a phone in this state is not usable; undefined if it is. */
function refusal(state: string): string | undefined {
  if (state === 'unauthorized') {
    return (
      "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that " +
      'seems wrong.\nOtherwise check for a confirmation dialog on your device.'
    );
  }
  if (state === 'offline') return 'device offline';
  if (state === 'connecting' || state === 'authorizing') return `device still ${state}`;
  if (state.startsWith('no permissions')) return `insufficient permissions for device${state.slice(14)}`;
  return undefined;
}
