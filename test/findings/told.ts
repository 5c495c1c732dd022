/** A short past of a host, written by hand: times in seconds, phones A, B, … at ports 1 … 7 of the hub `1-4`. */

import type { RuleContext } from '../../src/diagnosis/rule.ts';
import type { PhoneInput } from '../../src/diagnosis/rule-input.ts';
import type { HistoryEvent, NewEvent, Where } from '../../src/history/events/event.ts';
import { hubOf } from '../../src/history/events/where.ts';

export const START = Date.UTC(2026, 4, 4, 3, 0, 0);
export const HOURS = 3600;
export const DAYS = 24 * HOURS;

/** A port of hub `1-4`, or another port by its path. */
export function at(port: string, slot?: string): Where {
  const path = port.includes('-') ? port : `1-4.${port}`;
  const hub = hubOf(path);
  return {
    devpath: path,
    usbPath: path,
    ...(hub !== undefined && { hub }),
    ...(slot !== undefined && { slot }),
  };
}

/** An event without what all have. */
type Told = NewEvent extends infer Each
  ? Each extends NewEvent
    ? Omit<Each, 'at' | 'where'> & { where?: Where }
    : never
  : never;

/** A phone that was lost, and its return after so many seconds; absent: it stays away. */
export function lost(
  second: number,
  udid: string,
  where: Where,
  awaySeconds?: number,
  to = where,
): [number, Told][] {
  const back: [number, Told][] =
    awaySeconds === undefined
      ? []
      : [[second + awaySeconds, { kind: 'attached', state: 'device', udid, where: to }]];
  return [[second, { kind: 'detached', udid, where }], ...back];
}

/** @param now seconds after the start */
export function contextOf(
  now: number,
  told: readonly [number, Told][],
  phones: readonly PhoneInput[],
): RuleContext {
  const events = told
    .toSorted(([one], [other]) => one - other)
    .map(
      ([second, event], index) =>
        ({ where: {}, ...event, at: START + second * 1000, id: index + 1 }) as HistoryEvent,
    );
  return {
    now: { at: START + now * 1000, isAdbListed: true, phones },
    events,
    samplesOf: () => [],
  };
}

/** Phones as they are now, attached unless said otherwise. */
export const phone = (udid: string, where: Where, more: Partial<PhoneInput> = {}): PhoneInput => ({
  udid,
  serial: udid,
  name: `Pixel ${udid}`,
  connection: where.devpath === undefined ? 'tcp' : 'usb',
  where,
  attached: true,
  state: 'device',
  isInMaintenance: false,
  ...more,
});

/** Seven phones at hub `1-4`, one at another hub and one at the host itself. */
export const shelf: PhoneInput[] = [
  ...['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((udid, index) => phone(udid, at(String(index + 1)))),
  phone('H', at('1-2.1')),
  phone('I', at('1-3')),
];
