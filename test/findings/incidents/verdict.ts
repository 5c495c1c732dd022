/** Compares what was judged with what the source of an incident says; and what is found in a month where nothing is wrong. */
import { omitUndefined } from '../../../src/base/omit-undefined.ts';
import type { Finding, Subject } from '../../../src/diagnosis/finding.ts';
import { lastLosses } from '../../../src/diagnosis/losses/attribution.ts';
import { type Blame, blameIn } from '../../../src/diagnosis/losses/blame.ts';
import type { Party } from '../../../src/diagnosis/losses/reasons.ts';
import { isOfPresent } from '../../../src/diagnosis/rules/index.ts';
import type { Cause } from '../../../src/status/causes.ts';
import type { Why } from '../../../src/status/host-status.ts';
import type { Named } from '../../../src/status/names.ts';
import { whyOf } from '../../../src/status/why.ts';
import { inZone } from './lab.ts';
import { type Expected, type Incident, type QuietMonth, told, zoneOf } from './story.ts';
import { type Judgement, momentsOf, type Shown, Sweep } from './sweep.ts';

/** `wrong`: something else was blamed, with more than `possible`. `missed`: nothing was, or without a remedy that fits. */
export type Outcome = 'right' | 'missed' | 'wrong';

export interface Verdict {
  name: string;
  outcome: Outcome;
  /** Why it is not right, in words. */
  why: string[];
  /** When somebody asked. */
  asked?: Judgement;
  blames: Blame[];
  told: Cause[];
  /** What page and terminal show then. */
  shown?: Shown;
  /** Where the cause that page and terminal show names another one than `why` does, or two tell a phone differently. */
  contradictions: string[];
}

/** An incident is judged so often on the way. */
const MOST_OF_INCIDENT = 120;
/** A month is. */
const MOST_OF_MONTH = 240;
/**
 * What a lab does every day, such as a timer that switches a hub off, looks like a fault until it was seen on three days
 * (docs/findings.md, HUB_LOST): a month is judged from then on.
 */
const LEARNING_DAYS = 3;
/** So much of an incident's losses must be blamed rightly. */
const LEAST_PART = 0.8;

export const verdictOn = (incident: Incident): Verdict => inZone(zoneOf(incident), () => judged(incident));

function judged(incident: Incident): Verdict {
  const { lab, expected } = told(incident);
  const sweep = new Sweep(lab);
  const accused = new Set<string>();
  for (const at of momentsOf(sweep.times, lab, MOST_OF_INCIDENT)) {
    if (at >= expected.at) break;
    const { findings = [] } = sweep.judge(at) ?? {};
    for (const finding of findings)
      if (isAccusation(finding, expected))
        accused.add(`${finding.code}: ${finding.title} (day ${Math.floor((at - lab.start) / 86_400_000)})`);
  }
  const asked = sweep.ask(expected.at);
  if (asked === undefined) {
    const why = ['nothing is judged while the agent does not run'];
    return { name: incident.name, outcome: 'missed', why, blames: [], told: [], contradictions: [] };
  }
  for (const finding of asked.findings)
    if (isAccusation(finding, expected)) accused.add(`${finding.code}: ${finding.title}`);
  const shown = sweep.shownAt(asked);
  const causes = [...shown.causes, ...shown.notices];
  const blames = blamesOf(asked, expected);
  const wrongly = [
    ...[...accused].map((title) => `accuses ${title}`),
    ...blames
      .filter((blame) => isWrong(blame, expected))
      .map(({ party, certainty, because }) => `blames ${certainty} ${party}: ${because}`),
  ];
  const missing = missingIn(causes, blames, expected, whysOf(asked, shown, expected));
  return {
    name: incident.name,
    outcome: wrongly.length > 0 ? 'wrong' : missing.length > 0 ? 'missed' : 'right',
    why: [...new Set([...wrongly, ...missing])],
    asked,
    blames,
    told: causes,
    shown,
    contradictions: [...causes.flatMap((cause) => contradictionsIn(cause, asked)), ...twiceIn(shown)],
  };
}

