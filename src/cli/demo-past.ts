/** Gives each phone of the demo a made-up day before it, as soon as the agent knows the phone. */
import type { AgentObserver } from '../agent/observer.ts';
import type { AgentView } from '../agent/view.ts';
import { dayOf } from '../demo/day.ts';
import type { Recording } from '../demo/recording.ts';
import { History } from '../status/history.ts';
import type { StatusModel } from '../status/status-model.ts';

export class DemoPast implements AgentObserver {
  readonly #recordings: readonly Recording[];
  readonly #statusModel: Pick<StatusModel, 'join'>;
  readonly #startedAt: number;
  readonly #given = new Set<string>();
  #agent: { readonly view: AgentView } | undefined;

  /** @param startedAt the days end then, ms since the epoch */
  constructor(recordings: readonly Recording[], statusModel: Pick<StatusModel, 'join'>, startedAt: number) {
    this.#recordings = recordings;
    this.#statusModel = statusModel;
    this.#startedAt = startedAt;
  }

  follow(agent: { readonly view: AgentView }): void {
    this.#agent = agent;
  }

  /** Call it before the status model first sees a phone: the model looks for the phone's past once. */
  changed(): void {
    for (const { device } of this.#agent?.view.phones ?? []) {
      if (this.#given.has(device.udid)) continue;
      this.#given.add(device.udid);
      this.#give(device);
    }
  }

  #give({ udid, serial }: { udid: string; serial: string }): void {
    const place = this.#recordings.findIndex((recording) => recording.serial === serial);
    const recording = this.#recordings[place];
    if (recording === undefined) return;
    const { readings, events } = dayOf(recording, place, this.#startedAt);
    const history = new History();
    for (const { at, ...reading } of readings) history.sample(udid, reading, at);
    for (const { at, what, state } of events) history.happened(udid, what, at, state);
    this.#statusModel.join(history.record);
  }
}
