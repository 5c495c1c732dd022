/**
 * A timeline in which what repeats is one line: `lost and back 7 times between 09:12 and 10:40, longest 3 min`, and phones
 * that were lost together are lost once. Pure.
 */
import { duration, localDay, wallTime } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { firstOf, quantity } from '../base/words.ts';
import { type TimelineEntry, timelineEntryOf } from '../diagnosis/explain/timeline.ts';
import { TOGETHER_MS } from '../diagnosis/rules/present.ts';
import { type EventKind, type HistoryEvent, isLostState } from '../history/events/event.ts';

/** Fewer repetitions, and fewer phones at once, have a line each. */
const FEWEST = 3;
/** Phones that one line names. */
const MOST_NAMED = 4;
const LONGEST = 600;

/** What goes away and comes back: a phone, several at once, the adb server, or what the cloud stores. */
type Stream = 'phone' | 'phones' | 'adb' | 'cloud' | 'refusal';
/** `between`: it is neither lost nor back, as a phone that starts again. */
type Turn = 'loss' | 'return' | 'between';

/** One event, or those of several phones at once. */
interface Step {
  entry: TimelineEntry;
  stream?: Stream;
  turn?: Turn;
  phones: number;
}

/** Losses and returns in turn. */
interface Run {
  turns: Step[];
  between: Step[];
}

/**
 * @param events newest first by `id`
 * @returns newest first
 */
export function collapsedTimeline(
  events: readonly HistoryEvent[],
  nameOf: (udid: string) => string = (udid) => udid,
): TimelineEntry[] {
  const steps = stepsOf(events.toReversed(), nameOf);
  const runs = runsOf(steps);
  const inRuns = new Set(runs.flatMap(({ turns, between }) => [...turns, ...between]));
  const single = steps.flatMap((step) => (inRuns.has(step) || isOfRun(step, runs) ? [] : [step.entry]));
  return [...single, ...runs.map(entryOfRun)].sort((one, other) => other.id - one.id);
}

/** What USB showed of a loss that is one of many. */
const isOfRun = ({ entry: { kind, id, udid } }: Step, runs: readonly Run[]): boolean =>
  kind === 'usb' &&
  runs.some(({ turns }) => {
    const [first, last] = [turns[0] as Step, turns.at(-1) as Step];
    const isOfSame = first.stream === 'phones' || (first.stream === 'phone' && first.entry.udid === udid);
    return isOfSame && first.entry.id < id && id < last.entry.id;
  });

/** What the other kinds mean follows from the phone's state, or they mean nothing. */
const meanings: Readonly<Partial<Record<EventKind, Pick<Step, 'stream' | 'turn'>>>> = {
  detached: { stream: 'phone', turn: 'loss' },
  rebooted: { stream: 'phone', turn: 'between' },
  refused: { stream: 'refusal', turn: 'loss' },
  stored: { stream: 'refusal', turn: 'return' },
  adbLost: { stream: 'adb', turn: 'loss' },
  adbBack: { stream: 'adb', turn: 'return' },
  cloudLost: { stream: 'cloud', turn: 'loss' },
  cloudBack: { stream: 'cloud', turn: 'return' },
};

function meaningOf(event: HistoryEvent): Pick<Step, 'stream' | 'turn'> {
  if (event.kind !== 'attached' && event.kind !== 'state') return meanings[event.kind] ?? {};
  if (event.state === 'device') return { stream: 'phone', turn: 'return' };
  const isLoss = event.kind === 'state' && isLostState(event.state);
  return { stream: 'phone', turn: isLoss ? 'loss' : 'between' };
}

/** Several phones at once are one step. */
function stepsOf(oldestFirst: readonly HistoryEvent[], nameOf: (udid: string) => string): Step[] {
  const steps: Step[] = [];
  let group: Step[] = [];
  let usb: TimelineEntry | undefined;
  const flush = () => {
    const phones = new Set(group.map(({ entry }) => entry.udid));
    steps.push(...(phones.size < FEWEST ? group : [stepOfMany(group, phones.size, nameOf)]));
    group = [];
  };
  for (const event of oldestFirst) {
    const step: Step = { entry: timelineEntryOf(event), phones: 1, ...meaningOf(event) };
    if (event.kind === 'usb') {
      const { text, at } = step.entry;
      // a hub that left is told once, and not with each of its phones
      if (usb?.text !== text || Math.abs(at - usb.at) > TOGETHER_MS) steps.push(step);
      usb = step.entry;
      continue;
    }
    const [first = step] = group;
    const isTogether = step.turn === first.turn && Math.abs(step.entry.at - first.entry.at) <= TOGETHER_MS;
    const mayBeOfMany = step.stream === 'phone' && step.turn !== 'between';
    if (!mayBeOfMany || !isTogether) flush();
    if (mayBeOfMany) group.push(step);
    else steps.push(step);
  }
  flush();
  return steps;
}