/** Whom `why` may blame for the last loss of a phone, by the subject of the cause that tells why it is away. */
const named: Readonly<Record<Subject['kind'], readonly Party[]>> = {
  hub: ['hub'],
  host: ['host', 'room', 'adb'],
  room: ['host', 'room'],
  network: ['network'],
  port: ['port', 'adb'],
  phone: ['phone', 'link', 'person', 'port', 'adb'],
};

function contradictionsIn(cause: Cause, { context }: Judgement): string[] {
  const { udids, subject, title } = cause;
  const blameOf = blameIn(context);
  const mayNotKnow = subject.kind === 'phone' || subject.kind === 'port' || isOfPresent(cause);
  return udids.flatMap((udid) => {
    const loss = lastLosses(context).get(udid);
    const event = context.events.find(({ id }) => id === loss?.id && loss.back === undefined);
    const blame = event && blameOf(event)?.blame;
    if (!blame || named[subject.kind].includes(blame.party)) return [];
    // it only says how adb calls phones of a network that has been away for more than the ten days of its own finding
    if (cause.code === 'OFFLINE_LONG' && blame.party === 'network') return [];
    // of a single one nobody knows at times, nor of what only says who is unplugged
    if (mayNotKnow && blame.certainty === 'possible') return [];
    return [`${title}: ${blame.certainty} ${blame.party}, ${blame.because}`];
  });
}

/** Of a phone that needs attention: what the present says of it beside a finding, and a remedy that no cause of it has. */
function twiceIn({ causes, notices, phones }: Shown): string[] {
  return phones.flatMap(({ udid, name, condition, message }) => {
    if (condition !== 'needsAttention') return [];
    const own = causes.filter(({ udids, subject }) => udids.includes(udid) && 'key' in subject);
    const [problems, findings] = [own.filter(isOfPresent), own.filter((cause) => !isOfPresent(cause))];
    const remedies = [...causes, ...notices].flatMap(({ udids, remedy }) =>
      udids.includes(udid) ? [remedy] : [],
    );
    return [
      ...problems.flatMap((problem) =>
        findings.map(
          (finding) => `${problem.title}: ${problem.remedy}, beside ${finding.title}: ${finding.remedy}`,
        ),
      ),
      ...(remedies.includes(message) ? [] : [`${name}: ${message}, of no cause`]),
    ];
  });
}

function blamesOf({ context }: Judgement, { losses = [] }: Expected): Blame[] {
  const ids = new Set(losses.map(({ id }) => id));
  const blameOf = blameIn(context);
  return context.events.filter(({ id }) => ids.has(id)).flatMap((event) => blameOf(event)?.blame ?? []);
}

/** What `hostnode why` says of each of its phones to whom asks then. */
function whysOf(
  { context }: Judgement,
  { causes, notices, phones }: Shown,
  { losses = [] }: Expected,
): Why[] {
  const blameOf = blameIn(context);
  const asPresent = (cause: Cause) => ({ ...cause, kind: cause.code, subject: cause.subject.kind });
  const present = {
    takenAt: context.now.at,
    phones,
    causes: causes.map(asPresent),
    notices: notices.map(asPresent),
  };
  return [...new Set(losses.map(({ phone }) => phone.udid))].map((udid) => {
    const events = context.events.filter((event) => event.udid === udid).toReversed();
    const lost = events.map(blameOf).find((loss) => loss !== undefined);
    const phone = { udid, serial: udid, attached: true, where: {} };
    const named: Named = { kind: 'phone', name: udid, phones: [phone], of: { udids: [udid] }, where: {} };
    return whyOf({ named, present, timeline: omitUndefined({ events, hasMore: false, lost }), limit: 1 });
  });
}

/** Only what sits at a USB port is blamed on it: whoever wrote `link` of such a phone meant its cable. */
const isMeant = (party: Party, blame: readonly Party[]): boolean =>
  blame.includes(party) || (party === 'port' && blame.includes('link'));

const isWrong = ({ party, certainty }: Blame, { blame }: Expected): boolean =>
  blame !== undefined && certainty !== 'possible' && party !== 'unknown' && !isMeant(party, blame);

