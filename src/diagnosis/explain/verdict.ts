/**
 * Was it the lab or the test? What hindered one phone between two moments, and how much of that time was watched. A
 * question to the thread of the history.
 *
 * What a test may have done itself, such as a restart that somebody asked for, is `possible` at most and makes no verdict.
 * Time that nobody watched never counts as fine.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type EventKind, type HistoryEvent, hostEventKinds, SAMPLE_MS } from '../../history/events/event.ts';
import type { Store } from '../../history/store/store.ts';
import { endsAdbLost, type Stretch, stretchesOf, uptimeKinds } from '../../history/store/uptime.ts';
import { contextOf } from '../evaluate.ts';
import { isOfLab } from '../finding.ts';
import { lossesById } from '../losses/attribution.ts';
import { blameIn } from '../losses/blame.ts';
import { BREAK_MS } from '../losses/charge.ts';
import type { RuleContext } from '../rule.ts';
import type { PhoneInput, RuleInput } from '../rule-input.ts';
import { type ExplainedLoss, type Fault, type FaultsInput, faultsOf } from './faults.ts';

/** Part of the time, ms since the epoch. */
export interface Span {
  from: number;
  to: number;
}

/** Of the time that was asked for. */
export interface Verdict extends Span {
  /** `lab`: something of the lab hindered the phone; `nothing`: all was watched, and nothing was seen; `unwatched`: part was not. */
  verdict: 'lab' | 'nothing' | 'unwatched';
  udid: string;
  /** Part of the time that was watched, 0 to 1. */
  watchedRatio: number;
  /** The parts that were not, oldest first, and why. */
  unwatched: (Span & { because: string })[];
  /** What was seen, oldest first; those that are `possible` make no verdict. */
  faults: Fault[];
  /** There were more; the newest are told. */
  hasMore?: true;
  /** What is not looked at on this phone: `lock screen`, `dialogs`, `storage`. */
  notLookedAt: string[];
}

export interface VerdictQuery extends Span {
  udid: string;
  /** The moment of the question, ms since the epoch. */
  at: number;
  /** The host as it is now; absent while that is not known: then nobody is blamed. */
  now?: RuleInput;
}

const ofPhone: readonly EventKind[] = [
  'attached',
  'detached',
  'state',
  'rebooted',
  'os',
  'maintenance',
  'maintenanceEnded',
  'hindered',
];
const ofHost: readonly EventKind[] = hostEventKinds.filter((kind) => !kind.startsWith('cloud'));
/** Of a phone that flaps for weeks what was before is not known. */
const MOST_EVENTS = 20_000;
const MOST_FAULTS = 1000;
const MOST_GAPS = 100;

/** @throws {Error} SQLite's */
export function verdictIn(store: Store, query: VerdictQuery): Verdict {
  const { udid, from, to, now } = query;
  const kinds = [...ofPhone, ...ofHost];
  const events = store.events({ udids: [udid], withHost: true, kinds, limit: MOST_EVENTS }).reverse();
  const first = Math.min(events[0]?.at ?? Number.POSITIVE_INFINITY, store.madeAt ?? Number.POSITIVE_INFINITY);
  return verdictOf({
    ...query,
    events,
    samples: store.samples(udid, from - BREAK_MS, { until: to + BREAK_MS }),
    knownSince: events.length < MOST_EVENTS ? (store.erasedUntil(udid) ?? first) : events[0]?.at,
    ...(now && { lossOf: lossesIn(() => lastingContext(store, now)) }),
  });
}

/** Of the last verdict, with what is known of its losses: a job asks about many phones at once. */
const contexts = new WeakMap<Store, RuleContext>();

/** The former one, as long as nothing has happened since. */
function lastingContext(store: Store, now: RuleInput): RuleContext {
  const context = contextOf(store, now);
  const former = contexts.get(store);
  // what is read anew is not the same
  const isSame = [0, -1].every((index) => former?.events.at(index) === context.events.at(index));
  if (former && isSame) return former;
  contexts.set(store, context);
  return context;
}

/** @param read the events of 30 days are read only where somebody may be to blame */
export function lossesIn(read: () => RuleContext): (event: HistoryEvent) => ExplainedLoss | undefined {
  let context: RuleContext | undefined;
  return (event) => {
    context ??= read();
    const loss = lossesById(context).get(event.id);
    return loss && { loss, blamed: blameIn(context)(event) };
  };
}

export interface VerdictInput extends VerdictQuery, Pick<FaultsInput, 'events' | 'samples' | 'lossOf'> {
  /** Nothing of it was erased since then, ms since the epoch; undefined: nothing is known. */
  knownSince: number | undefined;
}

