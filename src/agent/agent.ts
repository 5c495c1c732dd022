/**
 * The daemon's loop. Its parts, in the order in which data passes them:
 *
 *     adb ─▶ roster ─▶ probe ─▶ facts ─▶ report ─▶ cloud
 *
 *     DeviceTracker  adb's list, read at each event and before phones are collected
 *     AdbHealth      whether adb can be reached
 *     PhoneWatcher   what happens to each phone, for the history
 *     Collector      collects phones (ProbePool), and again soon where that is worth it
 *     Hotplug        a phone that appeared, vanished or changed is collected and reported at once; forgets old ones
 *     Rounds         all phones are collected and reported, on schedule
 *     ReportSource   the phones in the cloud's shape, and which of them changed since their last report
 *     ReadBack       what the cloud has of the phones, about once an hour
 *     Reporter       one report at a time; refused devices are sent again
 *     CloudHealth    whether the cloud stores reports
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { pause } from '../base/time.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { Where } from '../history/events/event.ts';
import { UsbWatch } from '../history/events/usb-watch.ts';
import { PhoneWatcher } from '../history/events/watcher.ts';
import type { RosterDevice } from '../roster/device.ts';
import { isWithCloud } from '../roster/device-changes.ts';
import { AdbHealth } from './adb-health.ts';
import { Bookings } from './bookings.ts';
import { CloudHealth } from './cloud-health.ts';
import { Collector } from './collector.ts';
import { Hotplug } from './hotplug.ts';
import { type AgentObserver, notifyAll, type RoundSummary } from './observer.ts';
import {
  type AgentCarried,
  type AgentOptions,
  type AgentServices,
  inBackground,
  standardTiming,
} from './options.ts';
import { ReadBack } from './read-back.ts';
import { ReportSource } from './report-source.ts';
import { Reporter } from './reporter.ts';
import { Rounds } from './rounds.ts';
import { ReportSchedule } from './schedule.ts';
import { type AgentState, phonesOf } from './state.ts';
import { DeviceTracker } from './tracker.ts';

/** Time for the disk when a stop has used up its own, ms. */
const LAST_SAVE_MS = 1_000;

export class Agent {
  readonly #options: AgentOptions;
  readonly #timing: AgentServices['timing'];
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
    if (this.bookings) this.observe(this.bookings);
  }

  /** Notifies this one too of what happens, after those before it. Called before `start`, it misses nothing. */
  observe(observer: AgentObserver): void {
    this.#observers.push(observer);
  }

  get firstListing(): Promise<void> {
    return this.#parts.adbHealth.firstListing;
  }

  get isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Does it track the phones, with no round past its deadline? A cloud that is down does not count. */
  get isProgressing(): boolean {
    const { tracker, rounds } = this.#parts;
    return this.isStopping || (tracker.isRunning && !rounds.isOverdue);
  }

  /** Undefined where no cloud is configured. */
  get bookings(): Bookings | undefined {
    return this.#parts.bookings;
  }

  get state(): AgentState {
    const { nodeId, adbHealth, cloudHealth, roster, schedule } = this.#parts;
    return {
      nodeId,
      adb: adbHealth.summary,
      hasListed: adbHealth.hasListed,
      reports: cloudHealth.summary,
      nextReportMs: schedule.msToNext,
      usbPorts: roster.list.flatMap(({ devpath }) => devpath ?? []),
      phones: phonesOf(this.#parts),
    };
  }

  /** What the next agent takes over: what is reported and recorded already is not again. */
  get carried(): AgentCarried {
    const { source, watcher, hotplug, adbHealth, cloudHealth } = this.#parts;
    return omitUndefined({
      roster: this.#options.roster.record,
      connections: hotplug.connections,
      checkpoint: {
        connections: watcher.connections,
        isAdbLost: adbHealth.isLostRecorded,
        isCloudLost: cloudHealth.isLostRecorded,
      },
      reported: source.reported,
      storedAt: cloudHealth.storedAt,
    });
  }

  /** Where this phone sits, or sat last; undefined if the host does not know it or ignores it. */
  whereOf(udid: string): Where | undefined {
    return this.#parts.watcher.whereOf(udid);
  }

  /** Begins to track the phones; the first round runs as soon as adb has listed them, or cannot be reached. */
  start(): void {
    const { roster, clockStep, log } = this.#options;
    const { tracker, adbHealth, cloudHealth, hotplug, schedule, rounds, observer } = this.#parts;
    if (cloudHealth.notReporting !== undefined) log.warn(`not reporting: ${cloudHealth.notReporting}`);
    clockStep.watch(this.#stopping.signal);
    schedule.start(() => void rounds.run({ isScheduled: true }));
    this.#tracking = tracker.run(this.#stopping.signal, {
      expected: roster.attachedBefore,
      onListing: (devices, isAnotherServer) => {
        hotplug.listed(devices, isAnotherServer);
        if (adbHealth.listed(roster.nameless.length)) this.#begin(roster.devices);
      },
      onServer: (version) => void adbHealth.answers(version),
      onLost: (error, failingMs) => {
        if (adbHealth.lost(error, failingMs)) this.#begin(roster.earlier); // the host itself is reported
      },
    });
    inBackground(this.#tracking, log);
    const { followKernel } = this.#options;
    if (followKernel)
      inBackground(
        followKernel((events) => observer.happened(events), this.#stopping.signal),
        log,
      );
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
    return this.#parts.hotplug.forget(udid);
  }

  /**
   * Lets the running round end, within 10 s, and stops.
   *
   * @param isFinal no other agent takes over: a retired host reports so. Called when the running round
   *   has ended: a reload may turn into an end meanwhile
   */
  async stop(isFinal = (): boolean => true): Promise<void> {
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

/** What each part needs of the services, its own options say. */
function createParts(services: AgentServices) {
  const { nodeId, adb, clockStep, delivery, hasUsb, observer, timing } = services;
  const tracker = new DeviceTracker(adb, timing);
  const relist = () => tracker.relist();
  const adbHealth = new AdbHealth(services);
  const cloudHealth = new CloudHealth(services);
  const schedule = new ReportSchedule(services.reportSchedule, nodeId);
  const usb = hasUsb && new UsbWatch((events) => observer.happened(events));
  const watcher = new PhoneWatcher({ ...services, ...(usb && { usb }) });
  clockStep.onStep((byMs, at) => observer.happened([{ kind: 'clockStepped', byMs, at }]));
  clockStep.onPause((forMs) => observer.happened([{ kind: 'agentPaused', forMs, at: Date.now() }]));
  clockStep.onSleep((forMs) => observer.happened([{ kind: 'hostSlept', forMs, at: Date.now() }]));
  const collector = new Collector({ ...services, relist, watcher });
  const source = new ReportSource({ ...services, adbHealth });
  const reporter =
    delivery && new Reporter({ ...services, delivery, source, cloudHealth, collector, schedule, watcher });
  const parts = { ...services, relist, adbHealth, cloudHealth, schedule, watcher, collector, source };
  const hotplug = new Hotplug({ ...parts, reporter });
  const { reader, bookings: bookingReader, roster } = services;
  const bookings =
    bookingReader && reporter && new Bookings({ ...services, bookings: bookingReader, reporter });
  if (reader === undefined || !roster.isOfThisCloud) roster.phones.cloudUnread();
  const readBack = reader && new ReadBack({ ...services, reader });
  const rounds = new Rounds({ ...parts, reporter, hotplug, readBack });
  return { ...parts, tracker, reporter, bookings, hotplug, rounds };
}
