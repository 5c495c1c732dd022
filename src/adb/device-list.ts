/**
 * Reads adb's list of phones, `host:devices-l`: one line a phone, no header. And checks it against `host:devices`, which
 * has only serials and states.
 *
 * Source: AOSP adb/transport.cpp, append_transport(): the serial padded to 22, a blank, the state, then ` usb:…`, `
 * product:`, ` model:`, ` device:` each only where known, ` transport_id:N` last (platform-tools 28+). The phone
 * chooses its serial, `product:` and `device:`, and can imitate a line of another phone. So `usb:` counts only directly
 * after the state, `transport_id:` only at the end, and only a line feed ends a line.
 *
 * So a phone can forge lines for phones that do not exist, or for others with a wrong USB port. The short list contains
 * only their serials, in the same order.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { isPassing, type ListedDevice } from './adb.ts';

export interface ConfirmedList {
  /** In adb's order. */
  devices: ListedDevice[];
  /** Lines that we ignored in whole or in part, printable. */
  doubts: string[];
}

/** Twice what a roster holds. No adb server serves this many phones: a phone forged the rest. */
const MOST_LISTED = 4_000;
const MOST_DOUBTS = 20;
const LONGEST_DOUBT = 200;
/** USB serials have at most 126 characters, network names about 300. */
const LONGEST_SERIAL = 1024;

/** One phone of the short list. The state includes the reason that adb adds. */
interface Pair {
  serial: string;
  state: string;
}

/**
 * @param long the payload of `host:devices-l`
 * @param short the payload of `host:devices`, read at the same time; a new phone counts only if it is in both
 * @param before the last list: its phones need only the short list, and of several lines for one phone we believe the
 *   one with its former port and number
 * @throws {ParseError} when the short list has text and not one serial with a state
 */
export function confirmList(
  long: string,
  short: string,
  before: readonly ListedDevice[] = [],
): ConfirmedList {
  const { lines: shortLines, isCut } = firstLines(short);
  if (shortLines.length > 0 && !short.includes('\t')) throw new ParseError('host:devices-l', long);
  if (long === short) return { ...shortList(short, before), doubts: [] }; // a server with only one kind of list
  // the server forges both: the long list would take seconds to read
  if (isCut && endOfLine(long, 2 * MOST_LISTED) !== undefined) return shortList(short, before);
  const pairs = shortLines.map(parsePair);
  const { devices, doubts } = inOrder(long, shortLines, pairs) ?? inAnyOrder(long, shortLines, pairs, before);
  return bounded(withoutSharedPorts(devices), doubts, isCut);
}

/**
 * The phones while the server cannot send its long list: those of the short one.
 *
 * @param before the last list: a phone that is still listed, and alone with its serial, keeps its USB port
 */
export function shortList(short: string, before: readonly ListedDevice[]): ConfirmedList {
  const { lines, isCut } = firstLines(short);
  const devices = lines
    .flatMap((line) => parsePair(line) ?? [])
    .map(({ serial, state }) => named(serial, state));
  const bySerial = Map.groupBy(devices, ({ serial }) => serial);
  const formerly = Map.groupBy(before, ({ serial }) => serial);
  const known = devices.map((device) => {
    const [same, ...others] = formerly.get(device.serial) ?? [];
    const isAlone = others.length === 0 && bySerial.get(device.serial)?.length === 1;
    return omitUndefined({ ...device, devpath: isAlone ? same?.devpath : undefined });
  });
  return bounded(known, devices.length > 0 ? ['the long list: too long'] : [], isCut);
}

const PAIR = /^(.*)\t(no permissions.*|no device|[a-z]\S{0,63})$/s;

function parsePair(line: string): Pair | undefined {
  const [, serial = '', state = ''] = PAIR.exec(line) ?? [];
  return state === '' || serial.length > LONGEST_SERIAL ? undefined : { serial, state };
}

/** The text after serial and state; undefined if the line is not about that phone. */
function behind(line: string, { serial, state }: Pair): string | undefined {
  if (!line.startsWith(serial)) return undefined;
  const rest = line.slice(serial.length);
  const blanks = /^ +/.exec(rest)?.[0].length ?? 0; // only the short list has TABs
  if (blanks === 0 || !rest.startsWith(state, blanks)) return undefined;
  const details = rest.slice(blanks + state.length);
  return details === '' || details.startsWith(' ') ? details : undefined;
}

