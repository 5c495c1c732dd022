/**
 * The readings that a judgement looks at, kept in the thread of the history, a few bytes each: as objects those of sixty
 * phones would take 100 MB, and reading them each minute half a second.
 */
import type { HistorySample } from '../history/event.ts';
import { HOUR_MS, SAMPLE_MS } from '../history/samples.ts';
import type { Store } from '../history/store.ts';
import { JUDGED_MS } from './case.ts';

const WEEK_MS = 7 * 24 * HOUR_MS;
/** As many as the store has of 30 days, and a day more: then we thin them as the store does. */
const MOST = WEEK_MS / SAMPLE_MS + (JUDGED_MS - WEEK_MS) / HOUR_MS + 288;
const NO_TEMPERATURE = -32_768;
const [NOT_FULL, FULL, UNKNOWN] = [0, 1, 2];

export class ReadingsFile {
  readonly #store: Pick<Store, 'samples' | 'rewrites'>;
  #readings = new Map<string, Readings>();
  #rewrites = -1;
  #last: { udid: string; now: number; samples: HistorySample[] } | undefined;

  constructor(store: Pick<Store, 'samples' | 'rewrites'>) {
    this.#store = store;
  }

  /** Forgets the readings of all other phones. */
  keep(udids: ReadonlySet<string>): void {
    for (const udid of this.#readings.keys()) if (!udids.has(udid)) this.#readings.delete(udid);
  }

  /** Of the last `JUDGED_MS`, oldest first. */
  samplesUntil(udid: string, now: number): readonly HistorySample[] {
    if (this.#store.rewrites !== this.#rewrites) {
      this.#readings = new Map();
      this.#rewrites = this.#store.rewrites;
      this.#last = undefined;
    }
    if (this.#last?.udid === udid && this.#last.now === now) return this.#last.samples;
    const samples = this.#current(udid, now).samples(now - JUDGED_MS);
    this.#last = { udid, now, samples };
    return samples;
  }

  #current(udid: string, now: number): Readings {
    const known = this.#readings.get(udid);
    // after the clock was set back, what comes now is not behind the last one
    const isUsable = known !== undefined && (known.lastAt ?? now) <= now;
    const readings = isUsable ? known : new Readings();
    this.#readings.set(udid, readings);
    readings.add(this.#store.samples(udid, readings.lastAt ?? now - JUDGED_MS));
    readings.thin(now);
    return readings;
  }
}

/** Those of one phone, oldest first. */
class Readings {
  #count = 0;
  #at = new Int32Array(64);
  #level = new Float32Array(64);
  #temperature = new Int16Array(64);
  #full = new Uint8Array(64);
  #storage = new Float64Array(64);

  /** The begin of the last five minutes that have one, ms since the epoch. */
  get lastAt(): number | undefined {
    return this.#count === 0 ? undefined : this.#atOf(this.#count - 1);
  }

  #atOf(index: number): number {
    return (this.#at[index] ?? 0) * SAMPLE_MS;
  }

  /** @param samples oldest first; the first one may be of the same five minutes as the last that is kept */
  add(samples: readonly HistorySample[]): void {
    for (const { at, levelPercent, temperatureDecicelsius, isFull, storageUsedBytes } of samples) {
      const bucket = Math.floor(at / SAMPLE_MS);
      const index = this.#count > 0 && this.#at[this.#count - 1] === bucket ? this.#count - 1 : this.#count;
      if (index === this.#at.length) this.#grow();
      this.#count = index + 1;
      this.#at[index] = bucket;
      this.#level[index] = levelPercent ?? Number.NaN;
      this.#temperature[index] = temperatureDecicelsius ?? NO_TEMPERATURE;
      this.#full[index] = isFull === undefined ? UNKNOWN : isFull ? FULL : NOT_FULL;
      this.#storage[index] = storageUsedBytes ?? Number.NaN;
    }
  }

  /** Leaves of what is older than a week the newest one of each hour, and nothing that is too old. */
  thin(now: number): void {
    if (this.#count <= MOST) return;
    let kept = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const at = this.#atOf(index);
      const isLastOfHour = Math.floor(at / HOUR_MS) !== Math.floor(this.#atOf(index + 1) / HOUR_MS);
      if (at < now - JUDGED_MS || (at < now - WEEK_MS && !isLastOfHour)) continue;
      for (const column of this.#columns) column[kept] = column[index] ?? 0;
      kept += 1;
    }
    this.#count = kept;
  }

  samples(since: number): HistorySample[] {
    const samples: HistorySample[] = [];
    for (let index = 0; index < this.#count; index += 1) {
      const at = this.#atOf(index);
      if (at < since) continue;
      const sample: HistorySample = { at };
      const [level, temperature] = [this.#level[index], this.#temperature[index]];
      const [full, storage] = [this.#full[index], this.#storage[index]];
      if (level !== undefined && !Number.isNaN(level)) sample.levelPercent = level;
      if (temperature !== undefined && temperature !== NO_TEMPERATURE)
        sample.temperatureDecicelsius = temperature;
      if (full !== UNKNOWN) sample.isFull = full === FULL;
      if (storage !== undefined && !Number.isNaN(storage)) sample.storageUsedBytes = storage;
      samples.push(sample);
    }
    return samples;
  }

  get #columns() {
    return [this.#at, this.#level, this.#temperature, this.#full, this.#storage];
  }

  #grow(): void {
    const size = this.#at.length * 2;
    const grown = <T extends { set(from: T): void }>(column: T, larger: T): T => {
      larger.set(column);
      return larger;
    };
    this.#at = grown(this.#at, new Int32Array(size));
    this.#level = grown(this.#level, new Float32Array(size));
    this.#temperature = grown(this.#temperature, new Int16Array(size));
    this.#full = grown(this.#full, new Uint8Array(size));
    this.#storage = grown(this.#storage, new Float64Array(size));
  }
}
