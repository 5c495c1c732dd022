/** Phones, ports and times in the words of findings: one printable line each. */
import { printable } from '../base/printable.ts';
import { quantity } from '../base/quantity.ts';
import type { Where } from '../history/event.ts';
import type { HostPicture, PhonePicture } from './picture.ts';
import { portOf } from './places.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A longer name is cut. */
const LONGEST_NAME = 60;

/** The newest events that a finding names: a phone that lies makes thousands. */
const MOST_EVIDENCE = 100;

/** The `id`s of its events, oldest first, the newest if there are too many. */
export const evidenceOf = (ids: readonly number[]): number[] =>
  [...new Set(ids)].sort((one, other) => one - other).slice(-MOST_EVIDENCE);

const oneLine = (text: string): string => printable(text, LONGEST_NAME);

/** What people call a phone. */
export const phoneName = ({ name, udid }: Pick<PhonePicture, 'name' | 'udid'>): string =>
  oneLine(name) || oneLine(udid) || 'a phone';

/** The names of phones by udid. */
export function namesOf({ phones }: HostPicture): (udid: string) => string {
  const names = new Map(phones.map((phone) => [phone.udid, phoneName(phone)]));
  return (udid) => names.get(udid) ?? (oneLine(udid) || 'a phone');
}

/** What people call a port: its slot, else its path. */
export const portName = (where: Where): string =>
  oneLine(where.slot ?? '') || `USB port ${oneLine(where.devpath ?? portOf(where) ?? '?')}`;

export const hubName = (hub: string): string => `hub ${oneLine(hub)}`;

/** `20 s`, `4 minutes`, `3 hours`, `9 days`: rounded, at least 1. */
export function duration(ms: number): string {
  const whole = (unit: number) => Math.max(1, Math.round(Math.max(0, ms) / unit));
  if (ms < 1.5 * MINUTE_MS) return `${whole(1000)} s`;
  if (ms < 1.5 * HOUR_MS) return quantity(whole(MINUTE_MS), 'minute');
  if (ms < 1.5 * DAY_MS) return quantity(whole(HOUR_MS), 'hour');
  return quantity(whole(DAY_MS), 'day');
}

/** `3 times`, `once`. */
export const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
