/** What changes between two rounds: a phone that came, went or has another name is asked and, once at rest, told. */
import type { ListedDevice } from '../adb/adb.ts';
import type { Logger } from '../base/log.ts';
import type { HostReport } from '../report/host-report.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import type { Collector } from './collector.ts';
import { Debouncer } from './debouncer.ts';
import type { FreshList } from './fresh-list.ts';
import type { AgentObserver } from './observer.ts';
import { OutageLog } from './outage-log.ts';
import type { ProbePool } from './probe-pool.ts';
import type { ReportSource } from './report-source.ts';
import type { Reporter } from './reporter.ts';
import { type AgentTiming, inBackground, pause } from './timing.ts';

export interface ChangesOptions {
  roster: Roster;
  probePool: ProbePool;
  freshList: FreshList;
  clockStep: ClockStep;
  hostReport: HostReport;
  collector: Collector;
  reportSource: ReportSource;
  /** Absent where no cloud is configured. */
  reporter?: Reporter;
  /** Writes the roster down. */
  save(): Promise<void>;
  timing: AgentTiming;
  /** The agent stops: nothing is told any more. */
  stopping: AbortSignal;
  /** Ends the conversations that are under way. */
  stopAsking: AbortSignal;
  observer: Pick<AgentObserver, 'changed'>;
  log: Logger;
}

export class Changes {
  readonly #options: ChangesOptions;
  readonly #debouncer: Debouncer;
  readonly #fullTrouble = new OutageLog();

  constructor(options: ChangesOptions) {
    this.#options = options;
    const { timing, log } = options;
    this.#debouncer = new Debouncer({
      quietMs: timing.quietMs,
      longestMs: timing.longestUnrestMs,
      onSettled: (udid) => inBackground(this.#tell(udid), log),
    });
  }

  /**
   * adb's list was read.
   *
   * @param isAnotherServer it may be another server's than the one before: who has answered has to say anew who it is
   */
  listed(devices: readonly ListedDevice[], isAnotherServer = false): void {
    const { roster, probePool, clockStep, hostReport } = this.#options;
    clockStep.look();
    probePool.observe(devices, isAnotherServer);
    const before = this.#connections();
    const changed = roster.observe(devices, Date.now(), isAnotherServer);
    if (changed.length > 0) hostReport.refreshSlots();
    this.#follow(changed);
    this.#dropped();
    for (const [udid, transportId] of this.#connections()) {
      // what was being asked over the former connection has broken off
      const isReconnected = before.has(udid) && before.get(udid) !== transportId;
      const isLost = isAnotherServer && probePool.snapshot(udid) === undefined;
      if (isReconnected || isLost) this.ask(udid);
    }
    inBackground(this.#options.collector.prove(), this.#options.log);
  }

  /** What phones told of themselves changed how these are called or connected: there is no rest to wait for. */
  renamed(devices: readonly RosterDevice[]): void {
    for (const device of devices) this.#unrest(device, 0);
  }

  /** Asks a phone that adb has just listed and tells what it said, where that is news. */
  ask(udid: string): void {
    inBackground(this.#askAndTell(udid), this.#options.log);
  }

  /** The same when adb's list may be old: it is read first. */
  askAnew(udid: string): void {
    const { freshList, log } = this.#options;
    const asking = async () => {
      if (await freshList.read()) await this.#askAndTell(udid);
    };
    inBackground(asking(), log);
  }

  stop(): void {
    this.#debouncer.stop();
  }

  #follow(changed: readonly RosterDevice[]): void {
    const { quietMs, quietOfflineMs } = this.#options.timing;
    for (const device of changed) {
      this.#unrest(device, device.state === 'offline' ? quietOfflineMs : quietMs);
      if (device.state === 'device') this.ask(device.udid);
    }
  }

  /** Phones were forgotten to make room for others. */
  #dropped(): void {
    const { roster, reportSource, collector, observer, log } = this.#options;
    const dropped = roster.takeDropped();
    for (const udid of dropped) {
      reportSource.forget(udid);
      collector.forget(udid);
      observer.changed(udid);
    }
    const { beyond } = roster;
    if (!roster.isFull) this.#fullTrouble.end();
    else if ((dropped.length > 0 || beyond > 0) && this.#fullTrouble.begin('full'))
      log.warn(
        { phones: roster.devices.length, notTaken: beyond },
        'more phones than roster.maxPhones: unplugged ones are forgotten before their time, further ones not taken',
      );
  }

  /** @param restMs for how long the phone has to stay as it is before it is told */
  #unrest(device: RosterDevice, restMs: number): void {
    const { roster, hostReport, observer, collector } = this.#options;
    const { udid, attached } = device;
    if (attached) roster.seat(udid, hostReport.portPathsOf(device));
    else collector.forget(udid);
    observer.changed(udid);
    this.#debouncer.touch(udid, restMs);
  }

  /** The number of the connection to each phone that is attached. */
  #connections(): Map<string, number | undefined> {
    const { roster } = this.#options;
    const attached = roster.devices.filter((device) => device.attached);
    return new Map(attached.map(({ udid }) => [udid, roster.listed(udid)?.transportId]));
  }

  async #askAndTell(udid: string): Promise<void> {
    await this.#options.collector.ask([udid]);
    if (!this.#debouncer.isWaiting(udid)) await this.#tell(udid);
  }

  /** A phone has come to rest: tells how it is, where that is news. */
  async #tell(udid: string): Promise<void> {
    const { probePool, reportSource, reporter, save, timing, stopping, stopAsking } = this.#options;
    if (probePool.isAsking(udid))
      await Promise.race([probePool.collect(udid, stopAsking), pause(timing.factsWaitMs)]);
    if (stopping.aborted || !reportSource.isNews(udid)) return;
    await save(); // what the cloud hears of must not be forgotten
    await reporter?.some([udid]);
    await save();
  }
}
