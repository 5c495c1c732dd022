/**
 * The daemon's loop. Its parts, in the order in which data passes them:
 *
 *     adb ─▶ roster ─▶ probe ─▶ facts ─▶ report ─▶ cloud
 *
 *     DeviceTracker  adb's list, read at each event and before phones are collected
 *     AdbHealth      whether adb can be reached
 *     PhoneEvents    what happens to each phone, for the history
 *     Collector      collects phones (ProbePool), and again soon where that is worth it
 *     Hotplug        a phone that appeared, vanished or changed is collected and reported at once
 *     Rounds         all phones are collected and reported, on schedule
 *     ReportSource   the phones in the cloud's shape, and which of them changed since their last report
 *     Reporter       one report at a time; refused devices are sent again
 *     CloudHealth    whether the cloud stores reports
 *     Retention      forgets phones that were unplugged long ago
 */
import type { Adb } from '../adb/adb.ts';
import type { Logger } from '../base/log.ts';
import { pause } from '../base/time.ts';
import type { Machine } from '../cloud/contract/report.ts';
import type { Delivery } from '../cloud/delivery.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { Checkpoint } from '../diagnosis/events/checkpoint.ts';
import type { Where } from '../diagnosis/events/event.ts';
import type { HostReport } from '../report/host-report.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import { isWithCloud } from '../roster/cloud-marks.ts';
import type { RosterDevice, RosterRecord } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import { AdbHealth } from './adb-health.ts';
import { CloudHealth } from './cloud-health.ts';
import { Collector } from './collector.ts';
import { Hotplug } from './hotplug.ts';
import { type AgentEvents, type AgentObserver, notifyAll, type RoundSummary } from './observer.ts';
import { PhoneEvents } from './phone-events.ts';
import type { ProbePool } from './probes.ts';
import { type ReportedPhones, ReportSource } from './report-source.ts';
import { Reporter } from './reporter.ts';
import { Retention } from './retention.ts';
import { Rounds } from './rounds.ts';
import { Sampler } from './sampler.ts';
import { ReportSchedule } from './schedule.ts';
import { type AgentTiming, inBackground, standardTiming } from './timing.ts';
import { DeviceTracker } from './tracker.ts';
import { type AgentView, viewOf } from './view.ts';

export interface AgentOptions {
  nodeId: string;
  adb: Adb;
  roster: Roster;
  clockStep: ClockStep;
  probePool: ProbePool;
  hostReport: HostReport;
  /** Absent where no cloud is configured: the phones are tracked and nothing is reported. */
  delivery?: Delivery;
  /** Why there is no `delivery`, where a cloud is configured. */
  notReporting?: string;
  /** What the agent before this one, or an earlier run, recorded last. */
  checkpoint?: Checkpoint;
  /** How the agent before a reload last reported each phone. */
  reported?: ReportedPhones;
  /** When this cloud last stored a report, before a reload, by the monotonic clock, ms. */
  storedAt?: number;
  readMachine(): Promise<Machine>;
  /** Writes the roster. */
  save(): Promise<void>;
  /** When full reports are due: cron fields. */
  reportSchedule: string;
  /** Retries of a refused device on its own. */
  refusedRetries: number;
  /** A phone that stays unplugged expires after this, ms. */
  forgetAfterMs: number;
  /** Starts an adb server where none runs; absent where the configuration forbids it. */
  startAdb?(signal: AbortSignal): Promise<number | undefined>;
  /** Delays that differ from the standard ones. */
  timing?: Partial<AgentTiming>;
  /** Closes the connections that are kept open, when the agent has stopped. */
  close?(): void;
  /** Report all phones as unplugged at the end: for a host that is retired. */
  unplugOnStop: boolean;
  log: Logger;
}

/** Time for the disk when a stop has used up its own, ms. */
const LAST_SAVE_MS = 1_000;

