/** The made-up past of a phone: days, readings of 90 days, events, and what follows from them. */

import type { DayUptime } from '../../src/history/store/history.ts';
import type { FindingStatus, HostStatus, Sample, TimelineEntry, Why } from '../../src/status/host-status.ts';
import type { EventsAsked, PhonePast } from '../../src/status/phone-past.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 90;
const PAGE = 50;

export class SamplePast implements PhonePast {
  /** What is asked of it, one line each. */
  readonly asked: string[] = [];
  /** Newest first. */
  entries: TimelineEntry[];
  days: DayUptime[];
  readonly #status: () => HostStatus | undefined;

  constructor(status: () => HostStatus | undefined, now = Date.now()) {
    this.#status = status;
    this.entries = entriesOf(now);
    this.days = daysOf(now);
  }

  uptime(udid: string): Promise<DayUptime[] | undefined> {
    return this.#answer(`uptime ${udid}`, udid, this.days);
  }

  samples(udid: string, days: number): Promise<Sample[] | undefined> {
    return this.#answer(`samples ${udid} ${days}`, udid, hourlyOf(this.#status()?.takenAt ?? 0));
  }

  events(udid: string, { before = Number.POSITIVE_INFINITY, kinds }: EventsAsked) {
    const found = this.entries.filter(({ id, kind }) => id < before && (kinds?.includes(kind) ?? true));
    const events = found.slice(0, PAGE);
    const next = found.length > PAGE ? events.at(-1)?.id : undefined;
    return this.#answer(`events ${udid} ${kinds ?? 'all'}`, udid, {
      events,
      ...(next !== undefined && { next }),
    });
  }

  /** Adds an event that has just happened. */
  happened(entry: Pick<TimelineEntry, 'kind' | 'text'>): void {
    const id = (this.entries[0]?.id ?? 0) + 1;
    this.entries = [{ id, at: this.#status()?.takenAt ?? 0, ...entry }, ...this.entries];
  }

  #answer<Answer>(asked: string, udid: string, answer: Answer): Promise<Answer | undefined> {
    this.asked.push(asked);
    const isKnown = this.#status()?.phones.some((phone) => phone.udid === udid);
    return Promise.resolve(isKnown ? answer : undefined);
  }
}

/** Days before the tenth are not known; some are bad. */
function daysOf(now: number): DayUptime[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(midnight);
    date.setDate(date.getDate() - (DAYS - 1 - index));
    const at = date.getTime();
    if (index < 10) return { at, losses: 0 };
    if (index % 31 === 0) return { at, onlineRatio: 0.62, losses: 7 };
    if (index % 12 === 0) return { at, onlineRatio: 0.95, losses: 2 };
    return { at, onlineRatio: 1, losses: 0 };
  });
}

/** Every hour; the agent was down for two days. */
const hourlyOf = (now: number): Sample[] =>
  Array.from({ length: DAYS * 24 }, (_, index) => {
    const wave = Math.sin(index / 9) + Math.sin(index / 300);
    return {
      at: now - DAYS * DAY + index * HOUR,
      levelRatio: 0.5 + wave * 0.2,
      temperatureCelsius: Math.round((29 + wave * 3) * 10) / 10,
    };
  }).filter((_, index) => index < 500 || index > 548);

const turns: readonly Pick<TimelineEntry, 'kind' | 'text'>[] = [
  { kind: 'attached', text: 'attached' },
  { kind: 'detached', text: 'lost: adb no longer lists it' },
  { kind: 'rebooted', text: 'restarted by itself (kernel panic)' },
  { kind: 'stored', text: 'the cloud stored it' },
];

/** Sixty, newest first. */
function entriesOf(now: number): TimelineEntry[] {
  const entries: TimelineEntry[] = Array.from({ length: 58 }, (_, index) => ({
    ...(turns[index % turns.length] ?? { kind: 'stored', text: '' }),
    id: 58 - index,
    at: now - (index + 1) * 5 * HOUR,
    slot: 'rack 1, shelf 1, bay 5',
  }));
  return [
    { id: 60, at: now - 6 * MINUTE, kind: 'batteryHealth', text: 'battery: overheat' },
    { id: 59, at: now - HOUR, kind: 'note', text: 'note by anna: swapped the cable' },
    ...entries,
  ];
}

const unstable: FindingStatus = {
  code: 'PORT_UNSTABLE',
  severity: 'major',
  subject: { kind: 'port', key: '1-1.5', slot: 'rack 1, shelf 1, bay 5' },
  certainty: 'likely',
  title: 'Bay 5 lost 3 different phones in 9 days',
  remedy: 'Replace the cable or the port. Run hostnode doctor to see the negotiated speed',
  since: 0,
  udids: [],
};

/** Of a phone that this host knows, or of a shelf. */
export function sampleWhy({ phones, bands, takenAt }: HostStatus, name: string): Why | undefined {
  const phone = phones.find(({ udid }) => udid === name);
  const isShelf = bands.some((band) => band.name === name);
  const isSlot = phones.some(({ slot }) => slot === name);
  if (!phone && !isShelf && !isSlot) return undefined;
  const isFine = phone?.condition === 'fine';
  return {
    subject: phone
      ? { kind: 'phone', name: phone.name, udid: name }
      : { kind: isSlot ? 'slot' : 'shelf', name },
    now: isFine ? 'It is online' : 'It was lost 3 times since yesterday',
    since: phone?.since ?? takenAt - DAY,
    ...(!isFine && {
      blame: {
        party: 'port',
        key: '1-1.5',
        certainty: 'likely',
        because: 'Bay 5 lost 3 different phones in 9 days',
        evidence: [1, 2, 3],
      },
    }),
    ...(!isFine && { lostAt: takenAt - HOUR }),
    findings: isFine ? [] : [{ ...unstable, since: takenAt - 9 * DAY, udids: [name] }],
    remedy: isFine ? '' : (phone?.message ?? 'Replace the cable or the port'),
    ...(isShelf && { phones: phones.filter(({ slot }) => slot?.startsWith(`${name}, `)) }),
    timeline: entriesOf(takenAt)
      .slice(0, 20)
      .map((entry) => (isShelf ? { ...entry, udid: phones[4]?.udid ?? '' } : entry)),
  };
}