function stepOfMany(group: readonly Step[], phones: number, nameOf: (udid: string) => string): Step {
  const [first, last] = [group[0] as Step, group.at(-1) as Step];
  const { turn } = first;
  const names = [...new Set(group.map(({ entry: { udid = '' } }) => nameOf(udid)))];
  const within = duration(Math.max(1000, Math.abs(last.entry.at - first.entry.at)));
  const what = `${phones} phones ${turn === 'loss' ? 'lost' : 'back'} within ${within}`;
  const text = printable(`${what}: ${firstOf(names, MOST_NAMED)}`, LONGEST);
  const { id, kind } = last.entry;
  return omitUndefined({
    entry: { id, at: first.entry.at, kind, text },
    stream: 'phones' as const,
    turn,
    phones,
  });
}

/** What a person did stands between two runs. */
const ends: ReadonlySet<string> = new Set(['note', 'maintenance', 'maintenanceEnded', 'drain', 'drainEnded']);

/** Those of one day that repeat often enough for one line. */
function runsOf(steps: readonly Step[]): Run[] {
  const runs: Run[] = [];
  const open = new Map<string, Run>();
  const close = (key: string) => {
    const run = complete(open.get(key) ?? { turns: [], between: [] });
    if (run.turns.length >= 2 * FEWEST) runs.push(run);
    open.delete(key);
  };
  for (const step of steps) {
    const { entry, stream, turn } = step;
    if (ends.has(entry.kind)) for (const key of [...open.keys()]) close(key);
    if (stream === undefined) continue;
    const key = `${stream} ${entry.udid ?? ''}`;
    const last = open.get(key)?.turns.at(-1);
    const isNext = last !== undefined && last.turn !== turn && localDay(last.entry.at) === localDay(entry.at);
    if (turn === 'between') open.get(key)?.between.push(step);
    else if (isNext) open.get(key)?.turns.push(step);
    else {
      close(key); // another day; or two losses, and what was between them is not known
      if (turn === 'loss') open.set(key, { turns: [step], between: [] });
    }
  }
  for (const key of [...open.keys()]) close(key);
  return runs;
}

/** Without a loss at the end that lasts, and what followed it. A restart is noticed after the return. */
function complete({ turns, between }: Run): Run {
  const pairs = turns.slice(0, turns.length - (turns.length % 2));
  const backAt = pairs.at(-1)?.entry.id ?? 0;
  const lossAt = turns.at(pairs.length)?.entry.id ?? Number.POSITIVE_INFINITY;
  const isWithin = ({ entry: { id, kind } }: Step) => id < (kind === 'rebooted' ? lossAt : backAt);
  return { turns: pairs, between: between.filter(isWithin) };
}

function entryOfRun({ turns, between }: Run): TimelineEntry {
  const [first, last] = [turns[0] as Step, turns.at(-1) as Step];
  const count = turns.length / 2;
  const lengths = turns.map(({ entry }, index) =>
    index % 2 ? entry.at - (turns[index - 1]?.entry.at ?? 0) : 0,
  );
  const restarts = between.filter(({ entry }) => entry.kind === 'rebooted').length;
  const { id, udid, slot } = last.entry;
  const times = turns.map(({ entry }) => entry.at);
  const most = Math.max(...turns.map(({ phones }) => phones));
  const [from, at] = [Math.min(...times), Math.max(...times)]; // the clock may have been set back
  const text = [
    `${first.stream === 'phones' ? `up to ${most} ` : ''}${again[first.stream ?? 'phone']} ${count} times between ${wallTime(from)} and ${wallTime(at)}`,
    `longest ${duration(Math.max(0, ...lengths))}`,
    ...(restarts > 0 ? [`restarted ${quantity(restarts, 'time')}`] : []),
  ].join(', ');
  return omitUndefined({ id, at, kind: first.entry.kind, text, count, from, udid, slot });
}

const again: Readonly<Record<Stream, string>> = {
  phone: 'lost and back',
  phones: 'phones lost and back',
  adb: 'the adb server stopped answering and came back',
  cloud: 'the cloud stopped storing reports and began again',
  refusal: 'rejected by the cloud and stored again',
};
