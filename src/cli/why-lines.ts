/** The answer of `hostnode why` for a terminal: what is so, what to do, who is to blame, and what led to it. */
import { DAY_MS, duration, localDay, localMoment, wallTime } from '../base/calendar.ts';
import type { Line, Span, Style } from '../base/styled-text.ts';
import type { Certainty, Severity } from '../diagnosis/finding.ts';
import type { Party } from '../diagnosis/losses/attribution.ts';
import type { EventKind } from '../history/events/event.ts';
import { remedyOnTop, type TimelineEntry, type Why } from '../status/host-status.ts';
import { behind, layOut } from './columns.ts';
import { conditionStyles } from './status-lines.ts';

type Phone = NonNullable<Why['phones']>[number];

/**
 * @param width columns of the terminal
 * @returns lines; control characters in foreign text are escaped
 */
export function whyLines(why: Why, now: number, width = Number.POSITIVE_INFINITY): Line[] {
  const parts = [
    aboutLines(why, now, width),
    phoneLines(why.phones ?? [], now, width),
    findingLines(why, now, width),
    timelineLines(why, now, width),
  ];
  return [
    ...headLines(why, now, width),
    ...parts.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines])),
  ];
}

function headLines(why: Why, now: number, width: number): Line[] {
  const { now: is, since } = why;
  const remedy = remedyOnTop(why);
  const how = since === undefined ? '' : `, since ${localMoment(since, now)} (${duration(now - since)})`;
  return [
    ...behind([], `${is}${how}`, width, 'bold'),
    ...(remedy === '' ? [] : behind([{ text: '  → ' }], remedy, width)),
  ];
}

const parties: Readonly<Record<Party, string>> = {
  phone: 'the phone itself',
  port: 'its cable or port',
  link: 'its own Wi-Fi or network',
  hub: 'the hub',
  network: 'the network of the phones',
  adb: 'the adb server',
  host: 'this host',
  room: 'the power of the room',
  person: 'a person',
  unknown: 'nobody knows',
};

const adverbs: Readonly<Record<Certainty, string>> = {
  certain: 'certainly',
  likely: 'likely',
  possible: 'possibly',
};

function aboutLines(why: Why, now: number, width: number): Line[] {
  const { subject, blame, lostAt, lostName } = why;
  const { kind, udid, slot, devpath } = subject;
  const places = [kind === 'phone' ? slot : undefined, devpath && `USB port ${devpath}`];
  const about = (label: string, text: string) =>
    behind([{ text: `${label.padEnd(9)} `, style: 'dim' }], text, width);
  const whose = lostName === undefined ? '' : `${lostName}, `;
  const blameLines = (): Line[] => {
    if (blame === undefined) return [];
    if (lostAt === undefined) return about('To blame', blamed(blame));
    const at = localMoment(lostAt, now);
    return isLossOver(why, lostAt)
      ? about(`Last loss ${at}:`, `${whose}${blamed(blame)}`)
      : about('To blame', `${blamed(blame)} (${whose}lost at ${at})`);
  };
  return [
    ...(kind === 'phone' ? about('Phone', [udid, ...places].filter(Boolean).join(' · ')) : []),
    ...blameLines(),
  ];
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

function phoneLines(phones: readonly Phone[], now: number, width: number): Line[] {
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
  return layOut(columns, rows, { width, dispensable: ['SINCE', 'PLACE'] });
}

const severities: Readonly<Record<Severity, Style>> = { critical: 'red', major: 'red', minor: 'yellow' };

/** The remedy on top is not said again. */
function findingLines(why: Why, now: number, width: number): Line[] {
  const { findings } = why;
  if (findings.length === 0) return [];
  const first = remedyOnTop(why);
  return [
    [{ text: 'Findings', style: 'bold' }],
    ...findings.flatMap(({ code, severity, certainty, title, remedy, since }) => [
      ...behind(
        [{ text: severity === 'minor' ? ' · ' : ' ! ', style: severities[severity] }],
        `${title}  (${code}, ${certainty}, since ${localMoment(since, now)})`,
        width,
      ),
      ...(remedy === first ? [] : behind([{ text: '   → ' }], remedy, width)),
    ]),
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

function timelineLines(
  { subject, timeline, hasMore, historyProblem }: Why,
  now: number,
  width: number,
): Line[] {
  const title: Line = [{ text: 'What led to it', style: 'bold' }];
  if (historyProblem !== undefined)
    return [
      title,
      ...behind([{ text: '  ' }], `not known: the history does not answer (${historyProblem})`, width),
    ];
  if (timeline.length === 0) return [title, '  nothing is known of this time'];
  const days = Map.groupBy(timeline, ({ at }) => localDay(at));
  return [
    title,
    ...[...days].flatMap(([day, entries]) => [
      [{ text: dayName(day, now), style: 'dim' as const }],
      ...entries.flatMap((entry) => entryLines(entry, subject.kind !== 'phone', width)),
    ]),
    ...(hasMore ? behind([{ text: '  … ' }], 'there is more: --all, or --since and --limit', width) : []),
  ];
}

function entryLines(
  { at, kind, text, udid, name, slot }: TimelineEntry,
  isOfMany: boolean,
  width: number,
): Line[] {
  const place = kind === 'note' ? slot : undefined;
  const whose = isOfMany ? (name ?? udid ?? place) : undefined;
  const time: Span = { text: `  ${wallTime(at)}  `, style: 'dim' };
  return behind([time], whose === undefined ? text : `${whose}: ${text}`, width, styles[kind]);
}

function dayName(day: string, now: number): string {
  if (day === localDay(now)) return 'today';
  const noon = new Date(now).setHours(12);
  return day === localDay(noon - DAY_MS) ? 'yesterday' : day;
}
