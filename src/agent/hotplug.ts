/**
 * Phones that come, go or change between two rounds: each is collected, debounced and reported. Those that stay away are
 * forgotten.
 */
import type { ListedDevice } from '../adb/adb.ts';
import { TrustedClock } from '../base/clock.ts';
import { OutageLog } from '../base/outage-log.ts';
import { pause, yieldToLoop } from '../base/time.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { PhoneWatcher } from '../history/events/watcher.ts';
import type { RosterDevice } from '../roster/device.ts';
import { isToReport } from '../roster/device-changes.ts';
import { placeOf } from '../roster/udid.ts';
import type { CloudHealth } from './cloud-health.ts';
import type { Collector } from './collector.ts';
import { type AgentServices, inBackground } from './options.ts';
import type { ReportSource } from './report-source.ts';
import type { Reporter } from './reporter.ts';

export interface HotplugOptions extends AgentServices {
  watcher: PhoneWatcher;
  collector: Collector;
  source: ReportSource;
  /** Undefined where no cloud is configured. */
  reporter: Reporter | undefined;
  cloudHealth: CloudHealth;
}

export class Hotplug {
  readonly #options: HotplugOptions;
  readonly #debouncer: Debouncer;
  readonly #fullLog = new OutageLog();
  readonly #clock: TrustedClock;
  /** Of the agent before a reload, until the first list. */
  #carried: ReadonlyMap<string, ListedDevice> | undefined;

