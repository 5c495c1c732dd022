/** The daemon's loop: starts its parts (wiring.ts), reports out of turn, and stops them. */
import type { ListedDevice } from '../adb/adb.ts';
import { pause } from '../base/time.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { Checkpoint } from '../diagnosis/events/checkpoint.ts';
import type { Where } from '../diagnosis/events/event.ts';
import { isWithCloud } from '../roster/cloud-marks.ts';
import type { RosterDevice, RosterRecord } from '../roster/device.ts';
import type { AgentContext } from './context.ts';
import { trackDevices } from './device-tracker.ts';
import { type AgentObserver, notifyAll, type RoundSummary } from './observer.ts';
import { type AgentTiming, inBackground, standardTiming } from './timing.ts';
import { type AgentView, viewOf } from './view.ts';
import { buildWiring, type Wiring } from './wiring.ts';

export interface AgentOptions
  extends Omit<AgentContext, 'observer' | 'timing' | 'stopping' | 'stopCollecting'> {
  observer?: AgentObserver;
  /** Delays that differ from the standard ones. */
  timing?: Partial<AgentTiming>;
  /** Closes the connections that are kept open, when the agent has stopped. */
  close?(): void;
  /** Report all phones as unplugged at the end: for a host that is retired. */
  unplugOnStop: boolean;
}

/** Time for the disk when a stop has used up its own, ms. */
const LAST_SAVE_MS = 1_000;

