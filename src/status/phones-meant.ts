/** The phones that a person means: one, those of a place, or those whose slots fit a glob. Pure. */
import { globMatches, LONGEST_GLOB } from '../base/glob.ts';
import { subjectCalled } from './named-subject.ts';
import { placeName } from './place-name.ts';
import type { LocatedPhone } from './placed-phones.ts';

/**
 * @param name any name of a phone or a place (`named-subject.ts`), `host` for all phones, or a glob of slots: `rack 2, *`
 * @param slots names of the configured slots
 * @returns at least one phone, or the problem as one sentence
 */
export function phonesMeant(
  name: string,
  phones: readonly LocatedPhone[],
  slots: readonly string[],
): { phones: LocatedPhone[] } | { problem: string; isKnown: boolean } {
  const named = subjectCalled(name, phones, slots);
  if ('problem' in named) return !named.isKnown && isGlob(name) ? ofGlob(name.trim(), phones) : named;
  if (named.kind === 'phone') return { phones: phones.filter(({ udid }) => udid === named.udid) };
  const there = named.kind === 'host' ? phones : phones.filter(({ udid }) => named.udids.includes(udid));
  const found = withoutThoseWhoLeft(there, phones);
  return found.length > 0
    ? { phones: found }
    : { problem: `no phone is known at ${placeName(named)}`, isKnown: true };
}

const isGlob = (name: string): boolean => /[*?]/.test(name) && name.length <= LONGEST_GLOB;

function ofGlob(glob: string, phones: readonly LocatedPhone[]) {
  const there = phones.filter(({ slot }) => slot !== undefined && globMatches(glob, slot));
  const found = withoutThoseWhoLeft(there, phones);
  if (found.length > 0) return { phones: found };
  const problem = `no phone sits in a slot like ${glob}; hostnode status lists the phones and their slots`;
  return { problem, isKnown: false };
}

/** A phone that is unplugged is still where it was last, unless another phone is attached there. */
function withoutThoseWhoLeft(some: readonly LocatedPhone[], all: readonly LocatedPhone[]): LocatedPhone[] {
  const attached = all.filter((phone) => phone.attached);
  const taken = new Set(attached.flatMap(({ usbPath }) => usbPath ?? []));
  return some.filter((phone) => phone.attached || phone.usbPath === undefined || !taken.has(phone.usbPath));
}