export class Agent {
  readonly #options: AgentOptions;
  readonly #timing: AgentTiming;
  readonly #observers: AgentObserver[] = [];
  readonly #stopping = new AbortController();
  readonly #stopCollecting = new AbortController();
  readonly #parts: ReturnType<typeof createParts>;
  #tracking: Promise<void> | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#timing = { ...standardTiming, ...options.timing };
    this.#parts = createParts({
      ...options,
      timing: this.#timing,
      observer: notifyAll(this.#observers),
      stopping: this.#stopping.signal,
      stopCollecting: this.#stopCollecting.signal,
    });
  }

  /** Notifies this one too of what happens, after those before it. Called before `start`, it misses nothing. */
  observe(observer: AgentObserver): void {
    this.#observers.push(observer);
  }

  /** Resolves when adb has listed its phones for the first time. */
  get firstListing(): Promise<void> {
    return this.#parts.adbHealth.firstListing;
  }

  /** It stops, or has stopped. */
  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Does it track the phones, with no round past its deadline? A cloud that is down does not count. */
  get isProgressing(): boolean {
    const { tracker, rounds } = this.#parts;
    return this.isStopping || (tracker.isRunning && !rounds.isOverdue);
  }

  /** All that it knows now, for the status. */
  get view(): AgentView {
    return viewOf(this.#parts);
  }

  /** What it has recorded last of phones and host: the next agent records only what is new. */
  get checkpoint(): Checkpoint {
    const { phoneEvents, adbHealth, cloudHealth } = this.#parts;
    const { connections } = phoneEvents;
    return { connections, isAdbLost: adbHealth.isLostRecorded, isCloudLost: cloudHealth.isLostRecorded };
  }

  /** Where this phone sits, or sat last; undefined if the host does not know it or ignores it. */
  whereOf(udid: string): Where | undefined {
    return this.#parts.phoneEvents.whereOf(udid);
  }

  /** All phones, as the next agent takes them over. */
  get record(): RosterRecord {
    return this.#options.roster.record;
  }

  /** How it last reported each phone. */
  get reported(): ReportedPhones {
    return this.#parts.source.reported;
  }

  /** When the cloud last stored a report, by the monotonic clock, ms. */
  get storedAt(): number | undefined {
    return this.#parts.cloudHealth.storedAt;
  }

  /** Begins to track the phones; the first round runs as soon as adb has listed them, or cannot be reached. */
  start(): void {
    const { roster, log } = this.#options;
    const { tracker, adbHealth, cloudHealth, hotplug, schedule, rounds } = this.#parts;
    if (cloudHealth.notReporting !== undefined) log.warn(`not reporting: ${cloudHealth.notReporting}`);
    schedule.start(() => void rounds.run({ isScheduled: true }));
    this.#tracking = tracker.run(this.#stopping.signal, {
      expected: roster.attachedBefore,
      onListing: (devices, isAnotherServer) => {
        hotplug.listed(devices, isAnotherServer);
        if (adbHealth.listed(roster.nameless.length)) this.#begin(roster.devices);
      },
      onServer: (version) => void adbHealth.answers(version),
      onLost: (error) => {
        if (adbHealth.lost(error)) this.#begin(roster.earlier); // the host itself is reported
      },
    });
    inBackground(this.#tracking, log);
  }

  /**
   * The first round, or adb answers again. Where the cloud has these phones from an earlier run, a first report can wait
   * for the host's place in the minute: thousands of agents may have been restarted at once.
   */
  #begin(phones: readonly RosterDevice[]): void {
    const { roster, hostReport, delivery, log } = this.#options;
    const { source, rounds, schedule } = this.#parts;
    const { firstReportMs } = this.#timing;
    const earlier = new Map(roster.earlier.map((device) => [device.udid, device]));
    const mayWait =
      delivery !== undefined &&
      firstReportMs > 0 &&
      roster.isOfThisCloud &&
      earlier.size > 0 &&
      !source.hasPrepared &&
      phones.every((device) => hostReport.isIgnored(device) || isWithCloud(device, earlier.get(device.udid)));
    if (mayWait) {
      source.presume();
      schedule.soon(firstReportMs);
      const inSeconds = Math.ceil(schedule.msToNext / 1000);
      log.info({ inSeconds }, 'the cloud has these phones: the first report waits for its place');
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
    return isLeft && this.isStopping ? undefined : round;
  }

  /** What people say of a phone changed, as by maintenance: it is reported at once where its report changed. */
  remarked(udid: string): void {
    if (!this.isStopping) this.#parts.hotplug.remarked(udid);
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
    const { collector, hotplug, reporter, rounds, schedule } = this.#parts;
    const { unplugOnStop, save, close } = this.#options;
    const { stopMs, stopCollectingMs } = this.#timing;
    const endsAt = performance.now() + stopMs;
    this.#stopping.abort();
    schedule.stop();
    hotplug.stop();
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
    this.#options.roster.observe([], Date.now());
    this.#parts.adbHealth.retire();
    await this.#parts.reporter?.last(withinMs);
  }
}

interface Given extends Omit<AgentOptions, 'timing'> {
  timing: AgentTiming;
  observer: AgentEvents;
  /** The agent stops: no round and no report of a change begins any more. */
  stopping: AbortSignal;
  /** Ends the conversations that are under way. */
  stopCollecting: AbortSignal;
}

/** What each part needs of all this, its own options say. */
function createParts(given: Given) {
  const { nodeId, adb, clockStep, delivery, checkpoint, observer, timing } = given;
  const tracker = new DeviceTracker(adb, timing);
  const relist = () => tracker.relist();
  const adbHealth = new AdbHealth({ ...given, isLost: checkpoint?.isAdbLost ?? false });
  const cloudHealth = new CloudHealth({ ...given, isLost: checkpoint?.isCloudLost ?? false });
  const schedule = new ReportSchedule(given.reportSchedule, nodeId);
  const phoneEvents = new PhoneEvents(given);
  const sampler = new Sampler(given);
  clockStep.onStep((byMs) => observer.happened([{ kind: 'clockStepped', byMs, at: Date.now() }]));
  const collector = new Collector({ ...given, relist, phoneEvents, sampler });
  const source = new ReportSource({ ...given, adbHealth });
  const reporter =
    delivery && new Reporter({ ...given, delivery, source, cloudHealth, collector, schedule, phoneEvents });
  const parts = {
    ...given,
    relist,
    adbHealth,
    cloudHealth,
    schedule,
    phoneEvents,
    sampler,
    collector,
    source,
  };
  const retention = new Retention({ ...parts, reporter });
  const hotplug = new Hotplug({ ...parts, reporter, retention });
  const rounds = new Rounds({ ...parts, reporter, retention });
  return { ...parts, tracker, reporter, retention, hotplug, rounds };
}