  constructor(options: HotplugOptions) {
    this.#options = options;
    const { collector, timing, log } = options;
    this.#clock = new TrustedClock(timing.steadyClockMs);
    this.#carried = options.connections;
    // phones that gave themselves another name or connection: nothing to wait for
    collector.onRenamed = (devices) => {
      for (const device of devices) this.#debounce(device, 0);
    };
    collector.onDue = (udid) => inBackground(this.#collect(udid), log);
    this.#debouncer = new Debouncer(timing.longestDebounceMs, (udid) =>
      inBackground(this.#report(udid), log),
    );
  }

  /**
   * @param isAnotherServer it may be another server's than the one before: each phone has to identify itself again
   */
  listed(devices: readonly ListedDevice[], isAnotherServer = false): void {
    const { roster, clockStep, probePool, hostReport, watcher, collector, timing, log } = this.#options;
    clockStep.check();
    probePool.observe(devices, isAnotherServer);
    const before = this.#carried ?? this.connections;
    const changed = roster.observe(devices, Date.now(), isAnotherServer);
    if (changed.length > 0) hostReport.refreshSlots();
    for (const device of changed) {
      this.#debounce(device, device.state === 'offline' ? timing.quietOfflineMs : timing.quietMs);
      if (device.state === 'device') inBackground(this.#collect(device.udid), log);
    }
    this.#dropped();
    watcher.listed(new Set(this.#reconnected(before, isAnotherServer)));
    this.#carried = undefined;
    inBackground(collector.prove(), log);
  }

  remarked(udid: string): void {
    inBackground(this.#reportUnlessDebounced(udid), this.#options.log);
  }

  stop(): void {
    this.#debouncer.stop();
  }

  /**
   * Collects the phones that have another connection than before.
   *
   * @returns those of them that were unplugged and plugged in again at the same place
   */
  #reconnected(before: ReadonlyMap<string, ListedDevice>, isAnotherServer: boolean): string[] {
    const { probePool, log } = this.#options;
    const replugged: string[] = [];
    // a server counts them up: with a number above all of before it is the same one (AOSP adb/transport.cpp, NextTransportId)
    const highest =
      this.#carried && Math.max(...[...before.values()].map(({ transportId = 0 }) => transportId));
    const isOfSameServer = ({ transportId = 0 }: ListedDevice) =>
      highest === undefined ? !isAnotherServer : transportId > highest;
    for (const [udid, listed] of this.connections) {
      const was = before.get(udid);
      // what was being collected over the former connection has broken off
      const isReconnected = was !== undefined && was.transportId !== listed.transportId;
      const isLost = isAnotherServer && probePool.snapshot(udid) === undefined;
      if (isReconnected || isLost) inBackground(this.#collect(udid), log);
      // a list may leave the numbers out for a while
      const isNumbered = was?.transportId !== undefined && listed.transportId !== undefined;
      if (isReconnected && isNumbered && isOfSameServer(listed) && placeOf(was) === placeOf(listed))
        replugged.push(udid);
    }
    return replugged;
  }

  /** How adb lists the attached phones, by udid. */
  get connections(): ReadonlyMap<string, ListedDevice> {
    const { roster } = this.#options;
    const connections = new Map<string, ListedDevice>();
    for (const { udid, attached } of roster.devices) {
      const listed = attached ? roster.listed(udid) : undefined;
      if (listed) connections.set(udid, listed);
    }
    return connections;
  }

  #debounce(device: RosterDevice, quietMs: number): void {
    const { roster, hostReport, collector, observer } = this.#options;
    const { udid, attached } = device;
    if (attached) roster.phones.seat(udid, hostReport.portPathsOf(device));
    else collector.forget(udid);
    observer.changed(udid);
    this.#debouncer.touch(udid, quietMs);
  }

  async #collect(udid: string): Promise<void> {
    await this.#options.collector.collect(udid);
    await this.#reportUnlessDebounced(udid);
  }

  async #reportUnlessDebounced(udid: string): Promise<void> {
    if (!this.#debouncer.isWaiting(udid)) await this.#report(udid);
  }

  async #report(udid: string): Promise<void> {
    const { probePool, source, reporter, timing, save, stopping } = this.#options;
    const collecting = probePool.collecting(udid);
    if (collecting) await Promise.race([collecting, pause(timing.factsWaitMs)]);
    await yieldToLoop(); // of 2,000 phones at once each is built and logged
    if (stopping.aborted || !source.noteChange(udid)) return;
    await save(); // a restart must know what the cloud was sent
    await reporter?.some([udid]);
    await save();
  }

  /** Forgets those that were unplugged long ago, but not before the cloud has stored that they are unplugged. */
  expire(): void {
    const { clockStep, forgetAfterMs } = this.#options;
    clockStep.check();
    const now = this.#clock.look();
    if (now !== undefined) this.#forgetBefore(now - forgetAfterMs);
  }

  async forget(udid: string): Promise<'attached' | CloudTrouble | undefined> {
    const { roster, save, reporter, cloudHealth } = this.#options;
    const forgetIt = () => this.#forgetBefore(Number.POSITIVE_INFINITY, udid);
    if (roster.get(udid)?.attached) return 'attached';
    forgetIt();
    if (reporter && roster.get(udid) !== undefined) {
      const result = await cloudHealth.orFailure(reporter.some([udid]));
      if ('failure' in result) return result;
      forgetIt();
    }
    const kept = roster.get(udid);
    if (kept?.attached) return 'attached';
    if (kept) return { failure: reporter?.refusal(udid) ?? 'it has not stored that the phone is unplugged' };
    await save();
    return undefined;
  }

  /** The roster may have dropped phones to make room for others. Their past stays: only age or a person ends it. */
  #dropped(): void {
    const { roster, log } = this.#options;
    const dropped = roster.phones.takeDropped();
    for (const udid of dropped) log.info({ udid }, 'phone dropped from the full roster');
    this.#gone(dropped);
    const { beyond } = roster;
    if (!roster.phones.isFull) this.#fullLog.end();
    else if ((dropped.length > 0 || beyond > 0) && this.#fullLog.begin('full'))
      log.warn(
        { phones: roster.devices.length, ignored: beyond },
        'more phones than roster.maxPhones: unplugged ones expire before their time, further ones are ignored',
      );
  }

  /** @param before ms since the epoch: those that were unplugged later stay; `only`: the one that is meant */
  #forgetBefore(before: number, only?: string): void {
    const { roster, reporter, observer, log } = this.#options;
    const forgotten = roster.phones.forget(
      before,
      (device) => (only ?? device.udid) === device.udid && (reporter === undefined || !isToReport(device)),
    );
    for (const udid of forgotten) log.info({ udid }, 'phone forgotten');
    this.#gone(forgotten);
    if (forgotten.length > 0) observer.forgotten(forgotten);
  }

  #gone(udids: readonly string[]): void {
    const { watcher, collector, source, observer } = this.#options;
    watcher.gone(udids);
    for (const udid of udids) {
      collector.forget(udid);
      source.forget(udid);
      observer.changed(udid);
    }
  }
}

/** Waits until a phone's changes calm down: a flapping cable is one report and not twenty. */
export class Debouncer {
  readonly #longestMs: number;
  readonly #onQuiet: (udid: string) => void;
  readonly #waiting = new Map<string, { since: number; timer: NodeJS.Timeout }>();

  constructor(longestMs: number, onQuiet: (udid: string) => void) {
    this.#longestMs = longestMs;
    this.#onQuiet = onQuiet;
  }

  /** The phone changed. @param quietMs how long it has to stay unchanged; longer for a change that often does not last */
  touch(udid: string, quietMs: number): void {
    const before = this.#waiting.get(udid);
    const since = before?.since ?? performance.now();
    clearTimeout(before?.timer);
    const leftMs = this.#longestMs - (performance.now() - since);
    const timer = setTimeout(() => this.#quiet(udid), Math.max(0, Math.min(quietMs, leftMs)));
    this.#waiting.set(udid, { since, timer });
  }

  isWaiting(udid: string): boolean {
    return this.#waiting.has(udid);
  }

  stop(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #quiet(udid: string): void {
    this.#waiting.delete(udid);
    this.#onQuiet(udid);
  }
}