/** Is something else named as the cause, where everybody sees it? What is said of a phone of the incident only says how it is. */
function isAccusation({ severity, certainty, subject, udids, code }: Finding, expected: Expected): boolean {
  const { told: right, alsoAbout = [], losses = [] } = expected;
  if (severity === 'minor' || certainty === 'possible') return false;
  if (alsoAbout.includes(subject.kind)) return false;
  if (right?.about.includes(subject.kind)) return !isKeyRight(subject, right.keys);
  const own = new Set(losses.map(({ phone }) => phone.udid));
  return !(subject.kind === 'phone' && code !== 'PHONE_UNSTABLE' && udids.every((udid) => own.has(udid)));
}

/** Whom `why` blames for a loss of a phone is one of these; what it does not know it says of the phone and its port. */
const isOneOf = (about: readonly Subject['kind'][], party: Party): boolean =>
  about.some(
    (kind) => named[kind].includes(party) || (party === 'unknown' && (kind === 'phone' || kind === 'port')),
  );

const isKeyRight = (subject: Subject, keys: readonly string[] | undefined): boolean =>
  keys === undefined || !('key' in subject) || keys.includes(subject.key);

function missingIn(
  causes: readonly Cause[],
  blames: readonly Blame[],
  { told: right, blame }: Expected,
  whys: readonly Why[],
): string[] {
  const missing: string[] = [];
  if (blame) {
    const rightly = blames.filter(({ party }) => isMeant(party, blame)).length;
    if (blames.length === 0) missing.push('nobody is asked about its losses');
    if (rightly < blames.length * LEAST_PART)
      missing.push(
        `blames ${[...new Set(blames.map(({ party, certainty, because }) => `${certainty} ${party} (${because})`))].join('; ')}, not ${blame.join(' or ')}`,
      );
  }
  if (right) {
    const about = causes.filter(
      ({ subject }) => right.about.includes(subject.kind) && isKeyRight(subject, right.keys),
    );
    const ofLosses = whys.filter(({ blame: whom }) => whom && isOneOf(right.about, whom.party));
    if (
      !about.some(({ title, remedy }) => right.says.test(`${title}; ${remedy}`)) &&
      !ofLosses.some(({ remedyOfLoss = '' }) => right.says.test(remedyOfLoss))
    )
      missing.push(
        `tells ${about.length === 0 ? 'nothing' : about.map(({ code, title, remedy }) => `${code} ${title}; ${remedy}`).join(' / ')} of ${right.about.join(' or ')}, not ${right.says}`,
      );
  }
  return missing;
}

/** A finding in a month in which nothing is wrong. */
export interface FalseFinding {
  code: string;
  severity: Finding['severity'];
  title: string;
  /** Days after the begin, and when it was last seen. */
  fromDay: number;
  untilDay: number;
  /** How often it was judged so. */
  times: number;
  finding: Finding;
  judgement: Judgement;
}

export interface QuietVerdict {
  name: string;
  judgements: number;
  found: FalseFinding[];
}

/** @param most judged so often, about */
export const quietVerdictOn = (month: QuietMonth, most = MOST_OF_MONTH): QuietVerdict =>
  inZone(zoneOf(month), () => swept(month, most));

function swept(month: QuietMonth, most: number): QuietVerdict {
  const { lab } = told(month);
  const sweep = new Sweep(lab);
  const found = new Map<string, FalseFinding>();
  const learnt = lab.at(LEARNING_DAYS);
  const moments = momentsOf(sweep.times, { start: learnt, end: lab.end }, most);
  for (const at of moments) {
    const judgement = sweep.judge(at);
    const day = (at - lab.start) / 86_400_000;
    for (const finding of judgement?.findings ?? []) {
      const { code, severity, subject, title } = finding;
      const key = `${code} ${severity} ${'key' in subject ? subject.key : ''}`;
      const known = found.get(key);
      if (known) Object.assign(known, { untilDay: day, times: known.times + 1 });
      else if (judgement)
        found.set(key, { code, severity, title, fromDay: day, untilDay: day, times: 1, finding, judgement });
    }
  }
  return { name: month.name, judgements: moments.length, found: [...found.values()] };
}
