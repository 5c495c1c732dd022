/** Changes between two rounds: a phone that appeared, vanished or has another name is collected, debounced and reported. */
import type { ListedDevice } from '../adb/adb.ts';
import { OutageLog } from '../base/outage-log.ts';
import { pause } from '../base/time.ts';
import type { RosterDevice } from '../roster/device.ts';
import { placeOf } from '../roster/udid.ts';
import type { Collector } from './collector.ts';
import type { AgentContext } from './context.ts';
import { Debouncer } from './debouncer.ts';
import type { PhoneEvents } from './phone-events.ts';
import type { ReportSource } from './report-source.ts';
import type { Reporter } from './reporter.ts';
import type { Sampler } from './sampler.ts';
import { inBackground } from './timing.ts';

interface ChangesParts {
  collector: Collector;
  reportSource: ReportSource;
  reporter: Reporter | undefined;
  phoneEvents: PhoneEvents;
  sampler: Sampler;
}

export class Changes {
  readonly #context: AgentContext;
  readonly #parts: ChangesParts;
  readonly #debouncer: Debouncer;
  readonly #fullLog = new OutageLog();
  /** The last list. */
  #listed: readonly ListedDevice[] | undefined;

  constructor(context: AgentContext, parts: ChangesParts) {
    this.#context = context;
    this.#parts = parts;
    const { timing, log } = context;
    parts.collector.on('renamed', (devices) => this.#renamed(devices));
    parts.collector.on('due', (udid) => inBackground(this.#collectFresh(udid), log));
    this.#debouncer = new Debouncer({
      quietMs: timing.quietMs,
      longestMs: timing.longestDebounceMs,
      onQuiet: (udid) => inBackground(this.#report(udid), log),
    });
  }

  /**
   * adb's list was read.
   *
   * @param isAnotherServer it may be another server's than the one before: each phone has to identify itself again
   */
  listed(devices: readonly ListedDevice[], isAnotherServer = false): void {
    const { roster, probePool, clockStep, hostReport, log } = this.#context;
    clockStep.check();
    probePool.observe(devices, isAnotherServer);
    const isSameList = devices === this.#listed && !isAnotherServer;
    this.#listed = devices;
    const before = isSameList ? undefined : this.#connections();
    const changed = roster.observe(devices, Date.now(), isAnotherServer);
    if (changed.length > 0) hostReport.refreshSlots();
    this.#follow(changed);
    this.#dropped();
    const replugged = before === undefined ? [] : this.#reconnected(before, isAnotherServer);
    this.#parts.phoneEvents.listed(new Set(replugged));
    inBackground(this.#parts.collector.prove(), log);
  }

  /**
   * Collects the phones that have another connection than before.
   *
   * @returns those of them that were unplugged and plugged in again at the same place
   */
  #reconnected(before: ReadonlyMap<string, ListedDevice>, isAnotherServer: boolean): string[] {
    const { probePool, log } = this.#context;
    const replugged: string[] = [];
    for (const [udid, listed] of this.#connections()) {
      const was = before.get(udid);
      // what was being collected over the former connection has broken off
      const isReconnected = was !== undefined && was.transportId !== listed.transportId;
      const isLost = isAnotherServer && probePool.snapshot(udid) === undefined;
      if (isReconnected || isLost) inBackground(this.#collect(udid), log);
      if (isReconnected && !isAnotherServer && placeOf(was) === placeOf(listed)) replugged.push(udid);
    }
    return replugged;
  }

  /** Phones gave themselves another name or connection: nothing to debounce. */
  #renamed(devices: readonly RosterDevice[]): void {
    for (const device of devices) this.#debounce(device, 0);
  }

  /** What people say of a phone changed, as by maintenance: it is reported at once where its report changed. */
  remarked(udid: string): void {
    inBackground(this.#reportUnlessDebounced(udid), this.#context.log);
  }

  stop(): void {
    this.#debouncer.stop();
  }

  #follow(changed: readonly RosterDevice[]): void {
    const { timing, log } = this.#context;
    const { quietMs, quietOfflineMs } = timing;
    for (const device of changed) {
      this.#debounce(device, device.state === 'offline' ? quietOfflineMs : quietMs);
      if (device.state === 'device') inBackground(this.#collect(device.udid), log);
    }
  }

  /** Phones were forgotten to make room for others. */
  #dropped(): void {
    const { roster, observer, log } = this.#context;
    const { reportSource, collector, phoneEvents, sampler } = this.#parts;
    const dropped = roster.phones.takeDropped();
    phoneEvents.forgotten(dropped);
    sampler.forgotten(dropped);
    for (const udid of dropped) {
      reportSource.forget(udid);
      collector.forget(udid);
      observer.changed(udid);
    }
    const { beyond } = roster;
    if (!roster.phones.isFull) this.#fullLog.end();
    else if ((dropped.length > 0 || beyond > 0) && this.#fullLog.begin('full'))
      log.warn(
        { phones: roster.devices.length, ignored: beyond },
        'more phones than roster.maxPhones: unplugged ones expire before their time, further ones are ignored',
      );
  }

  /** @param quietMs how long the phone has to stay unchanged before it is reported */
  #debounce(device: RosterDevice, quietMs: number): void {
    const { roster, hostReport, observer } = this.#context;
    const { udid, attached } = device;
    if (attached) roster.phones.seat(udid, hostReport.portPathsOf(device));
    else this.#parts.collector.forget(udid);
    observer.changed(udid);
    this.#debouncer.touch(udid, quietMs);
  }

  /** The connection to each phone that is attached. */
  #connections(): Map<string, ListedDevice> {
    const { roster } = this.#context;
    return new Map(
      roster.devices.flatMap(({ udid, attached }) => {
        const listed = attached ? roster.listed(udid) : undefined;
        return listed ? [[udid, listed] as const] : [];
      }),
    );
  }

  /** Collects a phone that adb has just listed, and reports it where it changed. */
  async #collect(udid: string): Promise<void> {
    await this.#parts.collector.collect([udid]);
    await this.#reportUnlessDebounced(udid);
  }

  /** The same where adb's list may be old. */
  async #collectFresh(udid: string): Promise<void> {
    const collected = await this.#parts.collector.collectFresh([udid]);
    if (collected !== undefined) await this.#reportUnlessDebounced(udid);
  }

  async #reportUnlessDebounced(udid: string): Promise<void> {
    if (!this.#debouncer.isWaiting(udid)) await this.#report(udid);
  }

  /** Reports a phone that was debounced, where it changed. */
  async #report(udid: string): Promise<void> {
    const { probePool, save, timing, stopping, stopCollecting } = this.#context;
    const { reportSource, reporter } = this.#parts;
    if (probePool.isCollecting(udid))
      await Promise.race([probePool.collect(udid, stopCollecting), pause(timing.factsWaitMs)]);
    if (stopping.aborted || !reportSource.noteChange(udid)) return;
    await save(); // a restart must know what the cloud was sent
    await reporter?.some([udid]);
    await save();
  }
}
