/** What hindered a phone in a time: its losses and restarts, adb, the host, its battery, heat, storage, screen. Pure. */
import { DAY_MS, MINUTE_MS } from '../../base/calendar.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { printable } from '../../base/printable.ts';
import {
  beginsAnew,
  type HistoryEvent,
  type HistorySample,
  isAfterBoot,
  SAMPLE_MS,
} from '../../history/events/event.ts';
import { rebootKind } from '../../history/events/reboot-reason.ts';
import { endsAdbLost, type Stretch } from '../../history/store/uptime.ts';
import { PROMPT } from '../../report/message.ts';
import type { Certainty } from '../finding.ts';
import type { Blame, LossBlame } from '../losses/blame.ts';
import { BREAK_MS, LOW_PERCENT } from '../losses/charge.ts';
import type { Loss } from '../losses/loss.ts';
import { CHARGE, FREE_STORAGE, remedyFor, remedyOfLoss, unlessEmulator } from '../remedies.ts';
import type { PhoneInput } from '../rule-input.ts';
import { coolDown, HOT_CELSIUS } from '../rules/battery.ts';
import { OF_INTERNET } from '../rules/internet.ts';
import { FULL_RATIO } from '../rules/storage.ts';
import { evidenceOf, oneLine } from '../words.ts';
import { hindranceInWords, mayBeByTest } from './hindrances.ts';
import { textOf } from './timeline.ts';

/** `hindered`: something that the present shows, such as a locked screen. */
export type FaultKind =
  | 'lost'
  | 'restarted'
  | 'android'
  | 'adb'
  | 'host'
  | 'maintenance'
  | 'battery'
  | 'heat'
  | 'storage'
  | 'hindered';

export interface Fault {
  kind: FaultKind;
  /** When it began, which may be before the time that was asked for, ms since the epoch. */
  at: number;
  /** When it ended; absent while it lasts. */
  until?: number;
  /** That it was the lab: `possible` where a test may have done it itself. */
  certainty: Certainty;
  /** One sentence without a full stop. */
  title: string;
  /** Of a loss: who did it, as far as that is known. */
  blame?: Blame;
  remedy: string;
  /** The code of the finding that tells of it. */
  code?: string;
  /** `id` of the events that show it; empty where readings do. */
  evidence: number[];
}

export interface ExplainedLoss {
  loss: Loss;
  /** Who is to blame for it, in words. */
  blamed: LossBlame | undefined;
}

export interface FaultsInput {
  from: number;
  to: number;
  /** The moment of the question, ms since the epoch. */
  at: number;
  /** Of the phone and the host, in the order of their `id`. */
  events: readonly HistoryEvent[];
  /** Oldest first; also those shortly before and after. */
  samples: readonly HistorySample[];
  stretches: readonly Stretch[];
  phone: PhoneInput | undefined;
  /** The loss that began with this event; undefined where that is not known. */
  lossOf?(event: HistoryEvent): ExplainedLoss | undefined;
}

/** Those that lay, at least for a moment, between `from` and `to`; oldest first. */
export function faultsOf(input: FaultsInput): Fault[] {
  const { from, to, at: now } = input;
  const isWithin = ({ at, until = now }: Pick<Fault, 'at' | 'until'>): boolean => at < to && until >= from;
  const found = [
    ...lossesOf(input, isWithin),
    ...restartsOf(input),
    ...ofHost(input),
    ...maintenancesOf(input),
    ...hindrancesOf(input),
    ...ofReadings(input),
  ];
  return found.filter(isWithin).sort((one, other) => one.at - other.at);
}

/** Adjacent stretches in which adb could not use the phone are one. */
function lossesOf(
  { stretches, at: now, lossOf, phone }: FaultsInput,
  isWithin: (span: Pick<Fault, 'at' | 'until'>) => boolean,
): Fault[] {
  const found: { first: Stretch; at: number; until: number }[] = [];
  for (const [index, stretch] of stretches.entries()) {
    if (stretch.state === 'device') continue;
    const last = stretches[index - 1]?.state === 'device' ? undefined : found.at(-1);
    if (last) last.until = stretch.to;
    else found.push({ first: stretch, at: stretch.from, until: stretch.to });
  }
  return found.filter(isWithin).map(({ first: { state, began, from }, until }) => {
    const { loss, blamed } = (began && lossOf?.(began)) ?? {};
    const blame = blamed?.blame;
    return omitUndefined({
      kind: 'lost' as const,
      at: from,
      until: until < now ? until : undefined,
      certainty: loss && mayBeTest(loss, until - from) ? ('possible' as const) : ('certain' as const),
      title: LOST_AS[state] ?? `adb called it ${oneLine(state)}`,
      blame,
      remedy: state === 'unauthorized' ? PROMPT[phone?.connection ?? 'usb'] : remedyOf(blamed),
      evidence: evidenceOf([...(began ? [began.id] : []), ...(blame?.evidence ?? [])]),
    });
  });
}

