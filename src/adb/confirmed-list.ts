/**
 * Which phones of `host:devices-l` are there: those that `host:devices`, serial and state alone, names as well.
 *
 * The long list carries text that phones choose, so a phone can write lines of phones that there are not, or of others
 * with another USB port. The short list has nothing of theirs but the serials, in the same order.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { ListedDevice } from './adb.ts';
import { detailsOf, linesOf, named, parseDeviceList } from './device-list.ts';
import { isPassing } from './passing-state.ts';

export interface ConfirmedList {
  /** In adb's order. */
  devices: ListedDevice[];
  /** Lines that were not taken, or not wholly, printable. */
  doubts: string[];
}

/** No adb server serves so many phones: what is beyond is a phone's invention. */
const MOST_LISTED = 10_000;
/** Serials of USB have 126 characters at most, network names some 300. */
const LONGEST_SERIAL = 1024;
const LONGEST_DOUBT = 200;
const MOST_DOUBTS = 20;

/** What the short list says of one phone; the state with the reason that adb adds to it. */
interface Pair {
  serial: string;
  state: string;
}

/** A line of the long list, and the phone of the short list that it is. */
interface Claim {
  line: string;
  pair?: Pair;
  /** More lines than one claim to be this phone: nothing but the pair is known. */
  isContested?: boolean;
}

/**
 * @param long the payload of `host:devices-l`
 * @param short the payload of `host:devices`, asked beside it: a phone that came or went between has a line in one alone
 * @throws {ParseError} when there is text and not one line of it is a phone
 */
export function confirmList(long: string, short: string): ConfirmedList {
  if (long === short) return bounded(parseDeviceList(long), []); // a server that knows one kind of list
  const lines = linesOf(long);
  const shortLines = linesOf(short);
  const pairs = shortLines.map(parsePair);
  if (!pairs.some((pair) => pair !== undefined)) parseDeviceList(long);
  const claims = inOrder(lines, shortLines, pairs) ?? inAnyOrder(lines, shortLines);
  const devices = claims.flatMap((claim) => deviceOf(claim) ?? []);
  const doubtful = claims.filter(({ pair, isContested }) => pair === undefined || isContested);
  return bounded(
    withoutDoubles(devices),
    doubtful.map(({ line }) => line),
  );
}

/**
 * What is known while the server does not say its long list: the phones of the short one.
 *
 * @param before the list as it was last: a phone that is still there, the only one of its serial, has its USB port still
 */
export function shortList(short: string, before: readonly ListedDevice[]): ConfirmedList {
  const pairs = linesOf(short).flatMap((line) => parsePair(line) ?? []);
  const devices = pairs.map(({ serial, state }) => named(serial, state));
  const counts = counted(devices.map(({ serial }) => serial));
  const portOf = ({ serial }: ListedDevice) => {
    const same = before.filter((device) => device.serial === serial);
    return same.length === 1 && counts.get(serial) === 1 ? same[0]?.devpath : undefined;
  };
  const known = devices.map((device) => omitUndefined({ ...device, devpath: portOf(device) }));
  return bounded(known, devices.length > 0 ? ['the long list: too long for adb to send'] : []);
}

const PAIR = /^(.*)\t(no permissions.*|no device|[a-z]\S*)$/s;

function parsePair(line: string): Pair | undefined {
  const [, serial = '', state = ''] = PAIR.exec(line) ?? [];
  return state === '' || serial.length > LONGEST_SERIAL ? undefined : { serial, state };
}

/** What follows serial and state; undefined where this is no line of that phone. */
function behind(line: string, { serial, state }: Pair): string | undefined {
  if (!line.startsWith(serial)) return undefined;
  const rest = line.slice(serial.length);
  const blanks = /^ +/.exec(rest)?.[0].length ?? 0; // TABs are in the short list alone
  if (blanks === 0 || !rest.startsWith(state, blanks)) return undefined;
  const details = rest.slice(blanks + state.length);
  return details === '' || details.startsWith(' ') ? details : undefined;
}

