/** The readings of a lab's phones, as the history keeps them: every ten minutes for a week, one of each hour before. */
import {
  FINE_MS,
  type HistorySample,
  OLD_SAMPLE_MS,
  type SampleFilter,
} from '../../../src/history/events/event.ts';
import { type Lab, type LabPhone, MINUTE } from './lab.ts';

/** The agent of such a lab reports every ten minutes. */
const EVERY = 10 * MINUTE;

interface OfPhone {
  fine: HistorySample[];
  hourly: HistorySample[];
  /** Full and warm ones are asked for by each judgement of each phone. */
  full: HistorySample[];
}

export class Samples {
  readonly #byPhone = new Map<string, OfPhone>();

  constructor(lab: Lab) {
    for (const phone of lab.phones) if (phone.reading) this.#byPhone.set(phone.udid, readingsOf(lab, phone));
  }

  last(udid: string, at: number): HistorySample | undefined {
    const { fine = [] } = this.#byPhone.get(udid) ?? {};
    return fine[after(fine, at) - 1];
  }

  /** @param now readings after this moment are not there yet */
  of(udid: string, now: number, since: number, filter: SampleFilter = {}): HistorySample[] {
    const phone = this.#byPhone.get(udid);
    if (phone === undefined) return [];
    const until = Math.min(filter.until ?? now, now);
    const { isFull, leastDecicelsius } = filter;
    const isWanted = ({ isFull: full, temperatureDecicelsius = -9999 }: HistorySample) =>
      (isFull === undefined || full === true) &&
      (leastDecicelsius === undefined || temperatureDecicelsius >= leastDecicelsius);
    if (leastDecicelsius !== undefined && isFull === true) {
      const kept = phone.full.filter(({ at }) => at >= since && at <= until).filter(isWanted);
      return kept.filter(({ at }) => at >= now - FINE_MS || at % OLD_SAMPLE_MS === LAST_OF_HOUR);
    }
    const old = between(phone.hourly, since, Math.min(until, fineFrom(now) - 1));
    const fine = between(phone.fine, Math.max(since, fineFrom(now)), until);
    const all = old.length === 0 ? fine : [...old, ...fine];
    return isFull === undefined && leastDecicelsius === undefined ? all : all.filter(isWanted);
  }
}

const LAST_OF_HOUR = OLD_SAMPLE_MS - EVERY;

/** From when on all readings are there. */
const fineFrom = (now: number): number => Math.floor((now - FINE_MS) / OLD_SAMPLE_MS) * OLD_SAMPLE_MS;

function readingsOf(lab: Lab, { reading, busy }: LabPhone): OfPhone {
  const fine: HistorySample[] = [];
  const first = Math.ceil(lab.start / EVERY) * EVERY;
  for (let at = first; at < lab.end; at += EVERY) {
    if (busy.some(({ from, to }) => from <= at && to >= at)) continue;
    const what = reading?.(at);
    if (what) fine.push({ at, ...what });
  }
  const hourly = fine.filter(({ at }) => at % OLD_SAMPLE_MS === LAST_OF_HOUR);
  const full = fine.filter(
    ({ isFull, temperatureDecicelsius = 0 }) => isFull === true && temperatureDecicelsius >= 350,
  );
  return { fine, hourly, full };
}

/** How many of them are not after a moment. */
function after(sorted: readonly HistorySample[], at: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const between = (sorted: readonly HistorySample[], from: number, to: number): HistorySample[] =>
  sorted.slice(after(sorted, from - 1), after(sorted, to));
