/** The judgement of this host: the history in its thread, what it finds, and who is told. */
import type { Agent } from '../agent/agent.ts';
import { pictureOf } from '../agent/picture.ts';
import { isLoopback } from '../base/environment.ts';
import type { Logger } from '../base/log.ts';
import { version } from '../base/version.ts';
import { wantedReadiness } from '../config/findings.ts';
import type { Config } from '../config/load.ts';
import type { HostEvent, PhoneEvent } from '../diagnosis/events/event.ts';
import type { Past, PastQuery } from '../diagnosis/explain/past.ts';
import type { FindingsQuestions } from '../diagnosis/questions.ts';
import type { RuleInput } from '../diagnosis/rule-input.ts';
import { HistoryUnavailableError } from '../diagnosis/store/port.ts';
import { startHistory } from '../diagnosis/store/start.ts';
import type { HistoryThread } from '../diagnosis/store/thread.ts';
import { usbNames } from '../host/usb-devices.ts';
import { bootedAt } from '../roster/clock-step.ts';
import { FindingsBoard } from '../status/findings-board.ts';
import { historyRecorder } from '../status/history-recorder.ts';
import { Judging } from '../status/judging.ts';
import { type Earlier, earlierOf } from './earlier.ts';

export interface FindingsSideOptions {
  active: { readonly agent: Pick<Agent, 'view' | 'remarked'> | undefined };
  config(): Config;
  /** Is the state directory ours? Else memory is a stopgap. Absent: the history is wanted in memory only. */
  isLocked?(): boolean;
  isInMaintenance(udid: string): boolean;
  /** Are the phones on this machine's USB? Default: where the adb server is on this machine. */
  hasUsb?(): boolean;
  /** What the status shows has changed. */
  onChange(): void;
  log: Logger;
  /** Starts the thread. */
  start?: typeof startHistory;
}

/** A person who asks waits so long for what has just happened to be written, ms. */
const WRITE_MS = 500;

/** It outlives agents: a reload ends no finding. */
export class FindingsSide {
  readonly board: FindingsBoard;
  /** To be told what happens in each agent. */
  readonly judging: Judging;
  /** The same: writes what happens into the history. */
  readonly recorder = historyRecorder(() => this.#history);
  readonly #options: FindingsSideOptions;
  #history: HistoryThread<FindingsQuestions> | undefined;
  #earlier: Earlier | undefined;

  constructor(options: FindingsSideOptions) {
    const { active, config, onChange, log, hasUsb = () => isLoopback(config().adb.host) } = options;
    this.#options = options;
    this.board = new FindingsBoard({
      log,
      onChange: (udids) => {
        for (const udid of udids) active.agent?.remarked(udid);
        onChange();
      },
    });
    this.judging = new Judging({
      picture: () => this.#picture(),
      judge: async (picture) => this.#history?.ask('judge', { picture, hasUsb: hasUsb() }),
      alsoPressing: () => (hasUsb() ? usbNames() : ''),
      take: (findings, picture) => this.board.take(findings, picture),
      log,
    });
  }

  /** Undefined while adb's list is not known. */
  #picture(): RuleInput | undefined {
    const { active, config, isInMaintenance } = this.#options;
    const { agent } = active;
    const setting = settingOf(config());
    return agent && pictureOf(agent.view, { setting, isInMaintenance }, Date.now());
  }

  /** What happened; undefined before `open`. */
  get history(): HistoryThread<FindingsQuestions> | undefined {
    return this.#history;
  }

  /**
   * Opens the history for the next agent. The first time it records that hostnode has started. Never throws.
   *
   * @returns what earlier runs left
   */
  async begin(): Promise<Earlier> {
    await this.open();
    if (this.#earlier === undefined) {
      this.#earlier = await earlierOf(this.#history, this.#options.log);
      this.record({ kind: 'agentStarted', version, hostBootedAt: Math.round(bootedAt()) });
    }
    return this.#earlier;
  }

  /** Opens the history, or has it go on with the configuration in force. Never throws. */
  async open(): Promise<void> {
    const { config, isLocked, log, start = startHistory } = this.#options;
    const { state, history } = config();
    const place = isLocked?.() ? { stateDir: state.dir } : isLocked && { isStopgap: true as const };
    const settings = { ...history, ...place };
    const onChange = () => this.judging.changed();
    if (this.#history === undefined) this.#history = start({ settings, log, onChange });
    else await this.#history.use(settings);
  }

  /** Writes into the history what happens now and no agent notices. */
  record(event: HostEvent | PhoneEvent): void {
    void this.#history?.record([{ ...event, at: Date.now() }]);
  }

  /**
   * With what has just happened.
   *
   * @throws {HistoryUnavailableError}
   */
  async past(query: PastQuery): Promise<Past> {
    if (this.#history === undefined) throw new HistoryUnavailableError('it is not open yet');
    await this.#history.flush(WRITE_MS);
    const picture = this.#picture();
    return await this.#history.ask('past', { ...query, ...(picture && { picture }) });
  }

  /** Never throws, and waits a few seconds at most. */
  async close(): Promise<void> {
    await this.judging.stop();
    await this.#history?.close();
  }
}

const settingOf = ({ inventory, slots, findings }: Config) => ({
  expected: inventory.expected,
  slots,
  off: findings.off,
  readiness: wantedReadiness(findings.readiness),
});
