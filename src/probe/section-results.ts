/** A phone's answers, parsed section by section. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { yieldToLoop } from '../base/time.ts';
import type { BootFacts } from '../facts/boot.ts';
import type { IdentityFacts } from '../facts/identity.ts';
import type { Facts } from '../facts/index.ts';
import { type Signs, UPTIME_SLACK_SECONDS } from '../facts/same-phone.ts';
import type { Answers, CommandOptions, Section } from '../facts/section.ts';
import type { CommandOutcome } from './transcript.ts';

export interface SectionResult {
  facts: unknown;
  /** When its last answer arrived, ms since the epoch. */
  takenAt: number;
  /** The same by `uptimeMs`: ages are counted by it. */
  readAt: number;
  /** Every command of the section was answered. */
  isWhole: boolean;
  /** What the facts depend on, see `Section.revision`. */
  revision?: string;
}

export interface SectionFailure {
  section: string;
  kind: 'timed-out' | 'flooded' | 'unreadable';
  error?: Error;
}

/** By the section's name. */
export type SectionResults = ReadonlyMap<string, SectionResult>;

/** After so much work the other phones have their turn, ms. */
const SLICE_MS = 2;

/**
 * Parses what was answered, a few sections in each turn of the event loop. A parser that throws costs its own section
 * only. None takes long: its text has at most `limitBytes` of each command, and it takes linear time.
 *
 * @throws the signal's reason
 */
export async function readAnswers(
  sections: readonly Section<unknown>[],
  options: CommandOptions,
  outcomes: ReadonlyMap<string, CommandOutcome>,
  signal: AbortSignal,
): Promise<{ results: Map<string, SectionResult>; failures: SectionFailure[] }> {
  const results = new Map<string, SectionResult>();
  const failures: SectionFailure[] = [];
  let sliceEndsAt = 0;
  for (const section of sections) {
    if (performance.now() >= sliceEndsAt) {
      await yieldToLoop();
      signal.throwIfAborted();
      sliceEndsAt = performance.now() + SLICE_MS;
    }
    const { name } = section;
    const { answers, arrived, isWhole, unanswered } = answersOf(section, options, outcomes);
    if (unanswered) failures.push({ section: name, kind: unanswered });
    if (arrived === undefined) continue;
    try {
      results.set(name, { facts: section.parse(answers), ...arrived, isWhole });
    } catch (error) {
      failures.push({ section: name, kind: 'unreadable', error: error as Error });
    }
  }
  return { results, failures };
}

function answersOf(
  section: Section<unknown>,
  options: CommandOptions,
  outcomes: ReadonlyMap<string, CommandOutcome>,
) {
  const answers: Record<string, string> = {};
  let arrived: Pick<SectionResult, 'takenAt' | 'readAt'> | undefined;
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

export const factsOf = (results: Iterable<[string, SectionResult]>): Facts =>
  Object.fromEntries(Array.from(results, ([name, { facts }]) => [name, facts]));

export const bootFactsOf = (result: SectionResult | undefined): BootFacts =>
  (result?.facts ?? {}) as BootFacts;

/** When its boot began, by `uptimeMs`, in seconds. */
const beganAt = ({ readAt }: SectionResult, uptimeSeconds: number): number => readAt / 1000 - uptimeSeconds;

/** What identifies the phone and its boot; `startedAt` is by `uptimeMs`, in seconds. */
export function signsOf(identity: SectionResult | undefined, boot: SectionResult | undefined): Signs {
  const { bootId, uptimeSeconds } = bootFactsOf(boot);
  const startedAt = boot && uptimeSeconds !== undefined ? beganAt(boot, uptimeSeconds) : undefined;
  return omitUndefined({ identity: identity?.facts as IdentityFacts | undefined, bootId, startedAt });
}

/**
 * By boot id; where one is missing, by the moment at which the phone says that it started. Android in a container
 * restarts under its host's boot id and uptime: there it counts that it had started and is starting again.
 */
export function isAnotherBoot(before: SectionResult, now: SectionResult): boolean {
  const [was, is] = [bootFactsOf(before), bootFactsOf(now)];
  if (was.bootCompleted === true && is.bootCompleted === false) return true;
  if (was.bootId !== undefined && is.bootId !== undefined) return was.bootId !== is.bootId;
  if (was.uptimeSeconds === undefined || is.uptimeSeconds === undefined) return false;
  return Math.abs(beganAt(now, is.uptimeSeconds) - beganAt(before, was.uptimeSeconds)) > UPTIME_SLACK_SECONDS;
}
