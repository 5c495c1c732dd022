/** A phone's answers, parsed section by section. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { BootFacts } from '../facts/boot.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import type { Facts } from '../facts/index.ts';
import { type Signs, UPTIME_SLACK_SECONDS } from '../facts/same-phone.ts';
import type { Answers, CommandOptions, Section } from '../facts/section.ts';
import type { Parsers } from './parsers.ts';
import type { CommandOutcome } from './transcript.ts';

export interface Reading {
  facts: unknown;
  /** When its last answer arrived, ms since the epoch. */
  takenAt: number;
  /** The same by the monotonic clock, ms: ages are counted by it. */
  readAt: number;
  /** Every command of the section was answered. */
  isWhole: boolean;
  /** What the facts depend on, see `Section.revision`. */
  revision?: string;
}

export interface SectionFailure {
  section: string;
  kind: 'timed-out' | 'flooded' | 'unreadable' | 'too-slow';
  error?: Error;
}

/** By the section's name. */
export type Readings = ReadonlyMap<string, Reading>;

/**
 * Parses what was answered. A parser that throws, or does not end, costs its own section only.
 *
 * @throws the signal's reason
 */
export async function readAnswers(
  sections: readonly Section<unknown>[],
  options: CommandOptions,
  outcomes: ReadonlyMap<string, CommandOutcome>,
  parsers: Parsers,
  signal: AbortSignal,
): Promise<{ readings: Map<string, Reading>; failures: SectionFailure[] }> {
  const readings = new Map<string, Reading>();
  const failures: SectionFailure[] = [];
  const answered = sections.map((section) => ({ section, ...answersOf(section, options, outcomes) }));
  const jobs = answered.filter(({ arrived }) => arrived !== undefined);
  const parsed = new Map(await parsers.parse(jobs, signal));
  for (const { section, arrived, isWhole, unanswered } of answered) {
    const { name } = section;
    if (unanswered) failures.push({ section: name, kind: unanswered });
    const result = parsed.get(section);
    if (arrived === undefined || result === undefined) continue;
    if (result.kind === 'read') readings.set(name, { facts: result.facts, ...arrived, isWhole });
    else if (result.kind === 'too-slow') failures.push({ section: name, kind: 'too-slow' });
    else failures.push({ section: name, kind: 'unreadable', error: result.error });
  }
  return { readings, failures };
}

function answersOf(
  section: Section<unknown>,
  options: CommandOptions,
  outcomes: ReadonlyMap<string, CommandOutcome>,
) {
  const answers: Record<string, string> = {};
  let arrived: Pick<Reading, 'takenAt' | 'readAt'> | undefined;
  let isWhole = true;
  let unanswered: 'timed-out' | 'flooded' | undefined;
  for (const command of Object.keys(section.commands(options))) {
    const outcome = outcomes.get(`${section.name}.${command}`);
    if (outcome?.kind === 'answered') {
      answers[command] = outcome.text;
      arrived = { takenAt: outcome.at, readAt: outcome.readAt };
    } else {
      isWhole = false;
      unanswered = outcome?.kind ?? unanswered;
    }
  }
  return { answers: answers satisfies Answers, arrived, isWhole, unanswered };
}

export const factsOf = (readings: Iterable<[string, Reading]>): Facts =>
  Object.fromEntries(Array.from(readings, ([name, { facts }]) => [name, facts]));

export const bootFactsOf = (reading: Reading | undefined): BootFacts => (reading?.facts ?? {}) as BootFacts;

/** When its boot began, by the monotonic clock, seconds. */
const beganAt = ({ readAt }: Reading, uptimeSeconds: number): number => readAt / 1000 - uptimeSeconds;

/** What identifies the phone and its boot; `startedAt` is by the monotonic clock. */
export function signsOf(identity: Reading | undefined, boot: Reading | undefined): Signs {
  const { bootId, uptimeSeconds } = bootFactsOf(boot);
  const startedAt = boot && uptimeSeconds !== undefined ? beganAt(boot, uptimeSeconds) : undefined;
  return omitUndefined({ identity: identity?.facts as IdentityFacts | undefined, bootId, startedAt });
}

/**
 * By boot id; where one is missing, by the moment at which the phone says that it started. Android in a container
 * restarts under its host's boot id and uptime: there it counts that it had started and is starting again.
 */
export function isAnotherBoot(before: Reading, now: Reading): boolean {
  const [was, is] = [bootFactsOf(before), bootFactsOf(now)];
  if (was.bootCompleted === true && is.bootCompleted === false) return true;
  if (was.bootId !== undefined && is.bootId !== undefined) return was.bootId !== is.bootId;
  if (was.uptimeSeconds === undefined || is.uptimeSeconds === undefined) return false;
  return Math.abs(beganAt(now, is.uptimeSeconds) - beganAt(before, was.uptimeSeconds)) > UPTIME_SLACK_SECONDS;
}