export class Agent {
  readonly #options: AgentOptions;
  readonly #timing: AgentTiming;
  readonly #parts: Wiring;
  readonly #stopping = new AbortController();
  readonly #stopCollecting = new AbortController();
  #tracking: Promise<void> | undefined;
  #isTracking = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#timing = { ...standardTiming, ...options.timing };
    this.#parts = buildWiring({
      ...options,
      observer: notifyAll(options.observer ? [options.observer] : []),
      timing: this.#timing,
      stopping: this.#stopping.signal,
      stopCollecting: this.#stopCollecting.signal,
    });
  }

  /** Resolves when adb has listed its phones for the first time. */
  get firstListing(): Promise<void> {
    return this.#parts.adbHealth.firstListing;
  }

  /** Does it track the phones, with no round past its deadline? A cloud that is down does not count. */
  get isProgressing(): boolean {
    return this.#stopping.signal.aborted || (this.#isTracking && !this.#parts.rounds.isOverdue);
  }

  /** All that it knows now, for the status. */
  get view(): AgentView {
    return viewOf(this.#options.nodeId, this.#parts);
  }

  /** What it has recorded last of phones and host: the next agent records only what is new. */
  get checkpoint(): Checkpoint {
    const { phoneEvents, adbHealth, cloudHealth } = this.#parts;
    const { connections } = phoneEvents;
    return { connections, isAdbLost: adbHealth.isLostTold, isCloudLost: cloudHealth.isLostTold };
  }

  /** Where this phone sits, or sat last; undefined if the host does not know it or ignores it. */
  whereOf(udid: string): Where | undefined {
    return this.#parts.phoneEvents.whereOf(udid);
  }

  /** All phones, as the next agent takes them over. */
  get record(): RosterRecord {
    return this.#parts.roster.record;
  }

  /** Begins to track the phones; the first round runs as soon as adb has listed them, or cannot be reached. */
  start(): void {
    const { adb, log } = this.#options;
    const { adbHealth, cloudHealth, schedule } = this.#parts;
    if (cloudHealth.notReporting !== undefined) log.warn(`not reporting: ${cloudHealth.notReporting}`);
    schedule.start();
    this.#isTracking = true;
    this.#tracking = trackDevices({
      adb,
      signal: this.#stopping.signal,
      expected: this.#parts.roster.attachedBefore,
      relistMs: this.#timing.relistMs,
      recoveryMs: this.#timing.recoveryMs,
      fresh: this.#parts.freshList,
      onListing: (devices, isAnotherServer) => this.#onListing(devices, isAnotherServer),
      onServer: (version) => void adbHealth.answers(version),
      onLost: (error) => {
        if (adbHealth.lost(error)) this.#begin(this.#options.roster.earlier); // the host itself is reported
      },
    }).finally(() => {
      this.#isTracking = false;
    });
    inBackground(this.#tracking, log);
  }

  #onListing(devices: readonly ListedDevice[], isAnotherServer: boolean): void {
    const { roster, changes, adbHealth } = this.#parts;
    adbHealth.doubted(this.#options.adb.doubts ?? []);
    changes.listed(devices, isAnotherServer);
    if (adbHealth.listed(roster.nameless.length)) this.#begin(roster.devices);
  }

  /**
   * The first round, or adb answers again. Where the cloud has these phones from an earlier run, a first report can wait
   * for the host's place in the minute: thousands of agents may have been restarted at once.
   */
  #begin(phones: readonly RosterDevice[]): void {
    const { roster, hostReport, reporter, reportSource, rounds, schedule } = this.#parts;
    const { firstReportMs } = this.#timing;
    const earlier = new Map(roster.earlier.map((device) => [device.udid, device]));
    const mayWait =
      reporter !== undefined &&
      firstReportMs > 0 &&
      roster.isOfThisCloud &&
      earlier.size > 0 &&
      !reportSource.hasPrepared &&
      phones.every((device) => hostReport.isIgnored(device) || isWithCloud(device, earlier.get(device.udid)));
    if (mayWait) {
      reportSource.presume();
      schedule.soon(firstReportMs);
      const inSeconds = Math.ceil(schedule.msToNext / 1000);
      this.#options.log.info(
        { inSeconds },
        'the cloud has these phones: the first report waits for its place',
      );
    }
    void rounds.run({ isReporting: !mayWait });
  }

  /** One round, out of turn; joins a round that still collects. Never throws. */
  round(): Promise<RoundSummary | undefined> {
    return this.#parts.rounds.run();
  }

  /**
   * A round out of turn for somebody who waits: a failure is returned at once, although the report is tried again.
   *
   * @returns undefined when the agent stops before the cloud has answered, or the round failed
   */
  async report(): Promise<RoundSummary | CloudTrouble | undefined> {
    const round = await this.#parts.cloudHealth.orFailure(this.round());
    const isLeft = round && 'reported' in round && round.reported?.kind === 'superseded';
    return isLeft && this.#stopping.signal.aborted ? undefined : round;
  }

  /** What people say of a phone changed, as by maintenance: it is reported at once where its report changed. */
  remarked(udid: string): void {
    if (!this.#stopping.signal.aborted) this.#parts.changes.remarked(udid);
  }

  /**
   * Forgets an unplugged phone now, once the cloud has stored that it is unplugged.
   *
   * @returns undefined once it is forgotten; else why not: it is attached, or the cloud has not stored that it is
   *   unplugged
   */
  forget(udid: string): Promise<'attached' | CloudTrouble | undefined> {
    return this.#parts.retention.now(udid);
  }

  /**
   * Lets the running round end, within 10 s, and stops.
   *
   * @param isFinal no other agent takes over: a retired host reports so. Called when the running round
   *   has ended: a reload may turn into an end meanwhile
   */
  async stop({ isFinal = (): boolean => true } = {}): Promise<void> {
    const { collector, changes, reporter, rounds, schedule } = this.#parts;
    const { unplugOnStop, save, close } = this.#options;
    const { stopMs, stopCollectingMs } = this.#timing;
    const endsAt = performance.now() + stopMs;
    this.#stopping.abort();
    schedule.stop();
    changes.stop();
    collector.stop();
    reporter?.finish();
    const collecting = setTimeout(() => this.#stopCollecting.abort(), Math.min(stopCollectingMs, stopMs));
    const running = Promise.all([rounds.running(), this.#tracking]);
    await Promise.race([running, pause(unplugOnStop ? stopMs / 2 : stopMs)]);
    clearTimeout(collecting);
    this.#stopCollecting.abort();
    const leftMs = () => endsAt - performance.now();
    if (unplugOnStop && isFinal()) await this.#reportUnplugged(leftMs());
    await reporter?.stop();
    await Promise.race([save(), pause(Math.max(leftMs(), LAST_SAVE_MS))]);
    close?.();
  }

  async #reportUnplugged(withinMs: number): Promise<void> {
    const { roster, adbHealth, reporter } = this.#parts;
    roster.observe([], Date.now());
    adbHealth.retire();
    await reporter?.last(withinMs);
  }
}
