/**
 * What a thread of the history that ends passes on to the next one: who is to blame for the last losses. To find that,
 * the next one would read the events of 30 days, half a second on a large host, while a person waits.
 */

import { contextOf, lastLookAt } from '../evaluation.ts';
import type { HistoryEvent } from '../events/event.ts';
import { firstBlameOf, type LossBlame, newestBlamesOf } from '../losses/attribution.ts';
import type { RuleInput } from '../rule-input.ts';
import type { PassesOn } from '../store/service.ts';
import type { Store } from '../store/store.ts';

/** It holds as long as `lastId` is the newest event, and no event was changed. */
interface PassedOn {
  lastId: number;
  blames: LossBlame[];
}

/** More are not passed on: the process keeps them while no thread runs. */
const MOST_BLAMES = 1000;

export class PassedOnBlames implements PassesOn {
  #passedOn: PassedOn | undefined;

  take(left: unknown): void {
    this.#passedOn = left as PassedOn;
  }

  leave(store: Store): PassedOn | undefined {
    const last = lastLookAt(store);
    if (last === undefined) return this.#validFor(store);
    const { context, lastId, rewrites } = last;
    if (lastId !== store.lastId || rewrites !== store.rewrites) return undefined;
    const blames = newestBlamesOf(context, MOST_BLAMES);
    return blames && { lastId, blames };
  }

  /** As `firstBlameOf`, without the events of 30 days where they are not needed. */
  firstOf(
    newestFirst: readonly HistoryEvent[],
    store: Store,
    picture: RuleInput,
  ): Omit<LossBlame, 'id'> | undefined {
    const passedOn = lastLookAt(store) === undefined ? this.#validFor(store) : undefined;
    if (passedOn === undefined) return firstBlameOf(newestFirst, contextOf(store, picture));
    const blames = new Map(passedOn.blames.map((blame) => [blame.id, blame]));
    const first = newestFirst.find(({ id }) => blames.has(id));
    return first && blames.get(first.id);
  }

  #validFor({ lastId, rewrites }: Store): PassedOn | undefined {
    return this.#passedOn?.lastId === lastId && rewrites === 0 ? this.#passedOn : undefined;
  }
}

/** Of this thread. */
export const passedOnBlames = new PassedOnBlames();