function remedyOf(blamed: LossBlame | undefined): string {
  const { party = 'unknown' } = blamed?.blame ?? {};
  const isKnown = party !== 'unknown' && party !== 'person';
  return (blamed && isKnown ? remedyOfLoss(blamed) : undefined) ?? remedyFor[party];
}

const LOST_AS: Readonly<Record<string, string>> = {
  disconnected: 'adb did not list it',
  unauthorized: 'it waited for the USB debugging prompt',
};

/** A nightly test takes a phone for no longer at once; a timer, or a person, does, ms. */
const NIGHTLY_MS = 5 * MINUTE_MS;

/** A test restarts a phone, switches adbd to root, or comes every night; a job ends its emulator. */
function mayBeTest({ cause, isUpdated = false, medium }: Loss, awayMs: number): boolean {
  switch (cause?.kind) {
    case 'restarted':
      return cause.isAsked && !isUpdated;
    case 'mode':
      return true;
    case 'daily':
      return awayMs <= NIGHTLY_MS;
    case 'away':
    case 'gone':
      return medium === 'emulator' || cause.isOfJob === true;
    default:
      return false;
  }
}

/** Restarts that no loss tells of, and updates. */
function restartsOf({ events, stretches, from, to, phone, lossOf }: FaultsInput): Fault[] {
  // a phone says that it restarted when it is next collected
  const near = stretches.filter((each) => each.to >= from - BREAK_MS && each.from <= to);
  const known = new Set(
    near.flatMap(({ began }) => {
      const { loss } = (began && lossOf?.(began)) ?? {};
      return [loss?.reboot?.id, loss?.revival?.id];
    }),
  );
  return events.flatMap((event): Fault[] => {
    const { kind, id, at } = event;
    if (kind === 'os') {
      const remedy = 'Switch automatic updates off on the phone, and run the test again';
      return [toldBy(event, { kind: 'android', until: at, remedy })];
    }
    if (kind !== 'rebooted' || known.has(id)) return [];
    const is = rebootKind(event.reason);
    const restart = toldBy(event, {
      kind: 'restarted',
      at: at - (event.uptimeSeconds ?? 0) * 1000,
      until: at,
      certainty: is === 'crash' ? 'certain' : is === 'asked' ? 'possible' : 'likely',
      remedy: unlessEmulator(phone?.connection, remedyFor.phone),
    });
    return [restart];
  });
}

/** What one event shows. */
const toldBy = (event: HistoryEvent, rest: Pick<Fault, 'kind' | 'remedy'> & Partial<Fault>): Fault => ({
  at: event.at,
  certainty: 'certain',
  title: textOf(event),
  evidence: [event.id],
  ...rest,
});

/** The adb server, and restarts of the host. */
function ofHost({ events }: FaultsInput): Fault[] {
  const found: Fault[] = [];
  let lost: Fault | undefined;
  for (const event of events) {
    const { kind, at } = event;
    const ofAdb = () => toldBy(event, { kind: 'adb', remedy: remedyFor.adb });
    if (kind === 'adbLost' && !lost) {
      lost = { ...ofAdb(), at: event.since ?? at };
      found.push(lost);
    } else if (lost && endsAdbLost.has(kind)) {
      lost.until = at;
      lost = undefined;
    }
    if (kind === 'adbReplaced') found.push({ ...ofAdb(), until: at });
    if (kind !== 'agentStarted' || !isAfterBoot(event)) continue;
    const remedy = 'Find out who or what restarted the host; run the test again';
    const from = event.lastAliveAt ?? at;
    found.push(toldBy(event, { kind: 'host', at: from, until: at, title: 'the host restarted', remedy }));
  }
  return found;
}

function maintenancesOf({ events, at: now }: FaultsInput): Fault[] {
  const found: Fault[] = [];
  let lasting: Fault | undefined;
  for (const event of events) {
    const { kind, at } = event;
    if (kind !== 'maintenance' && kind !== 'maintenanceEnded') continue;
    if (lasting) lasting.until = Math.min(at, lasting.until ?? at);
    lasting = undefined;
    if (kind === 'maintenanceEnded') continue;
    lasting = toldBy(event, { kind, remedy: 'Run the test again when the maintenance is over' });
    if (event.until < now) lasting.until = event.until;
    found.push(lasting);
  }
  return found;
}

