/**
 * The transports of the simulated adb server: how it lists them, how a client names one of them, and the requests that it
 * answers by itself, without a conversation with a phone.
 *
 * Source: AOSP adb, transport.cpp: append_transport, MatchesTarget, acquire_one_transport; adb.cpp: handle_host_request.
 */
import { fail, frame, okay } from './adb-wire.ts';
import type { SimulatedPhone } from './phone.ts';

/** One connection of the server to a phone, with the number that the server gave it. */
export interface Transport {
  readonly id: number;
  readonly phone: SimulatedPhone;
}

const printedSerial = ({ serial }: SimulatedPhone): string => serial || '(no serial number)';

/** ` key:value`, or '' for an unknown value. */
const info = (key: string, value: string | undefined): string => (value ? ` ${key}:${value}` : '');

function shortLine({ phone }: Transport): string {
  return `${printedSerial(phone)}\t${phone.state}\n`;
}

function longLine({ id, phone }: Transport): string {
  const model = phone.model?.replace(/[^A-Za-z0-9]/g, '_');
  return (
    `${printedSerial(phone).padEnd(22)} ${phone.state}` +
    info('usb', phone.devpath) +
    info('product', phone.product) +
    info('model', model) +
    info('device', phone.device) +
    ` transport_id:${id}\n`
  );
}

/** The text of `host:devices`, or of `host:devices-l`: USB first, then by serial. */
export function listTransports(transports: Iterable<Transport>, long: boolean): string {
  const kind = ({ phone }: Transport) => (phone.devpath === undefined ? 1 : 0);
  const order = (a: Transport, b: Transport) =>
    kind(a) - kind(b) || (a.phone.serial < b.phone.serial ? -1 : Number(a.phone.serial > b.phone.serial));
  return [...transports]
    .sort(order)
    .map(long ? longLine : shortLine)
    .join('');
}

/** True if `target` names this one. A target is a serial, a devpath or `product:`, … */
export function matchesTarget({ phone }: Transport, target: string): boolean {
  return (
    target === phone.serial ||
    (phone.devpath !== undefined && target === `usb:${phone.devpath}`) ||
    (phone.product !== undefined && target === `product:${phone.product}`) ||
    (phone.model !== undefined && target === `model:${phone.model}`) ||
    (phone.device !== undefined && target === `device:${phone.device}`)
  );
}

/** Which transport a client asks for: by its number, by a target, or the only one. */
export type Wanted = { id: number } | { target: string } | 'any';

/** The requested transport if it is ready, or adb's refusal. */
export function findTransport(transports: Iterable<Transport>, wanted: Wanted): Transport | string {
  const matches = [...transports].filter(
    (transport) =>
      wanted === 'any' ||
      ('id' in wanted ? transport.id === wanted.id : matchesTarget(transport, wanted.target)),
  );
  const [transport, second] = matches;
  if (second !== undefined)
    return wanted === 'any' ? 'more than one device/emulator' : 'more than one device';
  if (transport === undefined) return missing(wanted);
  return refusal(transport.phone.state) ?? transport;
}

function missing(wanted: Wanted): string {
  if (wanted === 'any') return 'no devices/emulators found';
  return 'id' in wanted
    ? `no device with transport id '${wanted.id}'`
    : `device '${wanted.target}' not found`;
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

/** True if the client asks for the number of the transport, as clients since platform-tools 29 do. */
export const asksForNumber = (request: string): boolean => request.startsWith('host:tport:');

/** Which phone a request switches its connection to; undefined for any other request. */
export function wantedTransport(request: string): Wanted | undefined {
  if (/^host:(transport-|tport:)(any|usb|local)$/.test(request)) return 'any';
  const id = /^host:transport-id:(\d+)$/.exec(request)?.[1];
  if (id !== undefined) return { id: Number(id) };
  const target = /^host:(?:transport|tport:serial):(.+)$/s.exec(request)?.[1];
  return target === undefined ? undefined : { target };
}

const answer = (text: string): Buffer => Buffer.concat([okay, frame(text)]);

/**
 * The whole answer to a `host…` request.
 *
 * @param version the server's protocol version
 */
export function hostAnswer(request: string, transports: readonly Transport[], version: number): Buffer {
  if (request === 'host:version') return answer(version.toString(16).padStart(4, '0'));
  if (request === 'host:devices') return answer(listTransports(transports, false));
  if (request === 'host:devices-l') return answer(listTransports(transports, true));
  if (request === 'host:kill') return fail('simulated: not killed');
  const address = /^host:connect:(.*)$/s.exec(request)?.[1];
  // adb answers OKAY with a sentence even if it could not connect
  if (address !== undefined) return answer(`failed to connect to '${address}': simulated phones only`);
  return phoneQuery(request, transports) ?? fail('unknown host service');
}

/** The answer to a question about one phone; undefined for any other request. */
function phoneQuery(request: string, transports: readonly Transport[]): Buffer | undefined {
  const [, id, serial, query] =
    /^host(?:-transport-id:(\d+)|-serial:(.+))?:(features|get-state)$/s.exec(request) ?? [];
  if (query === undefined) return undefined;
  const wanted: Wanted =
    id !== undefined ? { id: Number(id) } : serial !== undefined ? { target: serial } : 'any';
  const found = findTransport(transports, wanted);
  if (typeof found === 'string') return fail(found);
  return answer(query === 'features' ? found.phone.features.join(',') : found.phone.state);
}
