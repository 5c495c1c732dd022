/** `hostnode why`: what is so of a phone or a place, since when, who is to blame, what to do, and what led to it. */
import { DAY_MS, duration, localDay, localMoment, wallTime } from '../base/calendar.ts';
import type { Style } from '../base/styled-text.ts';
import type { Certainty, Severity } from '../diagnosis/finding.ts';
import type { EventKind } from '../history/events/event.ts';
import { parties, remedyOnTop, type TimelineEntry, type Why } from '../status/host-status.ts';
import { type AgentOptions, callAgent } from './agent.ts';
import { type Block, behind, layOut, paragraph, problem, show } from './columns.ts';
import { momentOf } from './moment.ts';
import { conditionStyles } from './status-lines.ts';
import { sayJson } from './terminal.ts';

export type WhyOptions = AgentOptions<'all' | 'json', 'since'>;

/** Entries of the timeline on a terminal, unless somebody asks for more. */
const ENTRIES = 20;
const MOST_ENTRIES = 1000;

export async function why(name: string, { since: text, all, json, ...option }: WhyOptions): Promise<void> {
  const since = text === undefined ? (all ? 0 : undefined) : momentOf('--since', text);
  const query = new URLSearchParams({
    limit: String(all ? MOST_ENTRIES : ENTRIES),
    ...(since !== undefined && { since: String(Math.max(0, since)) }),
  });
  const path = `/api/why/${encodeURIComponent(name)}?${query}`;
  const answer = await callAgent<Why>(option, { path });
  if (json) return sayJson(answer);
  show(...whyLines(answer, Date.now()));
}

type Phone = NonNullable<Why['phones']>[number];

export function whyLines(why: Why, now: number): Block[] {
  const { now: is, since } = why;
  const remedy = remedyOnTop(why);
  const how = since === undefined ? '' : `, since ${localMoment(since, now)} (${duration(now - since)})`;
  const parts = [
    aboutLines(why, now),
    phoneLines(why.phones ?? [], now),
    findingLines(why, now),
    timelineLines(why, now),
  ];
  return [
    paragraph(`${is}${how}`, 'bold'),
    ...(remedy === '' ? [] : [behind({ text: '  → ' }, remedy)]),
    ...parts.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines])),
  ];
}

const adverbs: Readonly<Record<Certainty, string>> = {
  certain: 'certainly',
  likely: 'likely',
  possible: 'possibly',
};

function aboutLines(why: Why, now: number): Block[] {
  const { subject, blame, lostAt, lostName, remedyOfLoss } = why;
  const { kind, udid, slot, devpath } = subject;
  const places = [kind === 'phone' ? slot : undefined, devpath && `USB port ${devpath}`];
  const about = (label: string, text: string) => behind({ text: `${label.padEnd(9)} `, style: 'dim' }, text);
  const lines = kind === 'phone' ? [about('Phone', [udid, ...places].filter(Boolean).join(' · '))] : [];
  if (blame === undefined) return lines;
  const remedy = remedyOfLoss === undefined ? [] : [about('Remedy', remedyOfLoss)];
  if (lostAt === undefined) return [...lines, about('To blame', blamed(blame)), ...remedy];
  const whose = lostName === undefined ? '' : `${lostName}, `;
  const at = localMoment(lostAt, now);
  return isLossOver(why, lostAt)
    ? [...lines, about(`Last loss ${at}:`, `${whose}${blamed(blame)}`), ...remedy]
    : [...lines, about('To blame', `${blamed(blame)} (${whose}lost at ${at})`), ...remedy];
}

/** adb may have noticed a loss so much earlier than what is wrong now began, ms. */
const SLACK_MS = 60_000;

/** Is nothing wrong there since that loss? Then it says nothing of what is so now. */
const isLossOver = ({ condition, since = 0, phones = [] }: Why, lostAt: number): boolean =>
  ![{ condition, since }, ...phones].some(
    (each) =>
      each.condition === 'needsAttention' &&
      each.since <= lostAt + SLACK_MS &&
      each.since >= lostAt - SLACK_MS,
  );

export const blamed = ({ party, certainty, because }: NonNullable<Why['blame']>): string =>
  party === 'unknown' ? `not known: ${because}` : `${adverbs[certainty]} ${parties[party]}: ${because}`;

function phoneLines(phones: readonly Phone[], now: number): Block[] {
  if (phones.length === 0) return [];
  const columns = [
    { title: 'UDID', leastWidth: 12 },
    { title: 'PLACE', leastWidth: 14 },
    { title: 'NAME', leastWidth: 12 },
    { title: 'STATE' },
    { title: 'SINCE' },
  ];
  const rows = phones.map(({ udid, slot, devpath = '', name, condition, sign, since }) => {
    const text = condition === 'needsAttention' ? sign || 'needs attention' : condition;
    const state = { text, style: conditionStyles[condition] };
    return [udid, slot ?? devpath, name, state, localMoment(since, now)];
  });
  return [layOut(columns, rows, ['SINCE', 'PLACE'])];
}

const severities: Readonly<Record<Severity, Style>> = { critical: 'red', major: 'red', minor: 'yellow' };

/** The remedy on top is not said again. */
function findingLines(why: Why, now: number): Block[] {
  const { findings } = why;
  if (findings.length === 0) return [];
  const first = remedyOnTop(why);
  return [
    [{ text: 'Findings', style: 'bold' }],
    ...findings.flatMap(({ code, severity, certainty, title, remedy, since }) =>
      problem(
        { text: severity === 'minor' ? ' · ' : ' ! ', style: severities[severity] },
        `${title}  (${code}, ${certainty}, since ${localMoment(since, now)})`,
        remedy === first ? '' : remedy,
      ),
    ),
  ];
}

const styles: Readonly<Partial<Record<EventKind, Style>>> = {
  detached: 'red',
  adbLost: 'red',
  refused: 'red',
  cloudLost: 'red',
  note: 'bold',
  agentStarted: 'dim',
  agentStopped: 'dim',
  agentReloaded: 'dim',
};

function timelineLines({ subject, timeline, hasMore, historyProblem }: Why, now: number): Block[] {
  const title: Block = [{ text: 'What led to it', style: 'bold' }];
  if (historyProblem !== undefined)
    return [title, behind({ text: '  ' }, `not known: the history does not answer (${historyProblem})`)];
  if (timeline.length === 0) return [title, '  nothing is known of this time'];
  const days = Map.groupBy(timeline, ({ at }) => localDay(at));
  return [
    title,
    ...[...days].flatMap(([day, entries]): Block[] => [
      [{ text: dayName(day, now), style: 'dim' }],
      ...entries.map((entry) => entryLine(entry, subject.kind !== 'phone')),
    ]),
    ...(hasMore ? [behind({ text: '  … ' }, 'there is more: --all')] : []),
  ];
}

function entryLine({ at, kind, text, udid, name, slot }: TimelineEntry, isOfMany: boolean): Block {
  const place = kind === 'note' ? slot : undefined;
  const whose = isOfMany ? (name ?? udid ?? place) : undefined;
  const said = whose === undefined ? text : `${whose}: ${text}`;
  return behind({ text: `  ${wallTime(at)}  `, style: 'dim' }, said, styles[kind]);
}

function dayName(day: string, now: number): string {
  if (day === localDay(now)) return 'today';
  const noon = new Date(now).setHours(12);
  return day === localDay(noon - DAY_MS) ? 'yesterday' : day;
}
