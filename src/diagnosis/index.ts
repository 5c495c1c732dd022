/**
 * What is wrong with this host and its phones, and why: records what happens, has the rules evaluated when that is due,
 * and answers `why`. It outlives agents: a reload ends no finding.
 *
 * It is an observer of the agent: `happened`, `sampled`, `renamed`, `forgotten` and `round`.
 */
import type { Logger } from '../base/log.ts';
import { usbNames } from '../host/usb-devices.ts';
import { EvaluationSchedule } from './evaluation-schedule.ts';
import { checkpointIn, type KeptCheckpoint } from './events/checkpoint.ts';
import type { HistorySample, NewEvent } from './events/event.ts';
import type { Past, PastQuery } from './explain/past.ts';
import type { Finding } from './finding.ts';
import type { FindingsQuestions } from './questions.ts';
import type { RuleInput } from './rule-input.ts';
import type { HistorySettings } from './store/message.ts';
import { startHistory } from './store/start.ts';
import type { HistoryThread } from './store/thread.ts';

export interface DiagnosisOptions {
  /** The host as it is now; undefined while that is not known, as while adb cannot be reached: then all findings stay. */
  input(): RuleInput | undefined;
  /** Are the phones on the USB of this machine? */
  hasUsb(): boolean;
  /** Keeps the findings. */
  board: {
    readonly current: readonly Finding[] | undefined;
    take(findings: readonly Finding[], input: RuleInput): void;
  };
  log: Logger;
  /** Opens the history. */
  openHistory?: typeof startHistory;
}

/** A person who asks waits so long for what has just happened to be written, ms. */
const WRITE_MS = 500;

export class Diagnosis {
  /** What happened. Before `start` it answers nothing and keeps nothing. */
  readonly history: HistoryThread<FindingsQuestions>;
  readonly #options: DiagnosisOptions;
  readonly #schedule: EvaluationSchedule;
  #checkpoint: Promise<KeptCheckpoint> | undefined;

  constructor(options: DiagnosisOptions) {
    const { input, hasUsb, board, log, openHistory = startHistory } = options;
    this.#options = options;
    this.history = openHistory({ log, onChange: () => this.#schedule.changed() });
    this.#schedule = new EvaluationSchedule({
      input,
      evaluate: async (now) =>
        this.history.isOpen ? this.history.ask('judge', { picture: now, hasUsb: hasUsb() }) : undefined,
      fingerprint: () => (hasUsb() ? usbNames() : ''),
      take: (findings, now) => board.take(findings, now),
      log,
    });
  }

  /** Opens the history, or has it go on with these settings. Never throws. */
  start(settings: HistorySettings): Promise<void> {
    return this.history.use(settings);
  }

  /** What earlier runs recorded last; it is read once. Never throws, and waits some seconds at most. */
  restore(): Promise<KeptCheckpoint> {
    this.#checkpoint ??= checkpointIn(this.history, this.#options.log);
    return this.#checkpoint;
  }

  /** @returns whether all of them are kept. Never throws */
  record(events: readonly NewEvent[]): Promise<boolean> {
    return this.history.record(events);
  }

  happened(events: readonly NewEvent[]): void {
    void this.record(events);
  }

  sampled(sample: HistorySample & { udid: string }): void {
    this.history.sample([sample]);
    this.#schedule.sampled();
  }

  renamed(from: string, to: string): void {
    this.history.renamed(from, to);
  }

  forgotten(udids: readonly string[]): void {
    void this.history.forget(udids);
  }

  round(): void {
    this.#schedule.round();
  }

  /** The worst first; undefined before the first evaluation. */
  get findings(): readonly Finding[] | undefined {
    return this.#options.board.current;
  }

  /**
   * What led to the present of a phone or a place, with what has just happened.
   *
   * @throws {HistoryUnavailableError}
   */
  async explain(query: Omit<PastQuery, 'picture'>): Promise<Past> {
    await this.history.flush(WRITE_MS);
    const picture = this.#options.input();
    return await this.history.ask('past', { ...query, ...(picture && { picture }) });
  }

  /** Never throws, and waits a few seconds at most. */
  async close(): Promise<void> {
    await this.#schedule.stop();
    await this.history.close();
  }
}
