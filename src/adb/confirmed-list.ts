/**
 * Checks `host:devices-l` against `host:devices`, which has only serials and states.
 *
 * The long list contains text that phones choose. So a phone can forge lines for phones that do not exist, or for
 * others with a wrong USB port. The short list contains only their serials, in the same order.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { ListedDevice } from './adb.ts';
import { detailsOf, linesOf, named, parseDeviceList } from './device-list.ts';
import { isPassing } from './passing-state.ts';

export interface ConfirmedList {
  /** In adb's order. */
  devices: ListedDevice[];
  /** Lines that we ignored in whole or in part, printable. */
  doubts: string[];
}

/** No adb server serves this many phones: a phone forged the rest. */
const MOST_LISTED = 10_000;
/** USB serials have at most 126 characters, network names about 300. */
const LONGEST_SERIAL = 1024;
const LONGEST_DOUBT = 200;
const MOST_DOUBTS = 20;

/** One phone of the short list. The state includes the reason that adb adds. */
interface Pair {
  serial: string;
  state: string;
}

/** A line of the long list, and its phone in the short list. */
interface Claim {
  line: string;
  pair?: Pair;
  /** Several lines claim to be this phone: only the pair is certain. */
  isContested?: boolean;
}

/**
 * @param long the payload of `host:devices-l`
 * @param short the payload of `host:devices`, read at the same time; a phone that came or left in between is in one
 *   only
 * @throws {ParseError} when there is text and not one line of it is a phone
 */
export function confirmList(long: string, short: string): ConfirmedList {
  if (long === short) return bounded(parseDeviceList(long), []); // a server with only one kind of list
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
 * The phones while the server cannot send its long list: those of the short one.
 *
 * @param before the last list: a phone that is still listed, and alone with its serial, keeps its USB port
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

/** The text after serial and state; undefined if the line is not about that phone. */
function behind(line: string, { serial, state }: Pair): string | undefined {
  if (!line.startsWith(serial)) return undefined;
  const rest = line.slice(serial.length);
  const blanks = /^ +/.exec(rest)?.[0].length ?? 0; // only the short list has TABs
  if (blanks === 0 || !rest.startsWith(state, blanks)) return undefined;
  const details = rest.slice(blanks + state.length);
  return details === '' || details.startsWith(' ') ? details : undefined;
}

/**
 * Matches line by line, if no phone came or left in between. A serial with line feeds adds the same extra lines to both
 * lists, before its last line. These lines belong to no phone, and the last line has only a part of the serial.
 *
 * @returns undefined if the lists differ in time
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

/** Each phone of the short list has one line. If several claim it, only the pair counts. */
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
  // `a device` may be a serial as well as `a`: the longer one explains more of the line
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

/** Removes one of these from the counts. */
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
 * A server numbers all connections or none, and each number once. Two phones never share a USB port, unless one of them
 * is disconnecting.
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