/** Whose phones have no internet for so long does not need it, ms. */
const WITHOUT_INTERNET_MS = DAY_MS;

/** @param beforeMs how long before the time that was asked for it began; below 0: within it */
function certaintyOf(code: string, beforeMs: number): Certainty {
  // most tests wake the phone themselves
  if (code === 'screenOff' || (OF_INTERNET.has(code) && beforeMs > WITHOUT_INTERNET_MS)) return 'possible';
  if (beforeMs >= 0) return 'certain';
  return mayBeByTest(code) ? 'possible' : 'likely';
}

/** A start says anew what is in the way, but for internet: it does not know who had it before. */
function hindrancesOf({ events, from, phone }: FaultsInput): Fault[] {
  const found: Fault[] = [];
  const lasting = new Map<string, Fault>();
  let cut: Fault | undefined;
  for (const event of events) {
    const { kind, at } = event;
    const isStart = beginsAnew(event);
    if (kind !== 'hindered' && !isStart) continue;
    const codes = new Set(kind === 'hindered' ? event.codes.split(',').filter(Boolean) : []);
    for (const [code, fault] of lasting) {
      if (codes.has(code)) continue;
      fault.until = at;
      lasting.delete(code);
      if (isStart && OF_INTERNET.has(code)) cut = fault;
    }
    for (const code of codes) {
      if (lasting.has(code)) continue;
      if (OF_INTERNET.has(code)) cut = undefined;
      const fault = toldBy(event, {
        kind: 'hindered',
        title: oneLine(hindranceInWords(code)),
        code,
        certainty: certaintyOf(code, from - at),
        remedy: kind === 'hindered' ? printable(event.remedy ?? '') : '',
      });
      lasting.set(code, fault);
      found.push(fault);
    }
  }
  if (phone?.network === 'UNREACHABLE') delete cut?.until;
  return found;
}

/** Times in which readings were at a limit, one kind of reading after the other. */
function ofReadings(input: FaultsInput): Fault[] {
  const { totalBytes = Number.POSITIVE_INFINITY } = input.phone?.storage ?? {};
  return [
    ...runsOf(input, {
      kind: 'heat',
      badness: ({ temperatureDecicelsius }) => temperatureDecicelsius,
      limit: HOT_CELSIUS * 10,
      words: (worst) => [`its battery was at ${Math.round(worst / 10)} °C`, coolDown(worst)],
    }),
    ...runsOf(input, {
      kind: 'battery',
      badness: ({ levelPercent }) => levelPercent && -levelPercent,
      limit: -LOW_PERCENT,
      words: (worst) => [`its battery was at ${Math.round(-worst)} %`, CHARGE],
    }),
    ...runsOf(input, {
      kind: 'storage',
      badness: ({ storageUsedBytes }) => storageUsedBytes,
      limit: totalBytes * FULL_RATIO,
      words: (worst) => [`its storage was ${Math.floor((worst * 100) / totalBytes)} % full`, FREE_STORAGE],
    }),
  ];
}

interface Limit {
  kind: FaultKind;
  /** Undefined where the reading is not known. */
  badness(sample: HistorySample): number | undefined;
  /** From this on it is a fault. */
  limit: number;
  /** Title and remedy. */
  words(worst: number): [string, string];
}

function runsOf({ samples, from, at: now }: FaultsInput, { kind, badness, limit, words }: Limit): Fault[] {
  const known = samples.flatMap((sample) => {
    const value = badness(sample);
    return value === undefined ? [] : [{ at: sample.at, value }];
  });
  const runs: { at: number; lastAt: number; worst: number; until: number }[] = [];
  for (const [index, { at, value }] of known.entries()) {
    if (value < limit) continue;
    const until = Math.min(known[index + 1]?.at ?? now, at + BREAK_MS);
    const last = runs.at(-1);
    if (last?.until === at) Object.assign(last, { lastAt: at, until, worst: Math.max(last.worst, value) });
    else runs.push({ at, lastAt: at, until, worst: value });
  }
  return runs.map(({ at, lastAt, worst, until }) => {
    const [title, remedy] = words(worst);
    const [isRead, isBefore] = [lastAt + SAMPLE_MS > from, at + SAMPLE_MS <= from];
    // it began in that time: a heavy test may have a part in it
    const certainty = !isRead ? 'possible' : isBefore ? 'certain' : 'likely';
    return { kind, at, ...(until < now && { until }), certainty, title, remedy, evidence: [] };
  });
}