/** Pure. */
export function verdictOf(input: VerdictInput): Verdict {
  const { udid, from, to, samples, now } = input;
  const phone = now?.phones.find((each) => each.udid === udid);
  const stretches = knownStretches(input, phone);
  const ofWindow = clipped(stretches, input);
  const read = joined(samples.map((each) => ({ from: each.at - SAMPLE_MS, to: each.at + BREAK_MS })));
  const watched = joined(
    ofWindow.flatMap((part) => (part.state === 'device' ? clipped(read, part) : [part])),
  );
  const gaps = gapsIn(input, watched);
  const unwatched = gaps.flatMap((gap) => reasonsFor(gap, { ...input, known: joined(ofWindow) }));
  const all = faultsOf({ ...input, stretches, phone });
  const faults = all.slice(-MOST_FAULTS);
  const verdict: Verdict['verdict'] = all.some(isOfLab) ? 'lab' : gaps.length === 0 ? 'nothing' : 'unwatched';
  const watchedMs = watched.reduce((sum, part) => sum + part.to - part.from, 0);
  return omitUndefined({
    verdict,
    udid,
    from,
    to,
    // what is short of all never reads as all
    watchedRatio: gaps.length === 0 ? 1 : Math.floor((watchedMs / (to - from)) * 1000) / 1000,
    unwatched: unwatched.slice(-MOST_GAPS),
    faults,
    hasMore: all.length > faults.length ? (true as const) : undefined,
    notLookedAt: notLookedAt(phone),
  });
}

/** How adb called the phone, as far as that is known: also before its first event, by what that one says. */
function knownStretches({ events, at, knownSince }: VerdictInput, phone: PhoneInput | undefined): Stretch[] {
  if (knownSince === undefined) return [];
  const first = events.find(({ kind }) => kind === 'attached' || kind === 'detached' || kind === 'state');
  const state = first === undefined ? phone?.attached && phone.state : stateBefore(first);
  const found = stretchesOf(
    events.filter(({ kind }) => uptimeKinds.includes(kind)),
    at,
    state ? { at: Math.min(knownSince, events[0]?.at ?? knownSince), state } : undefined,
  );
  return found
    .filter(({ to }) => to > knownSince)
    .map((part) => ({ ...part, from: Math.max(part.from, knownSince) }));
}

/** One that comes for the first time was not known before. */
const stateBefore = (event: HistoryEvent): string | undefined =>
  event.kind === 'state' ? event.before : event.kind === 'detached' ? 'device' : undefined;

/** Why a part was not watched: of what lies in the future, of what nobody knows, and of what gave no readings. */
function reasonsFor(
  gap: Span,
  { at, events, knownSince = at, known }: VerdictInput & { known: readonly Span[] },
): Verdict['unwatched'] {
  const past = { from: gap.from, to: Math.min(gap.to, at) };
  const found = gapsIn(past, known).map((part) => ({
    ...part,
    because: part.to <= knownSince ? 'the history does not go back so far' : whyBlind(part, events),
  }));
  const silent = clipped(known, past);
  const future = clipped([gap], { from: at, to: gap.to });
  return [
    ...found,
    ...silent.map((part) => ({ ...part, because: 'no readings of the phone are kept' })),
    ...future.map((part) => ({ ...part, because: 'it is in the future' })),
  ].sort((one, other) => one.from - other.from);
}

/** A lost adb is noticed late. */
const begins = (event: HistoryEvent): number => (event.kind === 'adbLost' && event.since) || event.at;

function whyBlind({ from, to }: Span, events: readonly HistoryEvent[]): string {
  const former = events.filter((event) => begins(event) <= from && uptimeKinds.includes(event.kind));
  const before = former.at(-1);
  const ofAdb = former.findLast(({ kind }) => kind === 'adbLost' || endsAdbLost.has(kind));
  if (ofAdb?.kind === 'adbLost' && before?.kind !== 'agentStopped') return 'adb did not answer';
  if (events.some(({ at, kind }) => kind === 'historyLost' && at >= to))
    return 'what happened could not be kept';
  const endsWith = (kind: EventKind) => events.some((event) => event.kind === kind && event.at === to);
  if (endsWith('clockStepped')) return 'the clock was set';
  if (endsWith('hostSlept')) return 'the host slept';
  if (endsWith('agentPaused')) return 'hostnode stood still';
  const isOff =
    before?.kind === 'agentStopped' || events.some(({ at, kind }) => kind === 'agentStarted' && at >= to);
  if (isOff) return 'hostnode did not run';
  const named = events.filter(({ udid }) => udid !== undefined);
  if (named.some(({ at }) => at <= from)) return 'hostnode had just started';
  return named.length > 0 ? 'the phone was not known yet' : 'nothing is known of the phone';
}

/** Screen and dialogs are collected only where the lab wants them. */
const notLookedAt = ({ readiness, storage }: Partial<PhoneInput> = {}): string[] => [
  ...(readiness?.isLocked === undefined ? ['lock screen'] : []),
  ...(readiness?.dialog === undefined ? ['dialogs'] : []),
  ...(storage === undefined ? ['storage'] : []),
];

/** The parts of these that lie within another. */
const clipped = <S extends Span>(parts: readonly S[], { from, to }: Span): S[] =>
  parts
    .map((part) => ({ ...part, from: Math.max(part.from, from), to: Math.min(part.to, to) }))
    .filter((part) => part.to > part.from);

/** Oldest first; those that touch are one. */
function joined(parts: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const { from, to } of parts.toSorted((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}

/** @param parts oldest first, apart */
function gapsIn({ from, to }: Span, parts: readonly Span[]): Span[] {
  const edges = [from, ...clipped(parts, { from, to }).flatMap((part) => [part.from, part.to]), to];
  return Array.from({ length: edges.length / 2 }, (_, index) => ({
    from: edges[2 * index] ?? to,
    to: edges[2 * index + 1] ?? to,
  })).filter((gap) => gap.to > gap.from);
}
