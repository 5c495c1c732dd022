/** Cases of a few phones for tests of single judges. */

import type { RuleContext } from '../../src/diagnosis/rule.ts';
import type { PhoneInput, RuleInput } from '../../src/diagnosis/rule-input.ts';
import type { HistorySample } from '../../src/history/events/event.ts';
import { matching } from './matching.ts';

export const NOW = Date.UTC(2026, 6, 15, 12);

/** A phone at rest, called by its udid. */
export const phoneOf = (udid: string, changes: Partial<PhoneInput> = {}): PhoneInput => ({
  udid,
  serial: udid,
  name: udid,
  connection: 'usb',
  where: {},
  attached: true,
  state: 'device',
  isInMaintenance: false,
  ...changes,
});

export const contextOf = (
  phones: PhoneInput[],
  samples: Record<string, HistorySample[]> = {},
  picture: Partial<RuleInput> = {},
): RuleContext => ({
  now: { at: NOW, isAdbListed: true, phones, ...picture },
  events: [],
  samplesOf: (udid, ...which) => matching(samples[udid], ...which),
});

/** A reading every five minutes from so long ago up to now, ms. */
export const readings = (
  sinceMs: number,
  reading: (at: number) => Omit<HistorySample, 'at'>,
): HistorySample[] =>
  Array.from(
    { length: Math.floor(sinceMs / 300_000) + 1 },
    (_, index) => NOW - sinceMs + index * 300_000,
  ).map((at) => ({ at, ...reading(at) }));
