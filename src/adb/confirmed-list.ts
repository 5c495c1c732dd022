/**
 * Checks `host:devices-l` against `host:devices`, which has only serials and states.
 *
 * The long list contains text that phones choose. So a phone can forge lines for phones that do not exist, or for
 * others with a wrong USB port. The short list contains only their serials, in the same order.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import type { ListedDevice } from './adb.ts';
import { detailsOf, eachLine, linesOf, named, parseDeviceList } from './device-list.ts';
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

/** A line of the long list that starts with serial and state of a phone in the short list. */
interface Claim {
  line: string;
  /** What follows the line: 2 the only line of another phone, or nothing; 1 a doubtful line of one; 0 other text. */
  ending: 0 | 1 | 2;
}

/** The phones that look the same in the long list, which pads a serial with blanks. */
interface Group {
  pairs: Pair[];
  /** How many lines claim to be one of them. */
  claimed: number;
  /** The first of these lines, one more than there are phones; more with a connection that we know. */
  claims: Claim[];
}

/**
 * @param long the payload of `host:devices-l`
 * @param short the payload of `host:devices`, read at the same time; a new phone counts only if it is in both
 * @param before the last list: its phones need only the short list, and of several lines for one phone we believe the
 *   one with its former port and number
 * @throws {ParseError} when there is text and not one line of it is a phone
 */
