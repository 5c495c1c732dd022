/**
 * Checks `host:devices-l` against `host:devices`, which has only serials and states.
 *
 * The long list contains text that phones choose. So a phone can forge lines for phones that do not exist, or for
 * others with a wrong USB port. The short list contains only their serials, in the same order.
 */
import { ParseError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { isPassing, type ListedDevice } from './adb.ts';
import { eachLine, named } from './device-list.ts';
import {
  behind,
  claimAll,
  claimOfEach,
  counted,
  deviceOf,
  Former,
  Groups,
  isWhole,
  MOST_DOUBTS,
  type Pair,
  parsePair,
} from './line-claims.ts';

export interface ConfirmedList {
  /** In adb's order. */
  devices: ListedDevice[];
  /** Lines that we ignored in whole or in part, printable. */
  doubts: string[];
}

/** Twice what a roster holds. No adb server serves this many phones: a phone forged the rest. */
const MOST_LISTED = 4_000;
const LONGEST_DOUBT = 200;

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
  const ordered = inOrder(long, shortLines, pairs);
  if (ordered === undefined) return bounded(...inAnyOrder(long, shortLines, pairs, before), isCut);
  const devices = ordered.flatMap(({ line, pair }) => (pair ? deviceOf(line, pair) : []));
  const isNumbered = devices.every(({ transportId }) => transportId !== undefined);
  const ids = counted(devices.map(({ transportId }) => transportId));
  const believed = devices.map((device) =>
    isNumbered && ids.get(device.transportId) === 1 ? device : withoutNumber(device),
  );
  return bounded(
    withoutSharedPorts(believed),
    ordered.filter(({ pair }) => pair === undefined).map(({ line }) => line),
    isCut,
  );
}

/**
 * The phones while the server cannot send its long list: those of the short one.
 *
 * @param before the last list: a phone that is still listed, and alone with its serial, keeps its USB port
 */
export function shortList(short: string, before: readonly ListedDevice[]): ConfirmedList {
  const { lines, isCut } = firstLines(short);
  const pairs = lines.flatMap((line) => parsePair(line) ?? []);
  const devices = pairs.map(({ serial, state }) => named(serial, state));
  const counts = counted(devices.map(({ serial }) => serial));
  const former = new Former(before);
  const known = devices.map((device) => {
    const same = former.of(device.serial);
    const devpath = same.length === 1 && counts.get(device.serial) === 1 ? same[0]?.devpath : undefined;
    return omitUndefined({ ...device, devpath });
  });
  return bounded(known, devices.length > 0 ? ['the long list: too long'] : [], isCut);
}

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
): { line: string; pair?: Pair }[] | undefined {
  const claims: { line: string; pair?: Pair }[] = [];
  let isBroken = false;
  for (const line of eachLine(long)) {
    const index = claims.length;
    if (index === MOST_LISTED) break;
    const pair = pairs[index];
    const isPiece = line === shortLines[index];
    const isMeant = pair !== undefined && behind(line, pair) !== undefined;
    if (!isPiece && !isMeant) return undefined;
    claims.push(isPiece || isBroken || pair === undefined ? { line } : { line, pair });
    isBroken = isPiece;
  }
  return claims.length === shortLines.length ? claims : undefined;
}

/** The phones of the short list, with what their lines in the long list add. */
function inAnyOrder(
  long: string,
  shortLines: readonly string[],
  pairs: readonly (Pair | undefined)[],
  before: readonly ListedDevice[],
): [devices: ListedDevice[], doubts: string[]] {
  const former = new Former(before);
  const groups = new Groups(pairs);
  const doubts = claimAll(long, counted(shortLines), groups, former);
  const found = new Map<Pair, Found>();
  for (const group of groups.all) {
    for (const [pair, claim] of claimOfEach(group, former)) {
      const device = claim ? deviceOf(claim.line, pair) : named(pair.serial, pair.state);
      found.set(pair, { device, hasOwnNumber: claim !== undefined && isWhole(claim) });
    }
  }
  const counts = counted([...found.values()].map(({ device }) => device.serial));
  const listed = pairs.flatMap(
    (pair) => (pair && (found.get(pair) ?? unclaimed(pair, counts, former))) ?? [],
  );
  return [withoutSharedPorts(withOwnNumbers(listed, former)), doubts];
}

interface Found {
  device: ListedDevice;
  /** The number in its line is adb's. */
  hasOwnNumber: boolean;
}

/** A phone that no line of the long list is about counts only if we know it. It keeps its port if it is alone. */
function unclaimed({ serial, state }: Pair, counts: Map<string, number>, former: Former): Found | undefined {
  const device = named(serial, state);
  const same = former.of(device.serial);
  const count = counts.get(device.serial) ?? 0;
  if (count >= same.length) return undefined;
  counts.set(device.serial, count + 1);
  const devpath = same.length === 1 ? same[0]?.devpath : undefined;
  return { device: omitUndefined({ ...device, devpath }), hasOwnNumber: false };
}

const withoutNumber = ({ transportId: _, ...device }: ListedDevice): ListedDevice => device;

/**
 * adb writes the number at the end of a phone's text. So a number before other text is the phone's own. Each number
 * belongs to one phone: that which had it before, else the only one that has it at its end.
 */
function withOwnNumbers(listed: readonly Found[], former: Former): ListedDevice[] {
  const believed = listed.filter(({ device, hasOwnNumber }) => hasOwnNumber || former.has(device));
  const ids = counted(believed.map(({ device }) => device.transportId));
  return listed.map(({ device, hasOwnNumber }) =>
    former.has(device) || (hasOwnNumber && ids.get(device.transportId) === 1)
      ? device
      : withoutNumber(device),
  );
}

/** Two phones never share a USB port, unless one of them is disconnecting. */
function withoutSharedPorts(devices: readonly ListedDevice[]): ListedDevice[] {
  const lasting = devices.filter(({ state }) => !isPassing(state));
  const ports = counted(lasting.map(({ devpath }) => devpath));
  return devices.map(({ devpath, ...device }) =>
    omitUndefined({
      ...device,
      devpath: isPassing(device.state) || (ports.get(devpath) ?? 0) < 2 ? devpath : undefined,
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
