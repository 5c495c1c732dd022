/**
 * Asks one phone, round after round, and remembers what need not be asked again.
 *
 * A snapshot is never a mixture of two moments that pretends to be one: facts of another boot are dropped, and of
 * a conversation that broke off nothing is taken where the facts of the round before are still at hand.
 */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { AdbRefusedError, HostNodeError } from '../errors.ts';
import type { Facts } from '../facts/facts.ts';
import { present } from '../present.ts';
import { converseBest, type ShellService } from './conversation.ts';
import type { Heard, HeardAnswer } from './heard.ts';
import {
  bootFactsOf,
  factsOf,
  isAnotherBoot,
  type Reading,
  type Readings,
  readAnswers,
  type SectionFailure,
} from './reading.ts';
import { Rests } from './rest.ts';
import { composeScript, type Question, questionsOf, type Script } from './script.ts';
import type { AskOptions, Section } from './section.ts';
import type { Outcome } from './transcript.ts';

/** First contact, a reboot met on the way, a SIM swapped: more than that in one round is not to be hoped for. */
const MAX_CONVERSATIONS = 4;
/** All that is asked of a phone that is still starting: its services are not there yet. */
const ASKED_WHILE_STARTING = new Set(['boot', 'identity']);

/** All facts of a phone at one instant. Immutable. */
export interface Snapshot {
  readonly facts: Facts;
  /** When the facts of this round arrived, ms since the epoch. */
  readonly takenAt: number;
  /** The same for each section by its name: what rests is older than the round. */
  readonly sectionsTakenAt: Readonly<Record<string, number>>;
  /** When the uptime among them arrived: the boot time is counted from here. */
  readonly uptimeAt?: number;
  readonly failures: readonly SectionFailure[];
  /** Why the conversation ended before its last mark; the facts are then the last good ones, if there were any. */
  readonly broken?: string;
  /** Shell conversations that it took. */
  readonly conversations: number;
  /** With `keepAnswers` only. */
  readonly heard?: Heard;
}

export interface PhoneProbeOptions {
  adb: Adb;
  /** `boot` must be the first. */
  sections: readonly Section<unknown>[];
  ask: Omit<AskOptions, 'shellV2'>;
  /** Limit of all conversations of a round together, ms. */
  deadlineMs: number;
  /** Keeps in the snapshot what the phone printed. */
  keepAnswers?: boolean;
}

export class PhoneProbe {
  readonly #options: PhoneProbeOptions;
  readonly #rests = new Rests();
  readonly #kept = new Map<string, Reading>();
  #service: ShellService | undefined;
  /** The last that was heard of the boot, also when a later round did not hear of it. */
  #boot: Reading | undefined;
  /** The last good snapshot of this boot. */
  #last: Snapshot | undefined;

  constructor(options: PhoneProbeOptions) {
    this.#options = options;
  }

