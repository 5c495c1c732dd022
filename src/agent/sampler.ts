/** A phone's readings for the history: at most one in five minutes. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { bucketOf, type HistorySample } from '../diagnosis/events/event.ts';
import type { Facts } from '../facts/index.ts';
import type { AgentEvents } from './observer.ts';

export class Sampler {
  readonly #observer: Pick<AgentEvents, 'sampled'>;
  /** In which five minutes each phone's last sample was taken. */
  readonly #last = new Map<string, number>();

  constructor({ observer }: { observer: Pick<AgentEvents, 'sampled'> }) {
    this.#observer = observer;
  }

  /** A phone gave these facts just now. */
  take(udid: string, facts: Facts): void {
    const at = Date.now();
    const bucket = bucketOf(at);
    if (this.#last.get(udid) === bucket) return;
    const sample = sampleOf(facts, at);
    if (sample === undefined) return;
    this.#last.set(udid, bucket);
    this.#observer.sampled({ udid, ...sample });
  }

  forgotten(udids: readonly string[]): void {
    for (const udid of udids) this.#last.delete(udid);
  }
}

/** Undefined if there is nothing to keep. */
function sampleOf({ battery, storage }: Facts, at: number): HistorySample | undefined {
  const { levelPercent, temperatureDecicelsius, status } = battery ?? {};
  const readings = omitUndefined({
    levelPercent,
    temperatureDecicelsius,
    isFull: status === undefined || status === 'UNKNOWN' ? undefined : status === 'FULL',
    storageUsedBytes: storage?.usedBytes,
  });
  return Object.keys(readings).length === 0 ? undefined : { at, ...readings };
}