const deviceOf = (line: string, pair: Pair): ListedDevice => ({
  ...named(pair.serial, pair.state),
  ...detailsOf(behind(line, pair) ?? ''),
});

/**
 * Matches line by line, if no phone came or left in between. A serial with line feeds adds the same extra lines to both
 * lists, before its last line. These lines belong to no phone, and the last line has only a part of the serial.
 *
 * @returns undefined if the lists differ in time, or a phone broke its line of the long one
 */
function inOrder(
  long: string,
  shortLines: readonly string[],
  pairs: readonly (Pair | undefined)[],
): ConfirmedList | undefined {
  const devices: ListedDevice[] = [];
  const doubts: string[] = [];
  let index = 0;
  let isBroken = false;
  for (const line of eachLine(long)) {
    if (index === MOST_LISTED) break;
    const pair = pairs[index];
    const isPiece = line === shortLines[index];
    const isMeant = pair !== undefined && behind(line, pair) !== undefined;
    if (!isPiece && !isMeant) return undefined;
    if (isPiece || isBroken || pair === undefined) doubts.push(line);
    else devices.push(deviceOf(line, pair));
    isBroken = isPiece;
    index += 1;
  }
  if (index !== shortLines.length) return undefined;
  const isNumbered = devices.every(({ transportId }) => transportId !== undefined);
  const ids = Map.groupBy(devices, ({ transportId }) => transportId);
  const isOwn = ({ transportId }: ListedDevice) => isNumbered && ids.get(transportId)?.length === 1;
  return { devices: devices.map((device) => (isOwn(device) ? device : withoutNumber(device))), doubts };
}

/**
 * The phones of the short list, with what their lines in the long list add, where these are as many as the phones of one
 * name. Where a phone has forged more, those with a connection that we know; else only serial and state are certain.
 */
function inAnyOrder(
  long: string,
  shortLines: readonly string[],
  pairs: readonly (Pair | undefined)[],
  before: readonly ListedDevice[],
): ConfirmedList {
  const lines = [...eachLine(long)];
  const pieces = new Set(shortLines); // of serials with line feeds
  const ends = new Set(lines.filter((_, at) => pieces.has(lines[at - 1] ?? ''))); // of such serials
  const byWord = Map.groupBy(lines, (line) => (pieces.has(line) ? '' : firstWord(line)));
  const formerly = Map.groupBy(before, ({ serial }) => withoutTrailingBlanks(serial));
  const found = new Map<Pair, { device: ListedDevice; line?: string; isKnown?: boolean }>();
  const namesakes = Map.groupBy(
    pairs.filter((pair) => pair !== undefined),
    ({ serial, state }) => `${withoutTrailingBlanks(serial)}\t${state}`, // the long list pads a serial with blanks
  );
  // `a device` may be a serial as well as `a`: the longer one explains more of a line
  for (const [, twins] of [...namesakes].sort(([one], [other]) => other.length - one.length)) {
    const [{ serial, state } = { serial: '', state: '' }] = twins;
    const short = { serial: withoutTrailingBlanks(serial), state };
    const former = formerly.get(named(short.serial, state).serial) ?? [];
    const isKnown = (line: string) => former.some((one) => isOf(line, short, one));
    const word = firstWord(serial);
    const isClaim = (line: string) => behind(line, short) !== undefined;
    const { true: all = [], false: others = [] } = Object.groupBy(
      byWord.get(word) ?? [],
      (line) => `${isClaim(line)}`,
    );
    byWord.set(word, others);
    const claims = all.length > twins.length ? all.filter(isKnown) : all;
    if (all.length < twins.length) {
      // what has blanks at its end, or stands behind a piece, may be a piece itself
      twins.sort((one, other) => one.serial.length - other.serial.length);
      claims.sort((one, other) => Number(ends.has(one)) - Number(ends.has(other)));
    }
    for (const [index, pair] of twins.entries()) {
      if (index >= Math.max(all.length, former.length)) break; // it came meanwhile, or is a piece of a serial
      const line = claims[index];
      const devpath = former.length === 1 ? former[0]?.devpath : undefined;
      if (line === undefined)
        found.set(pair, { device: omitUndefined({ ...named(pair.serial, state), devpath }) });
      else found.set(pair, { device: deviceOf(line, pair), line, isKnown: isKnown(line) });
    }
  }
  // adb writes the number at the end of each phone's text, so that of a forged one is there twice
  const numbers = Map.groupBy(lines, (line) =>
    pieces.has(line) ? '' : line.slice(line.lastIndexOf(' ') + 1),
  );
  const isOwn = ({ transportId }: ListedDevice) => numbers.get(`transport_id:${transportId}`)?.length === 1;
  const used = new Set(Array.from(found.values(), ({ line }) => line));
  return {
    devices: pairs.flatMap((pair) => {
      const { device, isKnown } = (pair && found.get(pair)) ?? {};
      return device === undefined ? [] : [isKnown || isOwn(device) ? device : withoutNumber(device)];
    }),
    doubts: lines.filter((line) => !used.has(line)),
  };
}

