/**
 * Decides which line of `host:devices-l` is about which phone of `host:devices`, although a phone may have forged lines.
 * One pass over the long list: a phone can write 500,000 lines.
 */
import type { ListedDevice } from './adb.ts';
import { detailsOf, eachLine, named } from './device-list.ts';

/** USB serials have at most 126 characters, network names about 300. */
const LONGEST_SERIAL = 1024;
/** Lines that are reported as doubtful. */
export const MOST_DOUBTS = 20;

/** One phone of the short list. The state includes the reason that adb adds. */
export interface Pair {
  serial: string;
  state: string;
}

/** A line of the long list that starts with serial and state of a phone in the short list. */
export interface Claim {
  line: string;
  /** Whose line follows; 'none': no line does. Absent: other text, so that the end of this line is the phone's own. */
  next?: Group | 'none';
  /** It follows a line that the short list has too: likely the end of a serial with line feeds. */
  isBehindPiece: boolean;
}

/** The phones that look the same in the long list, which pads a serial with blanks. */
export interface Group {
  pairs: Pair[];
  /** How many lines claim to be one of them. */
  claimed: number;
  /** The first of these lines, one more than there are phones; more with a connection that we know. */
  claims: Claim[];
}

/** The last list, by serial. */
export class Former {
  readonly #bySerial: ReadonlyMap<string, readonly ListedDevice[]>;

  constructor(before: readonly ListedDevice[]) {
    this.#bySerial = Map.groupBy(before, ({ serial }) => serial);
  }

  of(serial: string): readonly ListedDevice[] {
    return this.#bySerial.get(serial) ?? [];
  }

  /** Was this phone at this port with this number? */
  has({ serial, devpath, transportId }: ListedDevice): boolean {
    return this.of(serial).some((one) => one.devpath === devpath && one.transportId === transportId);
  }
}

const PAIR = /^(.*)\t(no permissions.*|no device|[a-z]\S{0,63})$/s;

export function parsePair(line: string): Pair | undefined {
  const [, serial = '', state = ''] = PAIR.exec(line) ?? [];
  return state === '' || serial.length > LONGEST_SERIAL ? undefined : { serial, state };
}

/** The text after serial and state; undefined if the line is not about that phone. */
export function behind(line: string, { serial, state }: Pair): string | undefined {
  if (!line.startsWith(serial)) return undefined;
  const rest = line.slice(serial.length);
  const blanks = /^ +/.exec(rest)?.[0].length ?? 0; // only the short list has TABs
  if (blanks === 0 || !rest.startsWith(state, blanks)) return undefined;
  const details = rest.slice(blanks + state.length);
  return details === '' || details.startsWith(' ') ? details : undefined;
}

/** Finds the phone that a line claims to be, in one look-up for each length of a serial. */
export class Groups {
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
export function claimAll(
  long: string,
  pieces: Map<string, number>,
  groups: Groups,
  former: Former,
): string[] {
  const doubts: string[] = [];
  const contested = new Set<Group>();
  let last: Claim | undefined;
  let isBehindPiece = false;
  for (const line of eachLine(long)) {
    const isPiece = isOneOf(pieces, line);
    const group = isPiece ? undefined : groups.of(line);
    if (group === undefined) {
      last = undefined;
      doubts.push(line);
    } else {
      if (last) last.next = group;
      group.claimed += 1;
      const claim: Claim = { line, isBehindPiece };
      const isKept =
        group.claims.length <= group.pairs.length ||
        (group.claims.length < 2 * group.pairs.length + 2 && isFormer(claim, group, former));
      if (isKept) group.claims.push(claim);
      last = isKept ? claim : undefined;
      if (group.claimed > group.pairs.length) contested.add(group);
      if (contested.has(group)) doubts.push(line);
    }
    if (doubts.length > 2 * MOST_DOUBTS) doubts.splice(0, MOST_DOUBTS);
    isBehindPiece = isPiece;
  }
  if (last) last.next = 'none';
  const first = [...contested].flatMap(({ claims, pairs }) => claims.slice(0, pairs.length));
  return [...first.slice(0, MOST_DOUBTS).map(({ line }) => line), ...doubts];
}

/** Cheap first: most forged lines end with another number, and need no parsing. */
const isFormer = ({ line }: Claim, { pairs }: Group, former: Former): boolean =>
  pairs.some(
    (pair) =>
      former
        .of(named(pair.serial, pair.state).serial)
        .some(
          ({ transportId }) => transportId === undefined || line.endsWith(`transport_id:${transportId}`),
        ) && former.has(deviceOf(line, pair)),
  );

/** Is the end of the line adb's own word? Not where a line follows that may be a part of it. */
export const isWhole = ({ next }: Claim): boolean =>
  next === 'none' || (next !== undefined && next.claimed <= next.pairs.length);

/** Which line is which phone's. Without a line, only serial and state of the phone are certain. */
export function claimOfEach({ pairs, claimed, claims }: Group, former: Former): Map<Pair, Claim | undefined> {
  const given = new Map<Pair, Claim | undefined>();
  const isShort = claimed < pairs.length;
  const rest = new Set(isShort ? claims.toSorted((a, b) => +a.isBehindPiece - +b.isBehindPiece) : claims);
  if (claimed !== pairs.length) {
    for (const pair of pairs) {
      const claim = [...rest].find(({ line }) => former.has(deviceOf(line, pair)));
      if (claim === undefined) continue;
      rest.delete(claim);
      given.set(pair, claim);
    }
  }
  const isContested = claimed > pairs.length;
  // too few lines: what differs by blanks at its end is a piece of a serial with line feeds
  for (const pair of isShort ? pairs.toSorted((a, b) => a.serial.length - b.serial.length) : pairs) {
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

export const deviceOf = (line: string, pair: Pair): ListedDevice => ({
  ...named(pair.serial, pair.state),
  ...detailsOf(behind(line, { ...pair, serial: withoutBlanks(pair.serial) }) ?? ''),
});

export function counted<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