  /**
   * One round: asks what is due.
   *
   * @throws {AdbRefusedError} when the phone is gone or lets nobody in
   * @throws {AdbUnavailableError}
   */
  async ask(device: ListedDevice, signal: AbortSignal): Promise<Snapshot> {
    this.#rests.nextRound();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#options.deadlineMs)]);
    const shellV2 = await this.#hasShellV2(device, limit);
    const options: AskOptions = { ...this.#options.ask, shellV2 };
    const outcomes = new Map<string, Outcome>();
    const sectionsAsked = new Set<string>();
    let readings = new Map<string, Reading>();
    let failures: SectionFailure[] = [];
    let conversations = 0;
    let broken: string | undefined;
    const answers = new Map<string, HeardAnswer>();

    let questions = this.#questions(options, readings, sectionsAsked);
    while (questions.length > 0 && conversations < MAX_CONVERSATIONS && broken === undefined) {
      const { script, left } = composeScript(questions);
      const conversation = await this.#converse(device, shellV2, script, limit, signal);
      conversations += 1;
      if (!conversation?.complete) {
        broken = limit.aborted
          ? `no end within ${this.#options.deadlineMs / 1000} s`
          : 'the connection broke off';
      }
      if (conversation === undefined) break;
      const { transcript } = conversation;
      for (const [name, outcome] of transcript.outcomes) outcomes.set(name, outcome);
      if (this.#options.keepAnswers)
        for (const { name, text } of script.questions)
          answers.set(name, present({ command: text, outcome: outcomes.get(name) }));
      this.#noteHangs(outcomes, script.questions, broken === undefined ? undefined : transcript.current);
      ({ readings, failures } = readAnswers(this.#options.sections, options, outcomes));
      this.#noteBoot(readings.get('boot'));
      questions = [...left, ...this.#questions(options, readings, sectionsAsked)];
    }
    if (broken === undefined && !isAnyAnswered(outcomes)) broken = 'no command was answered';
    const snapshot = this.#settle(readings, failures, outcomes, conversations, broken);
    const heard = answers.size === 0 ? undefined : present({ service: this.#service, answers });
    return present({ ...snapshot, heard });
  }

  /** @returns nothing when the time was up before the phone had opened its shell */
  async #converse(
    device: ListedDevice,
    shellV2: boolean,
    script: Script,
    limit: AbortSignal,
    signal: AbortSignal,
  ) {
    const known = shellV2 ? 'shell,v2,raw' : this.#service;
    try {
      const conversation = await converseBest(this.#options.adb, device, known, script, limit);
      signal.throwIfAborted();
      this.#service = conversation.service;
      return conversation;
    } catch (error) {
      if (limit.aborted && !signal.aborted) return undefined;
      this.#service = undefined; // another Android may answer next time
      throw error;
    }
  }

  async #hasShellV2(device: ListedDevice, signal: AbortSignal): Promise<boolean> {
    if (this.#service !== undefined) return this.#service === 'shell,v2,raw';
    try {
      return (await this.#options.adb.features(device, signal)).has('shell_v2');
    } catch (error) {
      if (error instanceof AdbRefusedError) return false; // a server of before 2016 does not know the question
      throw error;
    }
  }

  /** The commands of the sections that are due and have not been asked in this round. */
  #questions(options: AskOptions, readings: Readings, asked: Set<string>): Question[] {
    const facts = factsOf([...this.#kept, ...readings]);
    const isStarting = bootFactsOf(readings.get('boot') ?? this.#boot).bootCompleted === false;
    const due = this.#options.sections.filter(
      (section) =>
        !asked.has(section.name) &&
        (!isStarting || ASKED_WHILE_STARTING.has(section.name)) &&
        this.#isDue(section, facts),
    );
    for (const { name } of due) asked.add(name);
    return questionsOf(due, options, (name) => this.#rests.isResting(name));
  }

  #isDue(section: Section<unknown>, facts: Facts): boolean {
    if (section.cadence === 'round') return true;
    if (this.#rests.isResting(section.name)) return false;
    const kept = this.#kept.get(section.name);
    if (!kept?.isWhole) return true;
    const revision = section.revision?.(facts);
    if (revision !== undefined && kept.revision !== undefined && revision !== kept.revision) return true;
    return (
      section.cadence !== 'boot' && performance.now() - kept.readAt >= section.cadence.everySeconds * 1000
    );
  }

  #noteHangs(
    outcomes: ReadonlyMap<string, Outcome>,
    questions: readonly Question[],
    lost: string | undefined,
  ): void {
    for (const { name } of questions) {
      const kind = outcomes.get(name)?.kind;
      if (kind === 'timed-out' || kind === 'flooded' || name === lost) this.#rests.failed(name);
      else if (kind === 'answered') this.#rests.succeeded(name);
    }
  }

  /** Forgets all facts of another boot, and the hangs of a phone that was still starting. */
  #noteBoot(reading: Reading | undefined): void {
    if (reading === undefined) return;
    if (this.#boot !== undefined && isAnotherBoot(this.#boot, reading)) this.#forget();
    const wasStarting = bootFactsOf(this.#boot).bootCompleted === false;
    if (wasStarting && bootFactsOf(reading).bootCompleted === true) this.#rests.clear();
    this.#boot = reading;
  }

  #forget(): void {
    this.#kept.clear();
    this.#rests.clear();
    this.#boot = undefined;
    this.#last = undefined;
  }

  #settle(
    readings: Map<string, Reading>,
    failures: SectionFailure[],
    outcomes: ReadonlyMap<string, Outcome>,
    conversations: number,
    broken: string | undefined,
  ): Snapshot {
    if (broken !== undefined && this.#last !== undefined) return { ...this.#last, broken, conversations };
    if (broken !== undefined && readings.size === 0) throw new BrokenConversationError(broken);
    const { bootCompleted, dataLocked } = bootFactsOf(readings.get('boot'));
    const starting = bootCompleted === false;
    if (starting) {
      // Its services are not there yet: whatever they answered is neither a fact nor a failure.
      for (const name of readings.keys()) if (!ASKED_WHILE_STARTING.has(name)) readings.delete(name);
    }
    const failed = starting || dataLocked ? [] : failures;
    if (!starting) this.#keep(readings, failed);
    const uptimeAt = readings.get('boot')?.takenAt;
    const known = starting ? readings : this.#kept;
    const snapshot: Snapshot = {
      facts: factsOf(known),
      sectionsTakenAt: Object.fromEntries(Array.from(known, ([name, { takenAt }]) => [name, takenAt])),
      takenAt: Math.max(
        0,
        ...[...outcomes.values()].map((outcome) => (outcome.kind === 'answered' ? outcome.at : 0)),
      ),
      ...present({ uptimeAt, broken }),
      failures: failed,
      conversations,
    };
    if (broken === undefined) this.#last = snapshot;
    return snapshot;
  }

  #keep(readings: Readings, failures: readonly SectionFailure[]): void {
    for (const { section } of failures) this.#rests.failed(section);
    for (const { name, cadence } of this.#options.sections) {
      const reading = readings.get(name);
      if (reading) {
        this.#kept.set(name, reading);
        if (reading.isWhole) this.#rests.succeeded(name);
      } else if (cadence === 'round') this.#kept.delete(name); // unknown now is absent now
    }
    const facts = factsOf(this.#kept);
    for (const { name, revision } of this.#options.sections) {
      const kept = this.#kept.get(name);
      const rests = revision?.(facts);
      if (kept === undefined || rests === undefined) continue;
      if (readings.has(name) || kept.revision === undefined)
        this.#kept.set(name, { ...kept, revision: rests });
    }
  }
}

/** The phone began to answer and told nothing that can be used. Ask again in the next round. */
export class BrokenConversationError extends HostNodeError {
  readonly code = 'CONVERSATION_BROKEN';
}

const isAnyAnswered = (outcomes: ReadonlyMap<string, Outcome>): boolean =>
  [...outcomes.values()].some(({ kind }) => kind === 'answered');
