/** Gives the demo made-up months before it, for each phone as soon as the agent knows it. */
import type { AgentObserver } from '../agent/observer.ts';
import type { AgentState } from '../agent/state.ts';
import { version } from '../base/version.ts';
import { hostPast, type Past, pastOf } from '../demo/past.ts';
import type { Recording } from '../demo/recording.ts';
import type { Story } from '../demo/story.ts';
import { pastOfStory } from '../demo/story-stage.ts';
import type { NewEvent } from '../history/events/event.ts';
import { whereOf } from '../history/events/where.ts';
import type { History } from '../history/store/history.ts';
import type { RosterDevice } from '../roster/device.ts';

type PastHistory = Pick<History, 'record' | 'sample'> & {
  /** Writes what waits. */
  flush?(ms: number): Promise<void>;
};

/** The readings of a phone are written in less, ms. */
const WRITE_MS = 10_000;

interface Given extends Past {
  device: RosterDevice;
  slot?: string | undefined;
}

/** The past of a host, up to this moment. */
export interface MadeUp {
  /** Undefined for a phone that has none. */
  pastOf(serial: string): (Past & { slot?: string | undefined }) | undefined;
  ofHost: readonly NewEvent[];
}

/** Months in which not much happened. */
export const madeUpMonths = (recordings: readonly Recording[], startedAt: number): MadeUp => ({
  pastOf(serial) {
    const place = recordings.findIndex((recording) => recording.serial === serial);
    const recording = recordings[place];
    return recording && pastOf(recording, place, startedAt);
  },
  ofHost: hostPast(startedAt, version),
});

export const madeUpByStory = (story: Story, startedAt: number): MadeUp => ({
  pastOf(serial) {
    const past = pastOfStory(story, serial, startedAt);
    return past && { ...past, slot: story.phones.find((phone) => phone.serial === serial)?.slot };
  },
  ofHost: [],
});

export class DemoPast implements AgentObserver {
  readonly #madeUp: MadeUp;
  readonly #history: PastHistory;
  readonly #given = new Set<string>();
  readonly #agent: { readonly state: AgentState };
  /** Until all readings are with the history. */
  whole: Promise<void> = Promise.resolve();

  constructor(madeUp: MadeUp, history: PastHistory, agent: { readonly state: AgentState }) {
    this.#madeUp = madeUp;
    this.#history = history;
    this.#agent = agent;
  }

  /** Comes before what happens to a phone is recorded: the order in the history is that of the time. */
  changed(): void {
    const devices = this.#agent.state.phones.map(({ device }) => device);
    const fresh = devices.filter(({ udid }) => !this.#given.has(udid));
    if (fresh.length === 0) return;
    const ofHost = this.#given.size === 0 ? this.#madeUp.ofHost : [];
    for (const { udid } of fresh) this.#given.add(udid);
    const pasts = fresh.flatMap((device) => this.#pastOf(device) ?? []);
    const events: NewEvent[] = [...ofHost, ...pasts.flatMap(eventsOf)];
    void this.#history.record(events.sort((one, other) => one.at - other.at));
    this.whole = this.whole.then(() => this.#sample(pasts));
  }

  #pastOf(device: RosterDevice): Given | undefined {
    const past = this.#madeUp.pastOf(device.serial);
    return past && { device, ...past };
  }

  /** One phone after the other: more readings than those of a few would be dropped. */
  async #sample(pasts: readonly Given[]): Promise<void> {
    for (const { device, readings } of pasts) {
      this.#history.sample(readings.map((reading) => ({ udid: device.udid, ...reading })));
      await this.#history.flush?.(WRITE_MS);
    }
  }
}

const eventsOf = ({ device, events, slot }: Given): NewEvent[] => {
  const where = whereOf(device, slot);
  return events.map((event) => ({ ...event, udid: device.udid, where }));
};
