/** Collects phones, and reacts to their facts: another name, or a start that is not complete. */
import type { PhoneWatcher } from '../history/events/watcher.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { CollectOutcome } from './observer.ts';
import type { AgentServices } from './options.ts';
import type { Collected } from './probed-phones.ts';
import type { Relist } from './probes.ts';

export interface CollectorOptions extends AgentServices {
  watcher: PhoneWatcher;
  relist: Relist;
}

export class Collector {
  /** The facts of a phone changed the name or the connection of these. */
  onRenamed: (devices: readonly RosterDevice[]) => void = () => {};
  onDue: (udid: string) => void = () => {};
  readonly #options: CollectorOptions;
  readonly #soon = new Map<string, NodeJS.Timeout>();
  /** How often in a row a phone was collected again soon. */
  readonly #times = new Map<string, number>();
  /** Already counted: several callers may have waited for one conversation. */
  readonly #counted = new WeakSet<Collected>();

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /**
   * Collects this phone, if it is online and not ignored. Never throws.
   *
   * @returns how it answered; undefined where it was not collected
   */
  async collect(udid: string): Promise<CollectOutcome | undefined> {
    const { roster, probePool, hostReport, watcher, stopCollecting, relist } = this.#options;
    if (!this.#isWanted(udid)) return undefined;
    const listed = roster.listed(udid);
    const startedAt = performance.now();
    const collected = await probePool.collect(udid, stopCollecting, relist);
    const { changed, collectSoon } = collected;
    const udidNow = (listed && roster.udidAt(listed)) ?? udid; // it may have given its own serial
    hostReport.devices(new Set([udidNow])); // in this phone's turn: all at once would hold the event loop
    watcher.look(new Set([...changed.map((each) => each.udid), udidNow]));
    const outcome = outcomeOf(collected);
    if (outcome && !this.#counted.has(collected)) {
      this.#counted.add(collected);
      this.#observe(udidNow, outcome, performance.now() - startedAt);
    }
    if (collectSoon && roster.get(udidNow)?.attached) this.#collectSoon(udidNow);
    else this.forget(udidNow);
    if (changed.length > 0) this.onRenamed(changed);
    return outcome;
  }

  /**
   * Collects over new network connections that we do not otherwise use, to identify their phones: another phone may have
   * got the address. Never throws.
   */
  async prove(): Promise<void> {
    const { roster, probePool, watcher, stopCollecting, relist } = this.#options;
    const unproven = roster.unproven.filter((listed) => this.#isWanted(roster.udidAt(listed) ?? ''));
    const proving = unproven.map(async (listed) => {
      const { changed } = await probePool.collectAt(listed, stopCollecting, relist);
      watcher.look(changed.map(({ udid }) => udid));
      if (changed.length > 0) this.onRenamed(changed);
    });
    await Promise.all(proving);
  }

  /** A phone that was unplugged starts over when it comes back. */
  forget(udid: string): void {
    this.#times.delete(udid);
  }

  stop(): void {
    for (const timer of this.#soon.values()) clearTimeout(timer);
    this.#soon.clear();
  }

  #isWanted(udid: string): boolean {
    const device = this.#options.roster.get(udid);
    return device !== undefined && !this.#options.hostReport.isIgnored(device);
  }

  #observe(udid: string, outcome: CollectOutcome, durationMs: number): void {
    const { roster, hostReport, probePool, watcher, observer } = this.#options;
    const device = roster.get(udid);
    if (outcome === 'answered' && device && hostReport.isFollowed(device))
      watcher.collected(udid, probePool.facts(udid));
    observer.collected(udid, { outcome, durationMs });
  }

  #collectSoon(udid: string): void {
    const { timing, stopping } = this.#options;
    const { collectSoonMs, collectSoonTimes } = timing;
    const times = this.#times.get(udid) ?? 0;
    if (stopping.aborted || this.#soon.has(udid) || times >= collectSoonTimes) return;
    this.#times.set(udid, times + 1);
    const timer = setTimeout(() => {
      this.#soon.delete(udid);
      this.onDue(udid);
    }, collectSoonMs);
    this.#soon.set(udid, timer);
  }
}

function outcomeOf({ snapshot, error }: Collected): CollectOutcome | undefined {
  if (error) return 'failed';
  return snapshot && (snapshot.broken === undefined ? 'answered' : 'broken');
}
