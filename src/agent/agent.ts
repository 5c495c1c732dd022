/**
 * The daemon's loop: follows adb's list, has phones asked when they appear and in each round, and has the cloud
 * told: changes at once, everything on schedule.
 */

import type { Adb, ListedDevice } from '../adb/adb.ts';
import type { Machine } from '../cloud/contract.ts';
import type { Delivery } from '../cloud/delivery.ts';
import type { Logger } from '../log.ts';
import { present } from '../present.ts';
import type { PolicyRule } from '../report/policy.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import type { Collector } from './collector.ts';
import { followDevices } from './follower.ts';
import { Picture } from './picture.ts';
import { type Reported, Reporter } from './reporter.ts';
import { ReportSchedule } from './schedule.ts';
import { Settler } from './settler.ts';

export interface AgentOptions {
  nodeId: string;
  adb: Adb;
  roster: Roster;
  collector: Collector;
  rules: readonly PolicyRule[];
  /** Absent where no cloud is configured: then the phones are followed and nothing is reported. */
  delivery?: Delivery;
  readMachine(): Promise<Machine>;
  /** Writes the roster down. */
  save(): Promise<void>;
  schedule: string;
  refusedRetries: number;
  forgetAfterMs: number;
  /** Starts an adb server where there is none; absent where the lab wants none started. */
  startAdb?(): Promise<number | undefined>;
  /** Tell the cloud at the end that all phones are unplugged: for a host that is retired. */
  unplugOnStop: boolean;
  log: Logger;
}

const QUIET_MS = 250;
/** adbd is `offline` for a second or two when it restarts. */
const QUIET_OFFLINE_MS = 700;
const LONGEST_UNREST_MS = 5_000;
/** After a change the cloud hears of the phone so long after it came to rest, also when the phone is still being asked, ms. */
const FACTS_WAIT_MS = 400;
/** A full report waits so long for the phones; those that take longer are reported on their own. */
const ROUND_WAIT_MS = 10_000;
const START_ADB_EVERY_MS = 30_000;
const ASK_SOON_MS = 5_000;
const ASK_SOON_TIMES = 60;
/** A round in hand may go on so long after the agent was told to stop, ms. */
const STOP_ASKING_MS = 4_000;
const STOP_MS = 9_000;

export class Agent {
  readonly #options: AgentOptions;
  readonly #picture: Picture;
  readonly #schedule: ReportSchedule;
  readonly #settler: Settler;
  readonly #reporter: Reporter | undefined;
  readonly #stopping = new AbortController();
  readonly #stopAsking = new AbortController();
  readonly #soon = new Map<string, NodeJS.Timeout>();
  readonly #askedSoon = new Map<string, number>();
  /** How each phone was when the cloud (or, without one, the log) was last told. */
  readonly #told = new Map<string, string>();
  #following: Promise<void> | undefined;
  #round: Promise<void> | undefined;
  #adbTrouble: string | undefined;
  #startingAdb: Promise<void> | undefined;
  #hasListed = false;

