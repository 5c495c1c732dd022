/** Has phones asked and follows up what they say: another name, a start that is not over yet. */

import type { HostReport } from '../report/host-report.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import type { AgentObserver } from './observer.ts';
import type { Collected, ProbePool } from './probe-pool.ts';
import type { AgentTiming } from './timing.ts';

export interface CollectorOptions {
  roster: Roster;
  probePool: ProbePool;
  timing: Pick<AgentTiming, 'askSoonMs' | 'askSoonTimes'>;
  /** Ends the conversations that are under way. */
  stopAsking: AbortSignal;
  /** Knows which phones the lab wants nothing to do with: they are not asked. */
  hostReport: HostReport;
  /** What a phone told of itself changed how these are called or connected. */
  onRenamed(devices: readonly RosterDevice[]): void;
  /** It is time to ask this phone again. */
  onSoon(udid: string): void;
  observer: Pick<AgentObserver, 'asked'>;
}

/** How many phones were asked, and of how many there is no fresh answer. */
export interface Asked {
  asked: number;
  failed: number;
}

export class Collector {
  readonly #options: CollectorOptions;
  readonly #soon = new Map<string, NodeJS.Timeout>();
  /** How often in a row a phone was asked again soon. */
  readonly #times = new Map<string, number>();
  /** What has been counted: several may have asked for it. */
  readonly #counted = new WeakSet<Collected>();
  #isStopped = false;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** Asks these phones, as far as they are online. Never throws. */
  async ask(udids: Iterable<string>): Promise<Asked> {
    const { roster, hostReport } = this.#options;
    const wanted = [...udids]
      .flatMap((udid) => roster.get(udid) ?? [])
      .filter((device) => !hostReport.isIgnored(device));
    const collected = await Promise.all(wanted.map(({ udid }) => this.#ask(udid)));
    const asked = collected.filter(({ snapshot, error }) => snapshot || error);
    const failed = asked.filter(({ snapshot, error }) => error ?? snapshot?.broken);
    return { asked: asked.length, failed: failed.length };
  }

  /**
   * Asks who it is at network names by which no phone is asked and that have a new connection: another phone may have come
   * to the address. Never throws.
   */
  async prove(): Promise<void> {
    const { roster, probePool, stopAsking, onRenamed } = this.#options;
    const unproven = roster.unproven.filter((listed) => {
      const device = roster.get(roster.udidAt(listed) ?? '');
      return device !== undefined && !this.#options.hostReport.isIgnored(device);
    });
    const proving = unproven.map(async (listed) => {
      const { changed } = await probePool.collectAt(listed, stopAsking);
      if (changed.length > 0) onRenamed(changed);
    });
    await Promise.all(proving);
  }

  /** A phone that was unplugged begins anew when it comes back. */
  forget(udid: string): void {
    this.#times.delete(udid);
  }

  /** Nobody is asked again soon any more. */
  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#soon.values()) clearTimeout(timer);
    this.#soon.clear();
  }

  async #ask(udid: string): Promise<Collected> {
    const { roster, probePool, stopAsking, onRenamed, hostReport } = this.#options;
    const listed = roster.listed(udid);
    const startedAt = performance.now();
    const result = await probePool.collect(udid, stopAsking);
    const udidNow = (listed && roster.udidAt(listed)) ?? udid; // it may have told its own serial
    hostReport.devices(new Set([udidNow])); // in this phone's turn: all at once would hold the event loop
    this.#observe(udidNow, result, performance.now() - startedAt);
    if (result.askSoon && roster.get(udidNow)?.attached) this.#askSoon(udidNow);
    else this.#times.delete(udidNow);
    if (result.changed.length > 0) onRenamed(result.changed);
    return result;
  }

  #observe(udid: string, collected: Collected, durationMs: number): void {
    const { snapshot, error } = collected;
    if (snapshot === undefined && error === undefined) return; // not asked
    if (this.#counted.has(collected)) return;
    this.#counted.add(collected);
    const outcome = error ? 'failed' : snapshot?.broken === undefined ? 'answered' : 'broken';
    this.#options.observer.asked(udid, { outcome, durationMs });
  }

  #askSoon(udid: string): void {
    const { timing, onSoon } = this.#options;
    const times = this.#times.get(udid) ?? 0;
    if (this.#isStopped || this.#soon.has(udid) || times >= timing.askSoonTimes) return;
    this.#times.set(udid, times + 1);
    const timer = setTimeout(() => {
      this.#soon.delete(udid);
      onSoon(udid);
    }, timing.askSoonMs);
    this.#soon.set(udid, timer);
  }
}
