/**
 * What we keep of one phone from round to round: the facts that we need not collect again, and what we skip for a while.
 *
 * A snapshot never mixes two boots, two rounds or two phones. Facts of another boot are dropped. If a conversation broke
 * off, the last good snapshot stays as it is. Over a new connection, no earlier fact counts until the phone has
 * identified itself as the same, in the same boot.
 */
import { uptimeMs } from '../base/clock.ts';
import { HostNodeError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Facts } from '../facts/index.ts';
import { compare } from '../facts/same-phone.ts';
import type { Cadence, Section } from '../facts/section.ts';
import type { ProbeCommand } from './script.ts';
import {
  bootFactsOf,
  factsOf,
  isAnotherBoot,
  type SectionFailure,
  type SectionResult,
  type SectionResults,
  signsOf,
} from './section-results.ts';
import type { Snapshot } from './snapshot.ts';
import type { CommandOutcome } from './transcript.ts';

/** All that is collected of a phone that is still starting: its services do not run yet. */
const COLLECTED_WHILE_STARTING = new Set(['boot', 'identity']);

const IDENTITY = 'identity';

export interface Gathered {
  results: Map<string, SectionResult>;
  failures: SectionFailure[];
  outcomes: ReadonlyMap<string, CommandOutcome>;
  conversations: number;
  /** Why the last conversation ended before its last mark. */
  broken: string | undefined;
}

const FAILURES_BEFORE_REST = 2;
const LONGEST_REST_ROUNDS = 64;

/**
 * A section or command that hangs, or cannot be read, twice in a row rests for some rounds: each try at a hung service
 * ties up one more thread of it on the phone. The rest doubles with each further failure, from 2 rounds to 64.
 */
export class SectionBackoff {
  #round = 0;
  readonly #failuresBeforeRest: number;
  readonly #failed = new Map<string, { times: number; untilRound: number }>();

  constructor(failuresBeforeRest = FAILURES_BEFORE_REST) {
    this.#failuresBeforeRest = failuresBeforeRest;
  }

  nextRound(): void {
    this.#round += 1;
  }

