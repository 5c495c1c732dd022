/** Phones, ports and times in the words of findings: one printable line each. */
import { duration, localMoment } from '../base/calendar.ts';
import { printable } from '../base/printable.ts';
import { quoted } from '../base/words.ts';
import type { Where } from '../history/events/event.ts';
import { hubDevpath, portOf } from '../history/events/where.ts';
import type { KernelFault } from '../host/kernel-line.ts';
import type { InCloud } from '../roster/device.ts';
import { placeInRoom } from '../roster/slot-name.ts';
import type { Finding } from './finding.ts';
import type { PhoneInput, RuleInput } from './rule-input.ts';

const LONGEST_NAME = 60;

/** Events that a finding names: a phone that lies makes thousands, and all go to the agent each minute. */
const MOST_EVIDENCE = 100;

/** The `id`s of its events, oldest first, the newest if there are too many. */
export const evidenceOf = (ids: readonly number[]): number[] =>
  [...new Set(ids)].sort((one, other) => one - other).slice(-MOST_EVIDENCE);

/** Printable, and cut to the length of a name. */
export const oneLine = (text: string): string => printable(text, LONGEST_NAME);

/** What people call each phone, by udid: those that share a name are told apart by their serials. */
export function namesOf({ phones }: RuleInput): (udid: string) => string {
  const ownName = ({ name, udid }: Pick<PhoneInput, 'name' | 'udid'>) =>
    oneLine(name) || oneLine(udid) || 'A phone';
  const names = toldApart(phones, ownName, ({ serial }) => oneLine(serial));
  return (udid) => names.get(udid) ?? ownName({ name: '', udid });
}

/** The name of each phone, by udid; those that share one have in brackets what tells them apart. */
export function toldApart<P extends { udid: string }>(
  phones: readonly P[],
  nameOf: (phone: P) => string,
  detailOf: (phone: P) => string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, namesakes] of Map.groupBy(phones, nameOf))
    for (const phone of namesakes) {
      const detail = namesakes.length > 1 ? detailOf(phone) : '';
      names.set(phone.udid, detail === '' || detail === name ? name : `${name} (${detail})`);
    }
  return names;
}

/** What people call a port: its slot, else its path. */
export const portName = (where: Where): string =>
  oneLine(where.slot ?? '') || `USB port ${oneLine(where.devpath ?? portOf(where) ?? '?')}`;

/**
 * What people call a hub: `hub 1-4 (rack 2, shelf 3)`, by its USB port as adb has it, else by its path, and by the shelf
 * where all of its phones are.
 *
 * @param below the phones that were lost below it, the newest last
 */
export function hubName(hub: string, below: readonly { where: Where }[]): string {
  const shelves = new Set(below.map(({ where: { slot = '' } }) => placeInRoom(slot).band));
  const [shelf = ''] = shelves;
  const place = shelves.size === 1 && shelf !== '' ? ` (${oneLine(shelf)})` : '';
  return `${hubPath(hub, below)}${place}`;
}

/** `hub 1-4`, by which a person can ask for it. */
export function hubPath(hub: string, below: readonly { where: Where }[]): string {
  const newest = below.findLast(({ where }) => hubDevpath(hub, where) !== undefined);
  return `hub ${oneLine((newest && hubDevpath(hub, newest.where)) ?? hub)}`;
}

/** At least a second: what was seen at the same moment still took time. */
export const lasting = (ms: number): string => duration(Math.max(1000, ms));

/**
 * After what to replace: with a note on it, older losses no longer count.
 *
 * @param name of a port or hub, as `hostnode note` takes it
 */
export const andNote = (name: string, what: string): string =>
  `and note it: \`hostnode note ${quoted(name)} ${quoted(what)}\` starts the count anew`;

/** `3 times`, `once`. */
export const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** For how long these went on, in words; at least a second. */
export const spanOf = (some: readonly { at: number }[]): string =>
  lasting((some.at(-1)?.at ?? 0) - (some[0]?.at ?? 0));

/** `3 times in 9 days`. @param some two or more */
export const timesIn = (some: readonly { at: number }[]): string => `${some.length} times in ${spanOf(some)}`;

/** The same; of what happened once `2 h ago`. */
export const timesOrAgo = (some: readonly { at: number }[], now: number): string =>
  some.length === 1 ? `${lasting(now - (some[0]?.at ?? 0))} ago` : timesIn(some);

/** What a finding about losses has of them. */
export const shownBy = (
  losses: readonly { id: number; at: number; udid: string }[],
): Pick<Finding, 'since' | 'udids' | 'evidence'> => ({
  since: losses[0]?.at ?? 0,
  udids: [...new Set(losses.map(({ udid }) => udid))],
  evidence: losses.map(({ id }) => id),
});

/** What the kernel wrote of a port: `could not read what is plugged in, 8 times`. */
export function inKernelWords(fault: KernelFault, count: number): string {
  return `${kernelWords[fault]}, ${times(count)}`;
}

const kernelWords: Readonly<Record<KernelFault, string>> = {
  descriptor: 'could not read the descriptor of what is plugged in',
  enumerate: 'gave up on what is plugged in',
  overCurrent: 'over-current at the port',
  cable: 'could not enable the port, as with a bad cable',
  emi: 'the hub switched the port off (EMI?)',
  bandwidth: 'the bus has not enough bandwidth',
  resources: 'the controller takes no further device',
  config: 'could not configure what is plugged in',
  reset: 'reset what is plugged in',
  died: 'the USB controller stopped',
};

/** What the cloud has, in words: `plugged in at rack-2 since 14:02`. */
export const pluggedElsewhere = (
  { host = 'another host', since }: Pick<InCloud, 'host' | 'since'>,
  now: number,
): string => `plugged in at ${host} since ${localMoment(since, now)}`;
