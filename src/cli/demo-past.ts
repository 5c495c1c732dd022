/** Gives the demo made-up months before it, for each phone as soon as the agent knows it. */
import type { AgentObserver } from '../agent/observer.ts';
import type { AgentState } from '../agent/state.ts';
import { version } from '../base/version.ts';
import { hostPast, type Past, pastOf } from '../demo/past.ts';
import type { Stage } from '../demo/stage.ts';
import { pastOfStory } from '../demo/story-stage.ts';
import type { NewEvent } from '../history/events/event.ts';
import { whereOf } from '../history/events/where.ts';
import type { HistoryClient } from '../history/store/client.ts';
import type { RosterDevice } from '../roster/device.ts';

type PastHistory = Pick<HistoryClient, 'record' | 'sample' | 'flush'>;

/** The readings of a phone are written in less, ms. */
const WRITE_MS = 10_000;

interface Given extends Past {
  device: RosterDevice;
  slot?: string | undefined;
}

export class DemoPast implements AgentObserver {
  readonly #stage: Pick<Stage, 'recordings' | 'story'>;
  readonly #startedAt: number;
  readonly #history: PastHistory;
  readonly #given = new Set<string>();
  readonly #agent: { readonly state: AgentState };
  /** Until all readings are with the history. */
  whole: Promise<void> = Promise.resolve();

  /** @param startedAt the past is before it */
  constructor(
    stage: Pick<Stage, 'recordings' | 'story'>,
    startedAt: number,
    history: PastHistory,
    agent: { readonly state: AgentState },
  ) {
    this.#stage = stage;
    this.#startedAt = startedAt;
    this.#history = history;
    this.#agent = agent;
  }

  /** Comes before what happens to a phone is recorded: the order in the history is that of the time. */
  changed(): void {
    const devices = this.#agent.state.phones.map(({ device }) => device);
    const fresh = devices.filter(({ udid }) => !this.#given.has(udid));
    if (fresh.length === 0) return;
    const isFirst = this.#given.size === 0 && this.#stage.story === undefined;
    const ofHost = isFirst ? hostPast(this.#startedAt, version) : [];
    for (const { udid } of fresh) this.#given.add(udid);
    const pasts = fresh.flatMap((device) => this.#pastOf(device) ?? []);
    const events: NewEvent[] = [...ofHost, ...pasts.flatMap(eventsOf)];
    void this.#history.record(events.sort((one, other) => one.at - other.at));
    this.whole = this.whole.then(() => this.#sample(pasts));
  }

  /** That of the story, else months in which not much happened; undefined for a phone that has none. */
  #pastOf(device: RosterDevice): Given | undefined {
    const { recordings, story } = this.#stage;
    const isThis = ({ serial }: { serial: string }) => serial === device.serial;
    if (story !== undefined) {
      const past = pastOfStory(story, device.serial, this.#startedAt);
      return past && { ...past, device, slot: story.phones.find(isThis)?.slot };
    }
    const place = recordings.findIndex(isThis);
    const recording = recordings[place];
    return recording && { ...pastOf(recording, place, this.#startedAt), device };
  }

  /** One phone after the other: more readings than those of a few would be dropped. */
  async #sample(pasts: readonly Given[]): Promise<void> {
    for (const { device, readings } of pasts) {
      this.#history.sample(readings.map((reading) => ({ udid: device.udid, ...reading })));
      await this.#history.flush(WRITE_MS);
    }
  }
}

const eventsOf = ({ device, events, slot }: Given): NewEvent[] => {
  const where = whereOf(device, slot);
  return events.map((event) => ({ ...event, udid: device.udid, where }));
};
