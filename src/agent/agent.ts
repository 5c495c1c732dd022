/**
 * The daemon's loop: follows adb's list, has phones asked when they appear and in each round, and has the cloud
 * told: changes at once, everything on schedule.
 */

import type { Adb, ListedDevice } from '../adb/adb.ts';
import type { DeviceInfo, Machine } from '../cloud/contract.ts';
import type { Delivery } from '../cloud/delivery.ts';
import type { Logger } from '../log.ts';
import { present } from '../present.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import { AdbLink } from './adb-link.ts';
import { Asker } from './asker.ts';
import type { Collector } from './collector.ts';
import { followDevices } from './follower.ts';
import type { AgentHealth } from './health.ts';
import { News } from './news.ts';
import type { AgentObserver, RoundSummary } from './observer.ts';
import type { Picture } from './picture.ts';
import { Reporter } from './reporter.ts';
import { Rounds } from './rounds.ts';
import { ReportSchedule } from './schedule.ts';
import { Settler } from './settler.ts';
import { type AgentTiming, pause, standardTiming } from './timing.ts';
import type { AgentView } from './view.ts';

export interface AgentOptions {
  nodeId: string;
  adb: Adb;
  roster: Roster;
  collector: Collector;
  picture: Picture;
  /** Absent where no cloud is configured: then the phones are followed and nothing is reported. */
  delivery?: Delivery;
  /** Why there is no `delivery`, where that is not for want of a cloud. */
  notReporting?: string;
  readMachine(): Promise<Machine>;
  /** Writes the roster down. */
  save(): Promise<void>;
  /** Closes the connections that are kept open, when the agent has stopped. */
  close?(): void;
  schedule: string;
  refusedRetries: number;
  forgetAfterMs: number;
  /** Starts an adb server where there is none; absent where the lab wants none started. */
  startAdb?(signal: AbortSignal): Promise<number | undefined>;
  /** Tell the cloud at the end that all phones are unplugged: for a host that is retired. */
  unplugOnStop: boolean;
  timing?: Partial<AgentTiming>;
  /** Is told what happens. */
  observer?: AgentObserver;
  log: Logger;
}

/** Why the cloud did not take a report. */
export interface ReportFailure {
  failure: string;
}

const NO_CLOUD = 'no cloud configured';

const nobody: AgentObserver = { changed() {}, asked() {}, round() {}, sent() {} };

export class Agent {
  readonly #options: AgentOptions;
  readonly #timing: AgentTiming;
  readonly #observer: AgentObserver;
  readonly #picture: Picture;
  readonly #schedule: ReportSchedule;
  readonly #settler: Settler;
  readonly #asker: Asker;
  readonly #reporter: Reporter | undefined;
  readonly #rounds: Rounds;
  readonly #news: News;
  readonly #link: AdbLink;
  readonly #stopping = new AbortController();
  readonly #stopAsking = new AbortController();
  /** Those who wait for a report. */
  readonly #onFailed = new Set<(failure: string) => void>();
  #following: Promise<void> | undefined;
  #isFollowing = false;