/**
 * Line by line, where nothing came or went between. A serial with line feeds puts the same further lines into both
 * lists, in front of its last one: they are nobody's, and the last one is no whole serial.
 *
 * @returns undefined where the lists are not of one moment
 */
function inOrder(
  lines: readonly string[],
  shortLines: readonly string[],
  pairs: readonly (Pair | undefined)[],
): Claim[] | undefined {
  if (lines.length !== shortLines.length) return undefined;
  const claims: Claim[] = [];
  let isBroken = false;
  for (const [index, line] of lines.entries()) {
    const pair = pairs[index];
    const isPiece = line === shortLines[index];
    const isMeant = pair !== undefined && behind(line, pair) !== undefined;
    if (!isPiece && !isMeant) return undefined;
    claims.push(isPiece || isBroken || pair === undefined ? { line } : { line, pair });
    isBroken = isPiece;
  }
  return claims;
}

/** Each phone of the short list has one line: of those that more lines claim nothing but the pair is taken. */
function inAnyOrder(lines: readonly string[], shortLines: readonly string[]): Claim[] {
  const pieces = counted(lines);
  const inShort = counted(shortLines);
  const groups = new Map<string, { pair: Pair; count: number; claimed: number }>();
  for (const line of shortLines) {
    const pair = isOneOf(pieces, line) ? undefined : parsePair(line);
    if (pair === undefined) continue;
    const key = `${pair.serial}\t${pair.state}`;
    const count = (groups.get(key)?.count ?? 0) + 1;
    groups.set(key, { pair, count, claimed: 0 });
  }
  // `a device` may be a serial as well as `a`: the longer one says more of the line
  const longestFirst = [...groups.values()].sort((a, b) => b.pair.serial.length - a.pair.serial.length);
  const claims = lines.map((line) => {
    if (isOneOf(inShort, line)) return { line }; // a piece of a serial
    const group = longestFirst.find(({ pair }) => behind(line, pair) !== undefined);
    if (group) group.claimed += 1;
    return { line, group };
  });
  const given = new Set<unknown>();
  return claims.map(({ line, group }) => {
    if (group === undefined) return { line };
    const { pair, count, claimed } = group;
    if (claimed <= count) return { line, pair };
    if (count > 1 || given.has(group)) return { line };
    given.add(group);
    return { line, pair, isContested: true };
  });
}

/** Takes one of these away. */
function isOneOf(counts: Map<string, number>, line: string): boolean {
  const count = counts.get(line) ?? 0;
  if (count > 0) counts.set(line, count - 1);
  return count > 0;
}

function deviceOf({ line, pair, isContested }: Claim): ListedDevice | undefined {
  if (pair === undefined) return undefined;
  const details = isContested ? {} : detailsOf(behind(line, pair) ?? '');
  return { ...named(pair.serial, pair.state), ...details };
}

/**
 * A server numbers all connections or none, and no number twice. Two phones are not at one USB port, unless one of
 * them is on its way out.
 */
function withoutDoubles(devices: readonly ListedDevice[]): ListedDevice[] {
  const isNumbered = devices.every(({ transportId }) => transportId !== undefined);
  const ids = counted(devices.map(({ transportId }) => transportId));
  const lasting = devices.filter(({ state }) => !isPassing(state));
  const ports = counted(lasting.map(({ devpath }) => devpath));
  return devices.map(({ transportId, devpath, ...device }) =>
    omitUndefined({
      ...device,
      devpath: isPassing(device.state) || (ports.get(devpath) ?? 0) < 2 ? devpath : undefined,
      transportId: isNumbered && (ids.get(transportId) ?? 0) < 2 ? transportId : undefined,
    }),
  );
}

function counted<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function bounded(devices: ListedDevice[], doubts: readonly string[]): ConfirmedList {
  const beyond = devices.length - MOST_LISTED;
  const all = beyond > 0 ? [...doubts, `${beyond} lines behind the ${MOST_LISTED}th`] : doubts;
  return {
    devices: beyond > 0 ? devices.slice(0, MOST_LISTED) : devices,
    doubts: all.slice(-MOST_DOUBTS).map((line) => printable(line, LONGEST_DOUBT)),
  };
}
