/** What the history has of earlier runs, for the start: what was told of phones and host, and since when it is so. */
import { nothingTold, type Told, toldBy } from '../agent/told.ts';
import type { Logger } from '../base/log.ts';
import { within } from '../base/time.ts';
import type { HistoryEvent } from '../diagnosis/events/event.ts';
import type { History } from '../diagnosis/store/history.ts';
import type { LastStates } from '../status/phone-review.ts';

export interface Earlier {
  told: Told;
  lastStates: LastStates;
}

const nothingEarlier: Earlier = { told: nothingTold, lastStates: new Map() };

interface Asked extends Pick<History, 'events'> {
  ask(name: 'lastStates', argument: undefined): Promise<HistoryEvent[]>;
}

/** The agent starts without it where the disk is slower, ms. */
const ANSWER_MS = 5_000;

/** Never throws. Without an answer, what the roster knows of the phones is what was told. */
export async function earlierOf(history: Asked | undefined, log: Logger): Promise<Earlier> {
  if (history === undefined) return nothingEarlier;
  const newest = (...kinds: HistoryEvent['kind'][]) => history.events({ isOfNone: true, kinds, limit: 1 });
  const reading = Promise.all([
    history.ask('lastStates', undefined),
    newest('adbLost', 'adbBack', 'adbReplaced'),
    newest('cloudLost', 'cloudBack'),
  ]).catch((error: unknown) => {
    log.warn(
      { err: error },
      'cannot read the history: what happened while hostnode did not run may be missing',
    );
    return undefined;
  });
  const read = await within(ANSWER_MS, reading);
  if (read === undefined) return nothingEarlier;
  const [states, ...ofHost] = read;
  const told = toldBy(states, ofHost.flat());
  const at = new Map(states.map((event) => [event.udid, event.at]));
  const lastStates = new Map(
    [...told.connections].map(([udid, { state }]) => [udid, { state, at: at.get(udid) ?? 0 }]),
  );
  return { told, lastStates };
}