function withoutTrailingBlanks(serial: string): string {
  let end = serial.length;
  while (serial[end - 1] === ' ') end -= 1;
  return serial.slice(0, end);
}

const firstWord = (text: string): string => text.split(' ', 1)[0] ?? '';

/** Is it the line of this former phone? Cheap first: a phone may write 500,000 lines. */
const isOf = (line: string, pair: Pair, { devpath, transportId }: ListedDevice): boolean => {
  if (transportId !== undefined && !line.endsWith(` transport_id:${transportId}`)) return false;
  const device = deviceOf(line, pair);
  return device.devpath === devpath && device.transportId === transportId;
};

const withoutNumber = ({ transportId: _, ...device }: ListedDevice): ListedDevice => device;

/** Two phones never share a USB port, unless one of them is disconnecting. */
function withoutSharedPorts(devices: readonly ListedDevice[]): ListedDevice[] {
  const lasting = devices.filter(({ state }) => !isPassing(state));
  const ports = Map.groupBy(lasting, ({ devpath }) => devpath);
  return devices.map(({ devpath, ...device }) =>
    omitUndefined({
      ...device,
      devpath: isPassing(device.state) || (ports.get(devpath)?.length ?? 0) < 2 ? devpath : undefined,
    }),
  );
}

function firstLines(short: string): { lines: string[]; isCut: boolean } {
  const end = endOfLine(short, MOST_LISTED) ?? short.length;
  return { lines: [...eachLine(short.slice(0, end))], isCut: end < short.length };
}

/** Where the text behind so many lines begins; undefined if there are fewer. */
function endOfLine(text: string, count: number): number | undefined {
  let end = 0;
  for (let line = 0; line < count; line += 1) {
    const feed = text.indexOf('\n', end);
    if (feed < 0) return undefined;
    end = feed + 1;
  }
  return end;
}

function bounded(devices: ListedDevice[], doubts: readonly string[], isCut: boolean): ConfirmedList {
  const all = isCut ? [...doubts, `lines behind the ${MOST_LISTED}th`] : doubts;
  return { devices, doubts: all.slice(-MOST_DOUBTS).map((line) => printable(line, LONGEST_DOUBT)) };
}

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
function* eachLine(payload: string): Generator<string> {
  for (let start = 0; start < payload.length; ) {
    const feed = payload.indexOf('\n', start);
    const end = feed < 0 ? payload.length : feed;
    const line = withoutTrailingReturns(payload.slice(start, end));
    start = end + 1;
    if (line.trim() !== '') yield line;
  }
}

function withoutTrailingReturns(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
}

/** @param state with the reason that adb adds to `no permissions` */
function named(serial: string, state: string): ListedDevice {
  const isRefused = state.startsWith('no permissions');
  return omitUndefined({
    serial: NO_SERIAL.has(serial) ? '' : serial,
    state: isRefused ? 'no permissions' : state,
    reason: isRefused ? withinBrackets(state)?.slice(0, LONGEST_LINE) : undefined,
  });
}

/** @param details what follows the state in a line of `host:devices-l`, up to its end */
function detailsOf(details: string): Details {
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
