/** Battery, temperature and events of each phone over the last day. All sizes are bounded. */
import * as z from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Happening, Sample } from './host-status.ts';

export const SAMPLE_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
const SAMPLES = DAY_MS / SAMPLE_MS;
const HAPPENINGS = 50;

/** Number of the sample since the epoch, level in percent, temperature in tenths of °C. */
type Packed = [at: number, level: number | null, temperature: number | null];

interface KeptHappening extends Happening {
  /** adb's word for the phone from then on, where that is what happened; earlier versions did not keep it. */
  state?: string;
}

interface PhoneHistory {
  samples: Packed[];
  happenings: KeptHappening[];
}

export const HistoryRecord = z.object({
  version: z.literal(1),
  phones: z.record(
    z.string(),
    z.object({
      samples: z.array(z.tuple([z.number(), z.number().nullable(), z.number().nullable()])),
      happenings: z.array(z.object({ at: z.number(), what: z.string(), state: z.string().exactOptional() })),
    }),
  ),
});
export type HistoryRecord = z.infer<typeof HistoryRecord>;

export class History {
  readonly #phones: Map<string, PhoneHistory>;

  constructor(record?: HistoryRecord) {
    this.#phones = new Map(Object.entries(record?.phones ?? {}));
  }

  get record(): HistoryRecord {
    return { version: 1, phones: Object.fromEntries(this.#phones) };
  }

  /** Merges the history of an earlier run with newer data. */
  join(earlier: HistoryRecord): void {
    for (const [udid, { samples, happenings }] of Object.entries(earlier.phones)) {
      const since = this.#of(udid);
      const firstAt = since.samples[0]?.[0] ?? Number.POSITIVE_INFINITY;
      since.samples = [...samples.filter(([at]) => at < firstAt), ...since.samples].slice(-SAMPLES);
      since.happenings = [...since.happenings, ...happenings].slice(0, HAPPENINGS);
    }
  }

  /** Adds a reading; keeps the last one of each five minutes. `now` in ms since the epoch. */
  sample(
    udid: string,
    reading: { levelPercent?: number; temperatureDecicelsius?: number },
    now: number,
  ): void {
    const { levelPercent = null, temperatureDecicelsius = null } = reading;
    if (levelPercent === null && temperatureDecicelsius === null) return;
    const { samples } = this.#of(udid);
    const at = Math.floor(now / SAMPLE_MS);
    const last = samples.at(-1)?.[0] ?? 0;
    if (at < last)
      samples.length = 0; // the clock was set back: drop samples from the future
    else if (at === last) samples.pop();
    samples.push([at, levelPercent, temperatureDecicelsius]);
    while (samples.length > SAMPLES || (samples[0]?.[0] ?? at) <= at - SAMPLES) samples.shift();
  }

  /** @param state adb's word for the phone, where that is what happened */
  happened(udid: string, what: string, now: number, state?: string): void {
    const { happenings } = this.#of(udid);
    happenings.unshift(omitUndefined({ at: now, what, state }));
    happenings.splice(HAPPENINGS);
  }

  /** Oldest first. */
  samples(udid: string): Sample[] {
    return (this.#phones.get(udid)?.samples ?? []).map(([at, level, temperature]) =>
      omitUndefined({
        at: at * SAMPLE_MS,
        levelRatio: level === null ? undefined : level / 100,
        temperatureCelsius: temperature === null ? undefined : temperature / 10,
      }),
    );
  }

  /** Newest first. */
  happenings(udid: string): Happening[] {
    return (this.#phones.get(udid)?.happenings ?? []).map(({ at, what }) => ({ at, what }));
  }

  /** How adb called the phone last, since when, and whether nothing has happened after; undefined if not known. */
  lastState(udid: string): { state: string; at: number; isNewest: boolean } | undefined {
    for (const [index, { state, at }] of (this.#phones.get(udid)?.happenings ?? []).entries())
      if (state !== undefined) return { state, at, isNewest: index === 0 };
    return undefined;
  }

  /** Drops all other phones. */
  keep(udids: ReadonlySet<string>): void {
    for (const udid of this.#phones.keys()) if (!udids.has(udid)) this.#phones.delete(udid);
  }

  #of(udid: string): PhoneHistory {
    const found = this.#phones.get(udid) ?? { samples: [], happenings: [] };
    this.#phones.set(udid, found);
    return found;
  }
}
