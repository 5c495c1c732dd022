/** A rule finds one thing that may be wrong: everything about it stands in one literal. */
import { DAY_MS } from '../base/calendar.ts';
import type { HistoryEvent, HistorySample, SampleFilter } from '../history/events/event.ts';
import type { ByConnection } from '../report/message.ts';
import type { Finding, FindingCode, Severity } from './finding.ts';
import type { RuleInput } from './rule-input.ts';

/** How far back rules look, ms. */
export const LOOK_BACK_MS = 30 * DAY_MS;

export interface RuleContext {
  now: RuleInput;
  /** The last `LOOK_BACK_MS`, oldest first by `id`; none for a rule of the present. */
  events: readonly HistoryEvent[];
  /**
   * Of one phone since a moment, oldest first: every five minutes within the last week, every hour before. Each call
   * reads them from the disk: ask for few.
   */
  samplesOf(udid: string, since: number, only?: SampleFilter): readonly HistorySample[];
}

/** One thing that a rule found. What is absent follows from the rule and its subject (`findingOf`). */
export interface Found
  extends Pick<Finding, 'subject' | 'title' | 'remedy'>,
    Partial<Omit<Finding, 'code' | 'subject' | 'title' | 'remedy'>> {
  /** In place of its rule's delay. */
  settleMs?: number;
}

export interface Rule {
  readonly code: FindingCode;
  /** Of a finding that does not say its own. */
  readonly severity: Severity;
  /** One to three words, for a phone's tile: `flapping`. Absent where no phone is its subject. */
  readonly sign?: string;
  /** After `8 phones`: `are lost again and again`. */
  readonly plural?: string;
  /** Codes, or signs, of findings that tell of the same phones the same, only worse: this one is shown in their place. */
  readonly explains?: readonly FindingCode[];
  /** Its title tells what happened, and not which phones are lost now. */
  readonly tellsPast?: true;
  /** It tells what is plugged in now: of a loss from long before too, and better than that the phone is unplugged. */
  readonly tellsNow?: true;
  /** Delay before it counts as a finding, from its `since` on, ms: until then it may pass by itself. */
  readonly settleMs?: number;
  /** Pure; names and numbers may be those of a phone that lies. */
  evaluate(context: RuleContext): Found | undefined | readonly (Found | undefined)[];
  /** How its findings are told as one. Absent, or undefined: those about phones with the same remedy are one. */
  merge?(findings: readonly Finding[], phones: readonly ShownPhone[]): Finding[] | undefined;
}

export interface ShownPhone {
  udid: string;
  connection: keyof ByConnection;
  devpath?: string;
  attached: boolean;
}

/** What a phone that is lost shows: codes of the rules about the present. */
export const LOST = ['unplugged', 'state', 'silent'] as const;