  isResting(name: string): boolean {
    return (this.#failed.get(name)?.untilRound ?? 0) > this.#round;
  }

  failed(name: string): void {
    const times = (this.#failed.get(name)?.times ?? 0) + 1;
    const beyond = times - this.#failuresBeforeRest;
    const restRounds = beyond < 0 ? 0 : Math.min(2 ** (beyond + 1), LONGEST_REST_ROUNDS);
    this.#failed.set(name, { times, untilRound: restRounds === 0 ? 0 : this.#round + 1 + restRounds });
  }

  succeeded(name: string): void {
    this.#failed.delete(name);
  }

  clear(): void {
    this.#failed.clear();
  }
}

export class SectionCache {
  readonly #sections: readonly Section<unknown>[];
  readonly #backoff = new SectionBackoff();
  readonly #kept = new Map<string, SectionResult>();
  /** The last result of the boot, also when a later round has none. */
  #boot: SectionResult | undefined;
  /** The last good snapshot of this boot. */
  #last: Snapshot | undefined;
  /** The connection is new, and the phone has not identified itself: what we keep may be another phone's. */
  #isUnproven = false;

  constructor(sections: readonly Section<unknown>[]) {
    this.#sections = sections;
  }

  nextRound(): void {
    this.#backoff.nextRound();
  }

  /**
   * The connection is new, or comes from another server. The last snapshot no longer replaces one that breaks off. Facts
   * that last until a reboot count again once the phone has identified itself as the same.
   */
  reconnected(): void {
    this.#last = undefined;
    this.#isUnproven = this.#kept.size > 0 || this.#boot !== undefined;
  }

  forget(): void {
    this.#kept.clear();
    this.#backoff.clear();
    this.#boot = undefined;
    this.#last = undefined;
    this.#isUnproven = false;
  }

  /** @param name of a command, `section.command` */
  isResting(name: string): boolean {
    const mustIdentify = this.#isUnproven && name.startsWith(`${IDENTITY}.`);
    return !mustIdentify && this.#backoff.isResting(name);
  }

  /** @param results of this round, as far as it has come */
  dueSections(results: SectionResults): Section<unknown>[] {
    const facts = factsOf([...this.#kept, ...results]);
    const isStarting = bootFactsOf(results.get('boot') ?? this.#boot).bootCompleted === false;
    return this.#sections.filter(
      (section) => (!isStarting || COLLECTED_WHILE_STARTING.has(section.name)) && this.#isDue(section, facts),
    );
  }

  /** @param lost the command in whose middle the conversation broke off */
  noteHangs(
    outcomes: ReadonlyMap<string, CommandOutcome>,
    commands: readonly ProbeCommand[],
    lost: string | undefined,
  ): void {
    for (const { name } of commands) {
      const kind = outcomes.get(name)?.kind;
      if (kind === 'timed-out' || kind === 'flooded' || name === lost) this.#backoff.failed(name);
      else if (kind === 'answered') this.#backoff.succeeded(name);
    }
  }

  /**
   * Forgets all facts of another boot or of another phone, and the hangs of a phone that was still starting or locked.
   *
   * @returns whether it is another boot, or another phone
   */
  note(results: SectionResults): boolean {
    const [boot, identity] = [results.get('boot'), results.get(IDENTITY)];
    if (boot === undefined) return false;
    const isAnotherOne = this.#isAnotherPhone(identity, boot);
    const isAnother = isAnotherOne || (this.#boot !== undefined && isAnotherBoot(this.#boot, boot));
    if (isAnother) this.forget();
    const [was, is] = [bootFactsOf(this.#boot), bootFactsOf(boot)];
    const isStarted = was.bootCompleted === false && is.bootCompleted === true;
    const isUnlocked = was.bootCompleted === true && was.dataLocked !== false && is.dataLocked === false;
    if (isStarted || isUnlocked) this.#backoff.clear();
    if (!this.#isUnproven) this.#boot = boot;
    return isAnother;
  }

  /** Over a new connection, once it has identified itself. */
  #isAnotherPhone(identity: SectionResult | undefined, boot: SectionResult): boolean {
    if (!this.#isUnproven || identity === undefined) return false;
    const kept = this.#kept.get(IDENTITY);
    const isSame =
      kept !== undefined && compare(signsOf(kept, this.#boot), signsOf(identity, boot)) === 'same';
    if (isSame) this.#isUnproven = false;
    return !isSame;
  }

  /** @throws {BrokenConversationError} if it broke off and there are no facts, new or earlier */
  finishRound({ results, failures, outcomes, conversations, broken }: Gathered): Snapshot {
    if (broken !== undefined && this.#last !== undefined) return { ...this.#last, broken, conversations };
    if (broken !== undefined && results.size === 0) throw new BrokenConversationError(broken);
    const { bootCompleted, dataLocked } = bootFactsOf(results.get('boot'));
    const starting = bootCompleted === false;
    if (starting) {
      // Its services do not run yet: whatever they answered is neither a fact nor a failure.
      for (const name of results.keys()) if (!COLLECTED_WHILE_STARTING.has(name)) results.delete(name);
    }
    const failed = starting || dataLocked ? [] : failures;
    // a phone that answers to the end and does not identify itself may be any: it starts over
    if (this.#isUnproven && broken === undefined) this.#begin(results);
    if (!starting && !this.#isUnproven) this.#keep(results, failed);
    const uptimeReadAt = results.get('boot')?.readAt;
    const known = starting || this.#isUnproven ? results : this.#kept;
    const snapshot: Snapshot = {
      facts: factsOf(known),
      sectionsTakenAt: Object.fromEntries(Array.from(known, ([name, { takenAt }]) => [name, takenAt])),
      takenAt: Math.max(
        0,
        ...[...outcomes.values()].map((outcome) => (outcome.kind === 'answered' ? outcome.at : 0)),
      ),
      ...omitUndefined({ uptimeReadAt, broken }),
      failures: failed,
      conversations,
    };
    if (broken === undefined) this.#last = snapshot;
    return snapshot;
  }

  #begin(results: SectionResults): void {
    this.forget();
    this.#boot = results.get('boot');
  }

  #isDue(section: Section<unknown>, facts: Facts): boolean {
    if (section.cadence === 'round' || (this.#isUnproven && section.name === IDENTITY)) return true;
    if (this.#backoff.isResting(section.name)) return false;
    const kept = this.#kept.get(section.name);
    if (!kept?.isWhole) return true;
    const revision = section.revision?.(facts);
    if (revision !== undefined && revision !== kept.revision) return true;
    return section.cadence !== 'boot' && isOlder(kept, section.cadence.everySeconds);
  }

  #keep(results: SectionResults, failures: readonly SectionFailure[]): void {
    for (const { section } of failures) this.#backoff.failed(section);
    for (const { name, cadence } of this.#sections) {
      const result = results.get(name);
      if (result) {
        this.#kept.set(name, result);
        if (result.isWhole) this.#backoff.succeeded(name);
      } else if (isOver(cadence, this.#kept.get(name))) this.#kept.delete(name); // unknown now is absent now
    }
    const facts = factsOf(this.#kept);
    for (const { name, revision } of this.#sections) {
      const kept = this.#kept.get(name);
      const revisionNow = revision?.(facts);
      if (kept === undefined || revisionNow === undefined) continue;
      if (results.has(name)) this.#kept.set(name, { ...kept, revision: revisionNow });
      // what it depends on has changed, and its new facts are not known
      else if (kept.revision !== undefined && kept.revision !== revisionNow) this.#kept.delete(name);
    }
  }
}

const isOlder = ({ readAt }: SectionResult, seconds: number): boolean =>
  uptimeMs() - readAt >= seconds * 1000;

/** Do kept facts no longer count? Yes if they should have been collected again twice since. */
function isOver(cadence: Cadence, kept: SectionResult | undefined): boolean {
  if (cadence === 'round') return true;
  return cadence !== 'boot' && kept !== undefined && isOlder(kept, 2 * cadence.everySeconds);
}

/** The phone began to answer and gave nothing that can be used. Collect it again in the next round. */
export class BrokenConversationError extends HostNodeError {
  readonly code = 'CONVERSATION_BROKEN';
}
