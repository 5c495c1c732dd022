/** Asks one phone, round after round, for what is due. */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { Deadline } from '../deadline.ts';
import { AdbRefusedError } from '../errors.ts';
import { present } from '../present.ts';
import { ownTurn } from '../turn.ts';
import { converseBest, type ShellService } from './conversation.ts';
import type { HeardAnswer } from './heard.ts';
import { PhoneMemory } from './phone-memory.ts';
import { type Reading, type Readings, readAnswers, type SectionFailure } from './reading.ts';
import { composeScript, type Question, questionsOf, type Script } from './script.ts';
import type { AskOptions, Section } from './section.ts';
import type { Snapshot } from './snapshot.ts';
import type { Outcome } from './transcript.ts';

/** First contact, a reboot met on the way, a SIM swapped: more than that in one round is not to be hoped for. */
const MAX_CONVERSATIONS = 4;

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
  readonly #memory: PhoneMemory;
  #service: ShellService | undefined;

  constructor(options: PhoneProbeOptions) {
    this.#options = options;
    this.#memory = new PhoneMemory(options.sections);
  }

  /**
   * One round: asks what is due.
   *
   * @throws {AdbRefusedError} when the phone is gone or lets nobody in
   * @throws {AdbUnavailableError}
   * @throws {BrokenConversationError}
   */
  async ask(device: ListedDevice, signal: AbortSignal): Promise<Snapshot> {
    this.#memory.nextRound();
    using deadline = new Deadline(this.#options.deadlineMs, signal);
    const limit = deadline.signal;
    const shellV2 = await this.#hasShellV2(device, limit);
    const options: AskOptions = { ...this.#options.ask, shellV2 };
    const outcomes = new Map<string, Outcome>();
    const asked = new Set<string>();
    let readings = new Map<string, Reading>();
    let failures: SectionFailure[] = [];
    let conversations = 0;
    let broken: string | undefined;
    const answers = new Map<string, HeardAnswer>();

    await ownTurn();
    let questions = this.#questions(options, readings, asked);
    while (questions.length > 0 && conversations < MAX_CONVERSATIONS && broken === undefined) {
      const { script, left } = composeScript(questions);
      const conversation = await this.#converse(device, shellV2, script, limit, signal);
      conversations += 1;
      if (!conversation?.complete) {
        broken = limit.aborted
          ? `no end within ${this.#options.deadlineMs / 1000} s`
          : conversation?.flooded
            ? 'it said too much'
            : 'the connection broke off';
      }
      if (conversation === undefined) break;
      await ownTurn();
      const { transcript } = conversation;
      for (const [name, outcome] of transcript.outcomes) outcomes.set(name, outcome);
      if (this.#options.keepAnswers)
        for (const { name, text } of script.questions)
          answers.set(name, present({ command: text, outcome: outcomes.get(name) }));
      this.#memory.noteHangs(
        outcomes,
        script.questions,
        broken === undefined ? undefined : transcript.current,
      );
      ({ readings, failures } = readAnswers(this.#options.sections, options, outcomes));
      this.#memory.noteBoot(readings.get('boot'));
      questions = [...left, ...this.#questions(options, readings, asked)];
    }
    if (broken === undefined && !isAnyAnswered(outcomes)) broken = 'no command was answered';
    const snapshot = this.#memory.settle({ readings, failures, outcomes, conversations, broken });
    const heard = answers.size === 0 ? undefined : present({ service: this.#service, answers });
    return present({ ...snapshot, heard });
  }

  /** The commands of the sections that are due and have not been asked in this round. */
  #questions(options: AskOptions, readings: Readings, asked: Set<string>): Question[] {
    const due = this.#memory.dueSections(readings).filter(({ name }) => !asked.has(name));
    for (const { name } of due) asked.add(name);
    return questionsOf(due, options, (name) => this.#memory.isResting(name));
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
}

const isAnyAnswered = (outcomes: ReadonlyMap<string, Outcome>): boolean =>
  [...outcomes.values()].some(({ kind }) => kind === 'answered');