  constructor(options: AgentOptions) {
    const { adb, roster, collector, rules, delivery, nodeId, log } = options;
    this.#options = options;
    this.#picture = new Picture({ roster, collector, rules, adbHost: adb.host, adbPort: adb.port });
    this.#schedule = new ReportSchedule({
      expression: options.schedule,
      nodeId,
      log,
      onDue: () => void this.round(),
    });
    this.#settler = new Settler({
      quietMs: QUIET_MS,
      longestMs: LONGEST_UNREST_MS,
      onSettled: (udid) => void this.#tell(udid),
    });
    this.#reporter =
      delivery &&
      new Reporter({
        nodeId,
        delivery,
        readMachine: options.readMachine,
        devices: (udids) => this.devices(udids),
        collect: async (udids) => void (await this.#collect(udids)),
        onStored: (udids) => roster.reported(udids),
        msToNext: () => this.#schedule.msToNext,
        refusedRetries: options.refusedRetries,
        log,
      });
  }

  /** The phones in the cloud's shape; undefined while adb cannot be asked. */
  devices(udids?: ReadonlySet<string>) {
    return this.#adbTrouble === undefined && this.#hasListed ? this.#picture.devices(udids) : undefined;
  }

  /** Begins to follow the phones; the first round runs as soon as adb has listed them, or could not be asked. */
  start(): void {
    const { adb, log } = this.#options;
    if (this.#reporter === undefined) log.warn('not reporting: no cloud configured');
    this.#schedule.start();
    this.#following = followDevices({
      adb,
      signal: this.#stopping.signal,
      onListing: (devices) => this.#onListing(devices),
      onLost: (error) => this.#onLost(error as Error),
    });
  }

  /** One round: asks all phones, builds the report, puts it, settles the answer. Joins the round in hand. Never throws. */
  round(): Promise<void> {
    this.#round ??= this.#runRound().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  /** Lets the round in hand end, within 10 s, and stops. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#schedule.stop();
    this.#settler.stop();
    for (const timer of this.#soon.values()) clearTimeout(timer);
    const asking = setTimeout(() => this.#stopAsking.abort(), STOP_ASKING_MS);
    const inHand = Promise.all([this.#round, this.#following]);
    await Promise.race([inHand, pause(STOP_MS)]);
    clearTimeout(asking);
    this.#stopAsking.abort();
    if (this.#options.unplugOnStop && this.#reporter) {
      this.#options.roster.observe([], Date.now());
      await Promise.race([this.#reporter.full(), pause(STOP_MS)]);
    }
    await this.#reporter?.stop();
    await this.#save();
  }

  #onListing(devices: ListedDevice[]): void {
    const { roster, log, collector } = this.#options;
    if (this.#adbTrouble !== undefined) log.info('the adb server answers again');
    const isFirst = !this.#hasListed;
    const wasLost = this.#adbTrouble !== undefined;
    this.#adbTrouble = undefined;
    this.#hasListed = true;
    this.#observe(() => roster.observe(devices, Date.now()));
    for (const device of devices) if (device.state !== 'device') collector.drop(device);
    if (isFirst || wasLost) void this.round();
  }

  #onLost(error: Error): void {
    this.#startAdb();
    if (error.message === this.#adbTrouble) return;
    this.#adbTrouble = error.message;
    this.#options.log.error({ err: error }, 'the adb server cannot be asked');
    if (!this.#hasListed) void this.round(); // the host itself is there
  }

  #startAdb(): void {
    const { startAdb, log } = this.#options;
    this.#startingAdb ??= startAdb?.()
      .then((pid) => pid !== undefined && log.warn({ pid }, 'started an adb server'))
      .catch((error) => log.error({ err: error }, 'no adb server could be started'))
      .then(() => pause(START_ADB_EVERY_MS))
      .then(() => {
        this.#startingAdb = undefined;
      });
  }

  /** Lets something happen to the roster and follows up what it changed. */
  #observe(change: () => void): void {
    const { roster } = this.#options;
    const before = new Map(roster.devices.map((device) => [device.udid, device]));
    change();
    for (const device of roster.devices) {
      const was = before.get(device.udid);
      if (was !== undefined && connectionText(was) === connectionText(device)) continue;
      if (was === undefined && !device.attached) continue;
      this.#settler.touch(device.udid, device.state === 'offline' ? QUIET_OFFLINE_MS : QUIET_MS);
      if (device.state === 'device') void this.#askChanged(device.udid);
    }
  }

  /** Asks a phone that has just come and tells the cloud what it said. */
  async #askChanged(udid: string): Promise<void> {
    await this.#collect([udid]);
    if (!this.#settler.isWaiting(udid)) await this.#tell(udid);
  }

  /** Asks phones, and follows up what that changes: a name, a phone that is still starting. */
  async #collect(udids: readonly string[]): Promise<{ asked: number; failed: number }> {
    const { roster, collector } = this.#options;
    const wanted = udids
      .flatMap((udid) => roster.get(udid) ?? [])
      .filter((device) => !this.#picture.isIgnored(device));
    const collected = await Promise.all(
      wanted.map(async ({ udid }) => {
        const place = roster.listed(udid);
        const result = await this.#watched(() => collector.collect(udid, this.#stopAsking.signal));
        if (result.askSoon && place) this.#askSoon(udid);
        else this.#askedSoon.delete(udid);
        return result;
      }),
    );
    const asked = collected.filter(({ snapshot, error }) => snapshot || error);
    return { asked: asked.length, failed: asked.filter(({ error }) => error).length };
  }

  /** What a phone tells of itself may give it another name. */
  async #watched<T>(collect: () => Promise<T>): Promise<T> {
    const { roster } = this.#options;
    const before = new Set(roster.devices.map(({ udid }) => udid));
    const result = await collect();
    for (const { udid } of roster.devices) if (!before.has(udid)) this.#settler.touch(udid, 0);
    return result;
  }

  /** A phone that is still starting, or broke off, is asked again before the next round. */
  #askSoon(udid: string): void {
    const times = this.#askedSoon.get(udid) ?? 0;
    if (times >= ASK_SOON_TIMES || this.#soon.has(udid) || this.#stopping.signal.aborted) return;
    this.#askedSoon.set(udid, times + 1);
    const timer = setTimeout(() => {
      this.#soon.delete(udid);
      void this.#askChanged(udid);
    }, ASK_SOON_MS);
    this.#soon.set(udid, timer);
  }

  /** A phone has come to rest: says how it is, where that is news. */
  async #tell(udid: string): Promise<void> {
    const { roster, collector, log } = this.#options;
    if (collector.isAsking(udid)) {
      await Promise.race([collector.collect(udid, this.#stopAsking.signal), pause(FACTS_WAIT_MS)]);
    }
    const device = roster.get(udid);
    if (device === undefined || this.#stopping.signal.aborted || this.#picture.isIgnored(device)) return;
    const facts = collector.facts(udid);
    const text = `${connectionText(device)} ${Object.keys(facts).length > 0} ${facts.boot?.bootCompleted ?? ''}`;
    if (this.#told.get(udid) === text) return;
    this.#sayChange(device);
    this.#told.set(udid, text);
    if (this.#reporter === undefined) return void (await this.#save());
    const reported = await this.#reporter.some([udid]);
    if (reported.kind === 'stored') log.debug({ udid, state: device.state }, 'change reported');
    await this.#save();
  }

  #sayChange(device: RosterDevice): void {
    const { udid, state, serial, attached } = device;
    if (this.#told.get(udid)?.startsWith(`${connectionText(device)} `)) return;
    const [info] = this.#picture.devices(new Set([udid]));
    const message = info?.message === '' ? undefined : info?.message;
    this.#options.log.info(
      present({ udid, serial, state, name: info?.deviceName, todo: message }),
      attached ? 'phone attached' : 'phone gone',
    );
  }

  async #runRound(): Promise<void> {
    const { roster, log, forgetAfterMs } = this.#options;
    const startedAt = performance.now();
    for (const udid of roster.forget(Date.now() - forgetAfterMs)) {
      this.#told.delete(udid);
      log.info({ udid }, 'phone forgotten');
    }
    const { asked, failed } = await this.#collectInTime();
    const reported = await this.#reporter?.full();
    for (const device of roster.devices) {
      const facts = this.#options.collector.facts(device.udid);
      if (reported?.kind === 'stored') {
        this.#sayChange(device);
        const hasFacts = Object.keys(facts).length > 0;
        this.#told.set(
          device.udid,
          `${connectionText(device)} ${hasFacts} ${facts.boot?.bootCompleted ?? ''}`,
        );
      }
    }
    await this.#save();
    log.info(
      {
        attached: roster.devices.filter(({ attached }) => attached).length,
        known: roster.devices.length,
        asked,
        failed,
        ...outcomeOf(reported),
        durationMs: Math.round(performance.now() - startedAt),
      },
      'round',
    );
  }

  /** Asks all phones; those that take too long are reported on their own when they are done. */
  async #collectInTime(): Promise<{ asked: number; failed: number }> {
    const { roster, collector } = this.#options;
    const online = roster.devices.filter(({ state }) => state === 'device').map(({ udid }) => udid);
    const all = this.#collect(online);
    const inTime = await Promise.race([all, pause(ROUND_WAIT_MS)]);
    if (inTime) return inTime;
    const late = online.filter((udid) => collector.isAsking(udid));
    for (const udid of late)
      void collector.collect(udid, this.#stopAsking.signal).then(() => this.#reporter?.some([udid]));
    return { asked: online.length, failed: late.length };
  }

  async #save(): Promise<void> {
    await this.#options.save();
  }
}

/** How a phone is connected, as far as a change of it is news. */
const connectionText = ({ attached, state, reason = '', serial, devpath = '' }: RosterDevice): string =>
  JSON.stringify([attached, state, reason, serial, devpath]);

function outcomeOf(reported: Reported | undefined) {
  switch (reported?.kind) {
    case undefined:
      return { reported: 'no cloud configured' };
    case 'stored':
      return { reported: reported.devices, refused: reported.refused };
    case 'superseded':
      return { reported: 'superseded' };
    case 'failed':
      return { reported: 'failed' };
  }
}

const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