  constructor(options: AgentOptions) {
    const { roster, collector, picture, delivery, nodeId, log } = options;
    this.#options = options;
    this.#timing = { ...standardTiming, ...options.timing };
    const observer = options.observer ?? nobody;
    this.#observer = observer;
    this.#news = new News(log);
    this.#link = new AdbLink({
      ...options,
      ...this.#timing,
      readVersion: (signal) => options.adb.version(signal),
      onChanged: () => observer.changed(),
      signal: this.#stopping.signal,
    });
    this.#picture = picture;
    this.#schedule = new ReportSchedule({
      expression: options.schedule,
      nodeId,
      onDue: () => void this.round(),
    });
    this.#settler = new Settler({
      quietMs: this.#timing.quietMs,
      longestMs: this.#timing.longestUnrestMs,
      onSettled: (udid) => this.#inBackground(this.#tell(udid)),
    });
    this.#asker = new Asker({
      roster,
      collector,
      timing: this.#timing,
      signal: this.#stopAsking.signal,
      isIgnored: (device) => this.#picture.isIgnored(device),
      onChanged: (devices) => this.#follow(devices, 0),
      onSoon: (udid) => this.#inBackground(this.#askChanged(udid)),
      observer,
    });
    this.#reporter =
      delivery &&
      new Reporter({
        nodeId,
        delivery,
        readMachine: options.readMachine,
        devices: (udids) => this.#tellable(udids),
        knownUdids: () => new Set(roster.devices.map(({ udid }) => udid)),
        collect: async (udids) => void (await this.#asker.ask(udids)),
        onStored: (devices) => this.#onStored(devices),
        msToNext: () => this.#schedule.msToNext,
        refusedRetries: options.refusedRetries,
        firstRefusalDelayMs: this.#timing.firstRefusalDelayMs,
        observer,
        onFailed: (failure) => {
          for (const onFailed of this.#onFailed) onFailed(failure);
        },
        log,
      });
    this.#rounds = new Rounds({
      ...options,
      asker: this.#asker,
      news: this.#news,
      ...(this.#reporter && { reporter: this.#reporter }),
      isAdbLost: () => this.#link.state === 'lost',
      isIgnored: (device) => this.#picture.isIgnored(device),
      waitMs: () => Math.min(this.#timing.roundWaitMs, this.#schedule.periodMs / 2),
      signal: this.#stopAsking.signal,
      observer,
    });
  }

  /** The phones in the cloud's shape; undefined while adb cannot be asked. */
  devices(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    return this.#link.state === 'listed' ? this.#picture.devices(udids) : undefined;
  }

  /** Resolves when adb has listed its phones for the first time. */
  get firstListing(): Promise<void> {
    return this.#link.firstListing;
  }

  /** Does it follow the phones, with no round past its own deadline? The cloud has no part in that. */
  get isProgressing(): boolean {
    return this.#stopping.signal.aborted || (this.#isFollowing && !this.#rounds.isOverdue);
  }

  /** How it is doing, for those who look on. */
  get health(): AgentHealth {
    const { roster, collector, notReporting = NO_CLOUD } = this.#options;
    const attached = roster.devices.filter((device) => device.attached && !this.#picture.isIgnored(device));
    return {
      adb: this.#link.state,
      phones: attached.map(({ udid, state }) => {
        if (state !== 'device') return state;
        if (collector.isSilent(udid)) return 'silent';
        return collector.snapshot(udid) ? 'answers' : 'not asked yet';
      }),
      reports: this.#reporter?.health ?? { notReporting },
    };
  }

  /** All of it as it is now, for those who look on. */
  get view(): AgentView {
    const { nodeId, roster, collector, notReporting = NO_CLOUD } = this.#options;
    const infos = new Map(this.#picture.devices().map((info) => [info.udid, info]));
    return {
      nodeId,
      adb: this.#link.view,
      reports: this.#reporter?.health ?? { notReporting },
      nextReportMs: this.#schedule.msToNext,
      phones: roster.devices.flatMap((device) => {
        const info = infos.get(device.udid);
        if (info === undefined || device.supersededBy !== undefined || this.#picture.isIgnored(device))
          return [];
        return [
          present({
            device,
            info,
            slot: this.#picture.slotOf(device),
            snapshot: collector.snapshot(device.udid),
            isSilent: collector.isSilent(device.udid),
            refused: this.#reporter?.refusal(device.udid),
          }),
        ];
      }),
    };
  }

  /** Begins to follow the phones; the first round runs as soon as adb has listed them, or could not be asked. */
  start(): void {
    const { adb, log, notReporting = NO_CLOUD } = this.#options;
    const { relistMs, recoveryMs } = this.#timing;
    if (this.#reporter === undefined) log.warn(`not reporting: ${notReporting}`);
    this.#schedule.start();
    this.#isFollowing = true;
    this.#following = followDevices({
      adb,
      signal: this.#stopping.signal,
      relistMs,
      recoveryMs,
      onListing: (devices) => this.#onListing(devices),
      onLost: (error) => {
        if (this.#link.lost(error as Error)) void this.round(); // the host itself is there
      },
    }).finally(() => {
      this.#isFollowing = false;
    });
    this.#inBackground(this.#following);
  }

  /** One round, out of turn; joins a round that still asks the phones. Never throws. */
  round(): Promise<RoundSummary | undefined> {
    return this.#stopping.signal.aborted ? Promise.resolve(undefined) : this.#rounds.run();
  }

  /** A round out of turn for somebody who waits: a report that fails is told at once, although it is tried again. */
  report(): Promise<RoundSummary | ReportFailure | undefined> {
    return this.#orFailure(this.round());
  }

  /**
   * Forgets a phone that was unplugged now and not in some days, once the cloud has stored that it is gone.
   *
   * @returns why it is still known, where it is: because it is attached, or the cloud has not stored that it is gone
   */
  async forget(udid: string): Promise<'attached' | ReportFailure | undefined> {
    const { roster, save } = this.#options;
    const device = roster.get(udid);
    if (device?.attached) return 'attached';
    this.#rounds.forget(Number.POSITIVE_INFINITY, udid);
    if (roster.get(udid) !== undefined) {
      const told = this.#reporter && (await this.#orFailure(this.#reporter.some([udid])));
      if (told !== undefined && 'failure' in told) return told;
      this.#rounds.forget(Number.POSITIVE_INFINITY, udid);
    }
    const kept = roster.get(udid);
    if (kept?.attached) return 'attached';
    if (kept) return { failure: this.#reporter?.refusal(udid) ?? 'it has not stored that the phone is gone' };
    await save();
    return undefined;
  }

  /** What comes first: the end of this, or an attempt to report that fails. */
  async #orFailure<T>(work: Promise<T>): Promise<T | ReportFailure> {
    const failed = Promise.withResolvers<ReportFailure>();
    const onFailed = (failure: string) => failed.resolve({ failure });
    this.#onFailed.add(onFailed);
    try {
      return await Promise.race([work, failed.promise]);
    } finally {
      this.#onFailed.delete(onFailed);
    }
  }

  /**
   * Lets the round in hand end, within 10 s, and stops.
   *
   * @param isFinal no other agent takes over: a host that is retired tells the cloud so
   */
  async stop({ isFinal = true } = {}): Promise<void> {
    const { close } = this.#options;
    const unplugOnStop = isFinal && this.#options.unplugOnStop;
    const { stopMs, stopAskingMs } = this.#timing;
    const endsAt = performance.now() + stopMs;
    this.#stopping.abort();
    this.#schedule.stop();
    this.#settler.stop();
    this.#asker.stop();
    this.#reporter?.finish();
    const asking = setTimeout(() => this.#stopAsking.abort(), Math.min(stopAskingMs, stopMs));
    const inHand = Promise.all([this.#rounds.inHand(), this.#following]);
    await Promise.race([inHand, pause(unplugOnStop ? stopMs / 2 : stopMs)]);
    clearTimeout(asking);
    this.#stopAsking.abort();
    if (unplugOnStop) await Promise.race([this.#tellUnplugged(), pause(endsAt - performance.now())]);
    await this.#reporter?.stop();
    await this.#options.save();
    close?.();
  }

  async #tellUnplugged(): Promise<void> {
    this.#options.roster.observe([], Date.now());
    this.#link.retire();
    await this.#reporter?.full();
  }

  #onListing(devices: ListedDevice[]): void {
    const { roster, collector } = this.#options;
    collector.observe(devices);
    const before = this.#connections();
    const changed = roster.observe(devices, Date.now());
    if (changed.length > 0) this.#picture.refreshSlots();
    const isNew = this.#link.listed(roster.nameless.length);
    this.#follow(changed);
    for (const [udid, transportId] of this.#connections()) {
      // what was being asked over the former connection has broken off
      if (before.has(udid) && before.get(udid) !== transportId) this.#inBackground(this.#askChanged(udid));
    }
    if (isNew) void this.round();
  }

  /** The number of the connection to each phone that is attached. */
  #connections(): Map<string, number | undefined> {
    const { roster } = this.#options;
    const attached = roster.devices.filter((device) => device.attached);
    return new Map(attached.map(({ udid }) => [udid, roster.listed(udid)?.transportId]));
  }

  /** Follows up what changed: waits until the phones come to rest, and asks those that are online. */
  #follow(changed: readonly RosterDevice[], restMs?: number): void {
    const { quietMs, quietOfflineMs } = this.#timing;
    for (const { udid, state, attached } of changed) {
      this.#observer.changed(udid);
      if (!attached) this.#asker.forget(udid);
      this.#settler.touch(udid, restMs ?? (state === 'offline' ? quietOfflineMs : quietMs));
      if (state === 'device' && restMs === undefined) this.#inBackground(this.#askChanged(udid));
    }
  }

  /** Asks a phone and tells what it said, where that is news. */
  async #askChanged(udid: string): Promise<void> {
    await this.#asker.ask([udid]);
    if (!this.#settler.isWaiting(udid)) await this.#tell(udid);
  }

  /** A phone has come to rest: tells how it is, where that is news. */
  async #tell(udid: string): Promise<void> {
    const { collector, save } = this.#options;
    if (collector.isAsking(udid)) {
      await Promise.race([collector.collect(udid, this.#stopAsking.signal), pause(this.#timing.factsWaitMs)]);
    }
    if (this.#stopping.signal.aborted) return;
    const [info] = this.devices(new Set([udid])) ?? [];
    if (info === undefined || !this.#isNews(info)) return;
    await save(); // what the cloud hears of must not be forgotten
    await this.#reporter?.some([udid]);
    await save();
  }

  /** Notes how the phone is told of. */
  #isNews(info: DeviceInfo): boolean {
    const { roster, collector } = this.#options;
    const hasFacts = Object.keys(collector.facts(info.udid)).length > 0;
    const device = roster.get(info.udid);
    const slot = device && this.#picture.slotOf(device);
    return this.#news.note(info, device?.serial ?? '', hasFacts, slot);
  }

  /** The phones for a report that is about to be sent. */
  #tellable(udids?: ReadonlySet<string>): DeviceInfo[] | undefined {
    const devices = this.devices(udids);
    for (const info of devices ?? []) this.#isNews(info);
    this.#options.roster.announced(devices?.map(({ udid }) => udid) ?? []);
    return devices;
  }

  /** The cloud has stored these. A name that it was told is gone for good is forgotten here too. */
  #onStored(devices: readonly DeviceInfo[]): void {
    const { roster } = this.#options;
    roster.stored(devices);
    for (const { udid } of devices) if (roster.get(udid) === undefined) this.#news.forget(udid);
  }

  /** Nothing that is not waited for may end the process. */
  #inBackground(work: Promise<void>): Promise<void> {
    return work.catch((error) => this.#options.log.error({ err: error }, 'this should not have happened'));
  }
}
