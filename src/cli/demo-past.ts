/** Gives each phone of the demo a made-up day before it, as soon as the agent knows the phone. */
import type { AgentObserver } from '../agent/observer.ts';
import type { AgentView } from '../agent/view.ts';
import { dayOf } from '../demo/day.ts';
import type { Recording } from '../demo/recording.ts';
import type { History } from '../history/history.ts';
import { whereOf } from '../history/where.ts';
import type { RosterDevice } from '../roster/device.ts';

type PastHistory = Pick<History, 'record' | 'sample'>;

export class DemoPast implements AgentObserver {
  readonly #recordings: readonly Recording[];
  readonly #history: PastHistory;
  readonly #startedAt: number;
  readonly #given = new Set<string>();
  #agent: { readonly view: AgentView } | undefined;

  /** @param startedAt the days end then, ms since the epoch */
  constructor(recordings: readonly Recording[], history: PastHistory, startedAt: number) {
    this.#recordings = recordings;
    this.#history = history;
    this.#startedAt = startedAt;
  }

  follow(agent: { readonly view: AgentView }): void {
    this.#agent = agent;
  }

  /** Comes before what happens to a phone is told: the order in the history is that of the time. */
  changed(): void {
    for (const { device } of this.#agent?.view.phones ?? []) {
      if (this.#given.has(device.udid)) continue;
      this.#given.add(device.udid);
      this.#give(device);
    }
  }

  #give(device: RosterDevice): void {
    const { udid, serial } = device;
    const place = this.#recordings.findIndex((recording) => recording.serial === serial);
    const recording = this.#recordings[place];
    if (recording === undefined) return;
    const { readings, events } = dayOf(recording, place, this.#startedAt);
    this.#history.sample(readings.map((reading) => ({ udid, ...reading })));
    const where = whereOf(device);
    void this.#history.record(events.map((event) => ({ ...event, udid, where })));
  }
}
