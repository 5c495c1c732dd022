/**
 * What is wrong with this host and its phones, and why: records what happens, has the rules evaluated when that is due,
 * and answers `why`. A reload carries history and findings to the next one, and so ends no finding.
 *
 * It is an observer of the agent: `happened`, `sampled`, `renamed`, `forgotten` and `round`.
 */
import type { Logger } from '../base/log.ts';
import { yieldToLoop } from '../base/time.ts';
import { isBuilt } from '../base/version.ts';
import type { HistorySample, NewEvent } from '../history/events/event.ts';
import { HistoryClient } from '../history/store/client.ts';
import type { HistoryThreadOptions } from '../history/store/thread.ts';
import { usbNames } from '../host/usb-devices.ts';
import type { Evaluation } from './evaluate.ts';
import { EvaluationSchedule } from './evaluation-schedule.ts';
import { hindranceEvents, type RecordedHindrances } from './explain/hindrances.ts';
import type { Timeline, TimelineQuery } from './explain/timeline-query.ts';
import type { Verdict, VerdictQuery } from './explain/verdict.ts';
import { type Finding, isOfLab } from './finding.ts';
import type { LossBlame } from './losses/blame.ts';
import type { RuleInput } from './rule-input.ts';
import { OF_INTERNET } from './rules/internet.ts';

export interface DiagnosisOptions {
  /** The host as it is now; undefined while that is not known, as while adb cannot be reached: then all findings stay. */
  input(): RuleInput | undefined;
  /** Are the phones on the USB of this machine? */
  hasUsb: boolean;
  /** What happened. Before it has its settings, it answers nothing and keeps nothing. */
  history: HistoryClient;
  board: {
    readonly current: readonly Finding[] | undefined;
    take(findings: readonly Finding[], input: RuleInput): void;
  };
  log: Logger;
}

const WORKER = new URL(isBuilt ? './history-worker.cjs' : './history-worker.ts', import.meta.url);

export const openHistory = (options: Omit<HistoryThreadOptions, 'file'>): HistoryClient =>
  new HistoryClient({ file: WORKER, ...options });

export class Diagnosis {
  readonly history: HistoryClient;
  readonly #options: DiagnosisOptions;
  readonly #schedule: EvaluationSchedule;
  /** Of the last evaluation; undefined once something happened after it. */
  #blames: ReadonlyMap<number, LossBlame> | undefined;
  readonly #hindered: RecordedHindrances = new Map();
  #changes = 0;

  constructor(options: DiagnosisOptions) {
    const { input, hasUsb, history, board, log } = options;
    this.#options = options;
    this.history = history;
    this.#schedule = new EvaluationSchedule({
      input,
      evaluate: (now) => this.#evaluate(now),
      fingerprint: () => (hasUsb ? usbNames() : ''),
      take: (findings, now) => board.take(findings, now),
      log,
    });
    history.onChange = () => this.#changed();
  }

  happened(events: readonly NewEvent[]): void {
    void this.history.record(events);
  }

  sampled(sample: HistorySample & { udid: string }): void {
    void this.history.sample([sample]);
    this.#schedule.sampled();
  }

  renamed(from: string, to: string): void {
    const hindered = this.#hindered.get(from);
    if (hindered) this.#hindered.set(to, hindered);
    this.history.renamed(from, to);
  }

  forgotten(udids: readonly string[]): void {
    void this.history.forget(udids);
  }

  round(): void {
    this.#schedule.round();
  }

  /**
   * What led to the present of a phone or a place, with what has just happened, and who is to blame for its last loss.
   *
   * @throws {HistoryUnavailableError}
   */
  async timeline(query: Omit<TimelineQuery, 'now'>): Promise<Timeline> {
    const blames = this.#blames;
    // to say it anew, the thread reads the events of 30 days: half a second on a large host, if it was asleep
    const now = blames ? undefined : this.#options.input();
    const timeline = await this.history.ask<Timeline>('timeline', { ...query, ...(now && { now }) });
    const first = timeline.events.find(({ id }) => blames?.has(id));
    const lost = first && blames?.get(first.id);
    return lost ? { ...timeline, lost } : timeline;
  }

  /**
   * Was it the lab or the test? With what has just happened.
   *
   * @throws {HistoryUnavailableError}
   */
  async verdict(query: Pick<VerdictQuery, 'udid' | 'from' | 'to'>): Promise<Verdict> {
    const { input, board } = this.#options;
    const now = input();
    const asked = { ...query, at: Date.now(), ...(now && { now }) };
    const verdict = await this.history.ask<Verdict>('verdict', asked);
    const faults = verdict.faults.map((fault) => {
      // one event tells all that hinders a phone: a dialog is not the internet
      if (fault.kind === 'hindered' && !OF_INTERNET.has(fault.code ?? '')) return fault;
      // an adb that was lost, or a hub, may be told of another phone too, with what that one needs
      const told = board.current?.find(
        ({ evidence, subject }) =>
          (subject.kind !== 'phone' || subject.key === query.udid) &&
          evidence.some((id) => fault.evidence.includes(id)),
      );
      if (!told) return fault;
      const { code, remedy, subject, certainty } = told;
      // what befell many phones was not the test of one
      const isShared = !('key' in subject) && fault.certainty === 'possible';
      return { ...fault, code, remedy, ...(isShared && { certainty }) };
    });
    return { ...verdict, faults, ...(faults.some(isOfLab) && { verdict: 'lab' }) };
  }

  /** Evaluates no more. The history stays open. */
  stop(): Promise<void> {
    return this.#schedule.stop();
  }

  #changed(): void {
    this.#changes += 1;
    this.#blames = undefined;
    this.#schedule.changed();
  }

  async #evaluate(input: RuleInput): Promise<Evaluation | undefined> {
    if (!this.history.isOpen) return undefined;
    const hindered = hindranceEvents(input, this.#hindered);
    if (hindered.length > 0) this.happened(hindered);
    const changes = this.#changes;
    const { hasUsb } = this.#options;
    await yieldToLoop(); // of 500 phones the input and its copy take 10 ms each
    const evaluation = await this.history.ask<Evaluation>('evaluate', { input, hasUsb }, true);
    const { blames } = evaluation;
    if (changes === this.#changes) this.#blames = blames && new Map(blames.map((each) => [each.id, each]));
    return evaluation;
  }
}