export function confirmList(
  long: string,
  short: string,
  before: readonly ListedDevice[] = [],
): ConfirmedList {
  if (long === short) return bounded(parseDeviceList(long), []); // a server with only one kind of list
  const shortLines = linesOf(short);
  const pairs = shortLines.map(parsePair);
  if (!pairs.some((pair) => pair !== undefined)) parseDeviceList(long);
  const ordered = inOrder(long, shortLines, pairs);
  if (ordered === undefined) return inAnyOrder(long, shortLines, pairs, before);
  const devices = ordered.flatMap(({ line, pair }) => (pair ? deviceOf(line, pair) : []));
  const isNumbered = devices.every(({ transportId }) => transportId !== undefined);
  const ids = counted(devices.map(({ transportId }) => transportId));
  const believed = devices.map((device) =>
    isNumbered && ids.get(device.transportId) === 1 ? device : withoutNumber(device),
  );
  return bounded(
    withoutSharedPorts(believed),
    ordered.filter(({ pair }) => pair === undefined).map(({ line }) => line),
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
  const former = new Former(before);
  const known = devices.map((device) => {
    const same = former.of(device.serial);
    const devpath = same.length === 1 && counts.get(device.serial) === 1 ? same[0]?.devpath : undefined;
    return omitUndefined({ ...device, devpath });
  });
  return bounded(known, devices.length > 0 ? ['the long list: too long for adb to send'] : []);
}

/** The last list, by serial. */
class Former {
  readonly #bySerial = new Map<string, ListedDevice[]>();

  constructor(before: readonly ListedDevice[]) {
    for (const device of before) {
      const same = this.#bySerial.get(device.serial);
      if (same) same.push(device);
      else this.#bySerial.set(device.serial, [device]);
    }
  }

  of(serial: string): readonly ListedDevice[] {
    return this.#bySerial.get(serial) ?? [];
  }

  /** Was this phone at this port with this number? */
  has({ serial, devpath, transportId }: ListedDevice): boolean {
    return this.of(serial).some((one) => one.devpath === devpath && one.transportId === transportId);
  }
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
): ConfirmedList {
  const former = new Former(before);
  const groups = new Groups(pairs);
  const doubts = claimAll(long, counted(shortLines), groups, former);
  const found = new Map<Pair, { device: ListedDevice; ending: Claim['ending'] }>();
  for (const group of groups.all) {
    for (const [pair, claim] of settled(group, former)) {
      if (claim === undefined) found.set(pair, { device: named(pair.serial, pair.state), ending: 0 });
      else found.set(pair, { device: deviceOf(claim.line, pair), ending: claim.ending });
    }
  }
  const counts = counted([...found.values()].map(({ device }) => device.serial));
  const listed = pairs.flatMap((pair) => {
    if (pair === undefined) return [];
    const known = found.get(pair) ?? unclaimed(pair, counts, former);
    return known ? [known] : [];
  });
  return bounded(withoutSharedPorts(withOwnNumbers(listed, groups, former)), doubts);
}

/** A phone that no line of the long list is about counts only if we know it. It keeps its port if it is alone. */
function unclaimed({ serial, state }: Pair, counts: Map<string, number>, former: Former) {
  const device = named(serial, state);
  const same = former.of(device.serial);
  const count = counts.get(device.serial) ?? 0;
  if (count >= same.length) return undefined;
  counts.set(device.serial, count + 1);
  const devpath = same.length === 1 ? same[0]?.devpath : undefined;
  return { device: omitUndefined({ ...device, devpath }), ending: 0 as const };
}

/** Finds the phone that a line claims to be, in one look-up for each length of a serial. */
class Groups {
  readonly all: Group[] = [];
  readonly #byName = new Map<string, Map<string, Group>>();
  readonly #lengths: readonly number[];

  constructor(pairs: readonly (Pair | undefined)[]) {
    const lengths = new Set<number>();
    for (const pair of pairs) {
      if (pair === undefined) continue;
      const name = withoutBlanks(pair.serial);
      lengths.add(name.length);
      const byState = this.#byName.get(name) ?? new Map<string, Group>();
      this.#byName.set(name, byState);
      const group = byState.get(pair.state);
      if (group) group.pairs.push(pair);
      else {
        const added = { pairs: [pair], claimed: 0, claims: [] };
        byState.set(pair.state, added);
        this.all.push(added);
      }
    }
    this.#lengths = [...lengths].sort((a, b) => a - b);
  }

  /** `a device` may be a serial as well as `a`: the longer one explains more of the line. */
  of(line: string): Group | undefined {
    let longest: Group | undefined;
    for (const length of this.#lengths) {
      if (length >= line.length) break;
      if (line[length] !== ' ') continue;
      for (const group of this.#byName.get(line.slice(0, length))?.values() ?? []) {
        const [pair] = group.pairs;
        if (pair && behind(line, { ...pair, serial: line.slice(0, length) }) !== undefined) longest = group;
      }
    }
    return longest;
  }
}

function withoutBlanks(serial: string): string {
  let end = serial.length;
  while (serial[end - 1] === ' ') end -= 1;
  return serial.slice(0, end);
}

/**
 * Reads the long list once, and keeps of it only what may be a phone. A line that the short list also has is a piece of
 * a serial with line feeds.
 *
 * @returns the last lines that belong to no phone, or that are one of several for the same phone
 */
function claimAll(long: string, pieces: Map<string, number>, groups: Groups, former: Former): string[] {
  const doubts: string[] = [];
  const contested = new Set<Group>();
  let last: { claim: Claim; group: Group } | undefined;
  const lastGroups: { claim: Claim; next: Group }[] = [];
  for (const line of eachLine(long)) {
    const group = isOneOf(pieces, line) ? undefined : groups.of(line);
    if (group === undefined) {
      if (last) last.claim.ending = 0;
      last = undefined;
      doubts.push(line);
    } else {
      if (last) lastGroups.push({ claim: last.claim, next: group });
      group.claimed += 1;
      const claim: Claim = { line, ending: 2 };
      const isKept =
        group.claims.length <= group.pairs.length ||
        (group.claims.length < 2 * group.pairs.length + 2 && isFormer(claim, group, former));
      if (isKept) group.claims.push(claim);
      last = isKept ? { claim, group } : undefined;
      if (group.claimed > group.pairs.length) contested.add(group);
      if (contested.has(group)) doubts.push(line);
    }
    if (doubts.length > 2 * MOST_DOUBTS) doubts.splice(0, MOST_DOUBTS);
  }
  for (const { claim, next } of lastGroups) if (contested.has(next) && claim.ending === 2) claim.ending = 1;
  const first = [...contested].flatMap(({ claims, pairs }) => claims.slice(0, pairs.length));
  return [...first.slice(0, MOST_DOUBTS).map(({ line }) => line), ...doubts];
}

/** Most lines that a phone forges have another end: only the rest need parsing. */
const isFormer = ({ line }: Claim, { pairs }: Group, former: Former): boolean =>
  pairs.some(
    (pair) =>
      former
        .of(named(pair.serial, pair.state).serial)
        .some(
          ({ transportId }) => transportId === undefined || line.endsWith(`transport_id:${transportId}`),
        ) && former.has(deviceOf(line, pair)),
  );

/** Which line is which phone's. Without a line, only serial and state of the phone are certain. */
function settled({ pairs, claimed, claims }: Group, former: Former): Map<Pair, Claim | undefined> {
  const given = new Map<Pair, Claim | undefined>();
  const rest = new Set(claims);
  if (claimed !== pairs.length) {
    for (const pair of pairs) {
      const claim = [...rest].find(({ line }) => former.has(deviceOf(line, pair)));
      if (claim === undefined) continue;
      rest.delete(claim);
      given.set(pair, claim);
    }
  }
  const isContested = claimed > pairs.length;
  for (const pair of pairs) {
    if (given.has(pair) || given.size >= claimed) continue;
    const [claim] = rest;
    if (claim) rest.delete(claim);
    given.set(pair, isContested ? undefined : claim);
  }
  return given;
}

/** Removes one of these from the counts. */
function isOneOf(counts: Map<string, number>, line: string): boolean {
  const count = counts.get(line) ?? 0;
  if (count > 0) counts.set(line, count - 1);
  return count > 0;
}

const deviceOf = (line: string, pair: Pair): ListedDevice => ({
  ...named(pair.serial, pair.state),
  ...detailsOf(behind(line, { ...pair, serial: withoutBlanks(pair.serial) }) ?? ''),
});

const withoutNumber = ({ transportId: _, ...device }: ListedDevice): ListedDevice => device;

/**
 * adb writes the number at the end of a phone's text. So a number before other text is the phone's own. Each number
 * belongs to one phone: that which had it before, else that with the surest end.
 */
function withOwnNumbers(
  listed: readonly { device: ListedDevice; ending: Claim['ending'] }[],
  groups: Groups,
  former: Former,
): ListedDevice[] {
  const trust = ({ device, ending }: (typeof listed)[number]) => (former.has(device) ? 3 : ending);
  const holders = new Map<number | undefined, { device?: ListedDevice; trust: number }>();
  const claim = (id: number | undefined, one: { device?: ListedDevice; trust: number }) => {
    const best = holders.get(id);
    if (best === undefined || one.trust > best.trust) holders.set(id, one);
    else if (one.trust === best.trust) holders.set(id, { trust: one.trust });
  };
  for (const one of listed) claim(one.device.transportId, { device: one.device, trust: trust(one) });
  for (const { pairs, claimed, claims } of groups.all) {
    const [pair] = pairs;
    if (claimed <= pairs.length || pair === undefined) continue;
    for (const { line, ending } of claims) {
      const { transportId } = deviceOf(line, pair);
      if (ending > 0 && !(holders.get(transportId)?.trust === 3)) claim(transportId, { trust: 1 });
    }
  }
  return listed.map((one) =>
    trust(one) > 0 && holders.get(one.device.transportId)?.device === one.device
      ? one.device
      : withoutNumber(one.device),
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
