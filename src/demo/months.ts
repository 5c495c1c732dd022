/** Made-up months before the day before the demo. Pure: the same for the same time. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/calendar.ts';
import { batteryIn, dayOf, type Past, type PastEvent, type PastHappening, readingAt } from './day.ts';
import type { Recording } from './recording.ts';

/** The first phone came so many days ago, the next a little later. */
const DAYS = 86;
const EVERY_MS = 2 * HOUR_MS;
/** On this part of its days a phone is lost for a while; on as many it restarts. */
const LOSSES_A_DAY = 0.05;
/** The room is cooler and warmer by this part of a hot spell, over so many days. */
const [SEASON, SEASON_DAYS] = [0.15, 40];

/** A time without a phone, or without the host, ms since the epoch. */
interface Gap {
  from: number;
  to: number;
}

/** The host was off over a weekend. */
const offAt = (now: number): Gap => ({ from: now - 61 * DAY_MS, to: now - 58.4 * DAY_MS });

/** What happened to the host itself. `version`: that of hostnode. */
export const hostMonths = (now: number, version: string): HostEvent[] => [
  { at: offAt(now).from, kind: 'agentStopped' },
  { at: offAt(now).to, kind: 'agentStarted', version },
];

export type HostEvent = { at: number } & (
  | { kind: 'agentStopped' }
  | { kind: 'agentStarted'; version: string }
);

/** The months of a phone, and its day after them. Both lists are oldest first. */
export function pastOf(recording: Recording, place: number, now: number): Past {
  const [months, day] = [monthsOf(recording, place, now), dayOf(recording, place, now)];
  const wasThere = months.events.length > 0; // else it comes with its day
  return {
    readings: [...months.readings, ...day.readings],
    events: [...months.events, ...day.events.slice(wasThere ? 1 : 0)],
  };
}

/**
 * The months of a phone, up to where its day begins. A phone that gives no facts has none.
 *
 * @param place its place among the phones: they do not all have the same past
 * @param now ms since the epoch
 */
export function monthsOf({ state, answers }: Recording, place: number, now: number): Past {
  const battery = batteryIn(answers);
  if (battery === undefined) return { readings: [], events: [] };
  const [cameAt, endsAt] = [now - (DAYS - place) * DAY_MS, now - DAY_MS];
  const off = offAt(now);
  const random = randomFrom(place + 1);
  const story = [...quiet(random, cameAt, endsAt), ...(place === BAD_CABLE ? badCable(random, now) : [])];
  const spells = apart(story).filter(({ from, to }) => to < off.from || from > off.to);
  const isThere = (at: number) => ![...spells, off].some(({ from, to }) => at >= from && at < to);
  const readings = Array.from(
    { length: Math.ceil((endsAt - cameAt) / EVERY_MS) },
    (_, index) => cameAt + index * EVERY_MS,
  )
    .filter(isThere)
    .map((at) =>
      readingAt(at, now, battery, SEASON * Math.sin((2 * Math.PI * (now - at)) / (SEASON_DAYS * DAY_MS))),
    );
  const events: PastEvent[] = [
    { at: cameAt, kind: 'attached', state },
    ...spells.flatMap(({ from, to, isReboot }) => [
      { at: from, kind: 'detached' as const },
      { at: to, kind: 'attached' as const, state },
      ...(isReboot ? [{ at: to + 5000, kind: 'rebooted' as const, reason: 'reboot,userrequested' }] : []),
    ]),
    ...(place === BAD_CABLE ? [{ at: now - 17 * DAY_MS, ...swapped }] : []),
  ];
  return { readings, events: events.sort((one, other) => one.at - other.at) };
}

/** This phone is lost again and again, until somebody swaps its cable. */
const BAD_CABLE = 3;
const swapped: PastHappening = { kind: 'note', text: 'swapped the cable', by: 'demo' };

interface Spell extends Gap {
  isReboot?: true;
}

/** Now and then a phone is lost for minutes or hours, or restarts. */
function quiet(random: () => number, from: number, to: number): Spell[] {
  const spells: Spell[] = [];
  for (let day = from + DAY_MS; day < to - DAY_MS; day += DAY_MS) {
    const [what, at] = [random(), day + random() * 20 * HOUR_MS];
    if (what < LOSSES_A_DAY) spells.push({ from: at, to: at + (5 + random() ** 3 * 600) * MINUTE_MS });
    else if (what < 2 * LOSSES_A_DAY) spells.push({ from: at, to: at + 50_000, isReboot: true });
  }
  return spells;
}

/** Four days of short losses. */
const badCable = (random: () => number, now: number): Spell[] =>
  Array.from({ length: 4 * 9 }, (_, index) => {
    const from = now - 21 * DAY_MS + (index / 9) * DAY_MS + random() * HOUR_MS;
    return { from, to: from + (2 + random() * 30) * MINUTE_MS };
  });

/** In order; one that begins before the last has ended is left out. */
function apart(spells: readonly Spell[]): Spell[] {
  const kept: Spell[] = [];
  for (const spell of spells.toSorted((one, other) => one.from - other.from))
    if (spell.from > (kept.at(-1)?.to ?? 0) + MINUTE_MS) kept.push(spell);
  return kept;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
