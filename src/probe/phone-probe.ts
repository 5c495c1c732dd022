/** Collects from one phone, round after round, what is due. */
import type { Adb, ListedDevice } from '../adb/adb.ts';
import { AdbRefusedError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { Deadline, yieldToLoop } from '../base/time.ts';
import type { CommandOptions, Section } from '../facts/section.ts';
import { converse, overShell, type ShellService } from './conversation.ts';
import { commandsOf, composeScript, type ProbeCommand, type Script } from './script.ts';
import { type Gathered, SectionBackoff, SectionCache } from './section-cache.ts';
import {
  readAnswers,
  type SectionFailure,
  type SectionResult,
  type SectionResults,
} from './section-results.ts';
import type { RawAnswer, Snapshot } from './snapshot.ts';
import type { CommandOutcome } from './transcript.ts';

/** For the first contact, a reboot during the round, a swapped SIM: more in one round would not help. */
const MAX_CONVERSATIONS = 4;
/** Why a conversation ended, and what rests then: the phone as a whole. */
const FLOOD = 'it printed too much';

export interface PhoneProbeOptions {
  adb: Adb;
  /** `boot` must be the first. */
  sections: readonly Section<unknown>[];
  commandOptions: Omit<CommandOptions, 'shellV2'>;
  /** Limit of all conversations of a round together, ms. */
  deadlineMs: number;
  /** Keeps in the snapshot what the phone printed. */
  keepAnswers?: boolean;
}

export class PhoneProbe {
  readonly #options: PhoneProbeOptions;
  readonly #cache: SectionCache;
  #service: ShellService | undefined;
  #wasAnother = false;
  /** Not a part of the cache: a phone that floods could say each time that it is another one. */
  readonly #floods = new SectionBackoff(1);
  #isFlooding = false;

  constructor(options: PhoneProbeOptions) {
    this.#options = options;
    this.#cache = new SectionCache(options.sections);
  }

  /** The phone was away, or is another one: earlier facts count once it has identified itself as the same. */
  reconnected(): void {
    this.#cache.reconnected();
    this.#service = undefined; // perhaps of another Android, or of another phone
  }

  /** Its facts may be another phone's: it starts over. */
  forget(): void {
    this.#cache.forget();
    this.#service = undefined;
  }

  /** In the last round it had rebooted, or was another phone. */
  get wasAnother(): boolean {
    return this.#wasAnother;
  }

  /** Its last conversation ended because it sent too much: to collect it before the next round would not help. */
  get isFlooding(): boolean {
    return this.#isFlooding;
  }

  /**
   * One round: collects what is due. A phone that floods rests for 2 rounds, and up to 64 where it floods again.
   *
   * @throws {AdbRefusedError} when the phone is unplugged or not authorized
   * @throws {AdbUnavailableError}
   * @throws {BrokenConversationError}
   */
  async collect(device: ListedDevice, signal: AbortSignal): Promise<Snapshot> {
    this.#cache.nextRound();
    this.#wasAnother = false;
    this.#floods.nextRound();
    if (this.#floods.isResting(FLOOD)) return this.#cache.finishRound(nothingGathered);
    using deadline = new Deadline(this.#options.deadlineMs, signal);
    await yieldToLoop();
    // only once: an old phone, which needs up to three tries, would wait for the other phones each time
    try {
      return await overShell(
        (service) => this.#collectOver(service, device, deadline.signal, signal),
        this.#service && [this.#service],
        () => this.#service !== undefined,
      );
    } catch (error) {
      if (error instanceof AdbRefusedError) this.#service = undefined; // another Android may answer next time
      throw error;
    }
  }

  /** @param limit the deadline of the round, or `signal` */
  async #collectOver(
    service: ShellService,
    device: ListedDevice,
    limit: AbortSignal,
    signal: AbortSignal,
  ): Promise<Snapshot> {
    const options: CommandOptions = { ...this.#options.commandOptions, shellV2: service === 'shell,v2,raw' };
    const outcomes = new Map<string, CommandOutcome>();
    const collected = new Set<string>();
    const results = new Map<string, SectionResult>();
    let failures: SectionFailure[] = [];
    let conversations = 0;
    let broken: string | undefined;
    const answers = new Map<string, RawAnswer>();

    let commands = this.#dueCommands(options, results, collected);
    while (commands.length > 0 && conversations < MAX_CONVERSATIONS && broken === undefined) {
      const { script, left } = composeScript(commands);
      const conversation = await this.#converse(device, service, script, limit, signal);
      conversations += 1;
      if (!conversation?.complete) {
        broken = conversation?.flooded
          ? FLOOD
          : limit.aborted
            ? `no end within ${this.#options.deadlineMs / 1000} s`
            : 'the connection broke off';
      }
      if (conversation === undefined) break;
      const { transcript } = conversation;
      for (const [name, outcome] of transcript.outcomes) outcomes.set(name, outcome);
      if (this.#options.keepAnswers)
        for (const { name, text } of script.commands)
          answers.set(name, omitUndefined({ command: text, outcome: outcomes.get(name) }));
      this.#cache.noteHangs(outcomes, script.commands, broken === undefined ? undefined : transcript.current);
      const sent = this.#options.sections.filter(({ name }) =>
        script.commands.some(({ name: command }) => command.startsWith(`${name}.`)),
      );
      const read = await readAnswers(sent, options, outcomes, signal);
      for (const { name } of sent) results.delete(name);
      for (const [name, result] of read.results) results.set(name, result);
      failures = failures.filter(({ section }) => !sent.some(({ name }) => name === section));
      failures.push(...read.failures);
      if (this.#cache.note(results)) this.#wasAnother = true;
      commands = [...left, ...this.#dueCommands(options, results, collected)];
    }
    this.#isFlooding = broken === FLOOD;
    if (this.#isFlooding) this.#floods.failed(FLOOD);
    else if (broken === undefined) this.#floods.succeeded(FLOOD);
    if (broken === undefined && !isAnyAnswered(outcomes)) broken = 'no command was answered';
    if (this.#wasAnother) this.#service = undefined; // perhaps of another Android, or of another phone
    const snapshot = this.#cache.finishRound({ results, failures, outcomes, conversations, broken });
    const rawAnswers = answers.size === 0 ? undefined : { service, answers };
    return omitUndefined({ ...snapshot, rawAnswers });
  }

  /** The commands of the sections that are due and have not been sent in this round. */
  #dueCommands(options: CommandOptions, results: SectionResults, collected: Set<string>): ProbeCommand[] {
    const due = this.#cache.dueSections(results).filter(({ name }) => !collected.has(name));
    for (const { name } of due) collected.add(name);
    return commandsOf(due, options, (name) => this.#cache.isResting(name));
  }

  /** @returns nothing when the time was up before the phone had opened its shell */
  async #converse(
    device: ListedDevice,
    service: ShellService,
    script: Script,
    limit: AbortSignal,
    signal: AbortSignal,
  ) {
    try {
      const conversation = await converse(this.#options.adb, device, service, script, limit);
      signal.throwIfAborted();
      this.#service = service;
      return conversation;
    } catch (error) {
      if (limit.aborted && !signal.aborted) return undefined;
      throw error;
    }
  }
}

const nothingGathered: Gathered = {
  results: new Map(),
  failures: [],
  outcomes: new Map(),
  conversations: 0,
  broken: FLOOD,
};

const isAnyAnswered = (outcomes: ReadonlyMap<string, CommandOutcome>): boolean =>
  outcomes.values().some(({ kind }) => kind === 'answered');
