/** Collects phones: several at the same time, up to a limit, but each phone in one conversation at a time. */
import pLimit from 'p-limit';
import type { ListedDevice } from '../adb/adb.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { yieldToLoop } from '../base/time.ts';
import type { Facts } from '../facts/index.ts';
import { PhoneProbe, type PhoneProbeOptions } from '../probe/phone-probe.ts';
import type { Snapshot } from '../probe/snapshot.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import { placeOf } from '../roster/udid.ts';
import type { FreshList } from './fresh-list.ts';
import { ProbeLog } from './probe-log.ts';
import { markUnproven, type ProbedPhone, ProbedPhones } from './probed-phones.ts';

export interface ProbePoolOptions extends Omit<PhoneProbeOptions, 'slowSections' | 'parsers'> {
  roster: Roster;
  clockStep: ClockStep;
  /** Phones that are collected at the same time. */
  concurrency: number;
  log: Logger;
}

export interface Collected {
  /** The snapshot, which may be the last good one. */
  snapshot?: Snapshot;
  /** Why there is no fresh one. */
  error?: Error;
  /** The phone is still starting, locked, or broke off: it is worth collecting again soon. */
  collectSoon: boolean;
  /** The phones whose name or connection changed. */
  changed: readonly RosterDevice[];
}

/** How long the last facts of a phone count after it fell silent, ms. */
const FACTS_OUTLIVE_SILENCE_MS = 5 * 60_000;
/** A single silence may be a hiccup. */
const SILENT_TIMES = 2;

const NOT_COLLECTED: Collected = { collectSoon: false, changed: [] };

export class ProbePool {
  readonly #options: ProbePoolOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #phones = new ProbedPhones();
  readonly #collecting = new Map<ProbedPhone, Promise<Collected>>();
  #freshList: FreshList | undefined;

  constructor(options: ProbePoolOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
  }

  /** From now on, adb's list is read again if it is not certain which phone answered. */
  listedBy(freshList: FreshList): void {
    this.#freshList = freshList;
  }

  /** The facts of a phone that is attached and online; empty while they are not known. */
  facts(udid: string): Facts {
    return this.snapshot(udid)?.facts ?? {};
  }

  snapshot(udid: string): Snapshot | undefined {
    const { current, silence } = this.#online(udid) ?? {};
    const isStale = silence && performance.now() - silence.since > FACTS_OUTLIVE_SILENCE_MS;
    return isStale ? undefined : current;
  }

  /** adb calls it `device`, and it does not answer. */
  isSilent(udid: string): boolean {
    return (this.#online(udid)?.silence?.times ?? 0) >= SILENT_TIMES;
  }

  #online(udid: string): ProbedPhone | undefined {
    const listed = this.#options.roster.listed(udid);
    return listed?.state === 'device' ? this.#phones.at(listed) : undefined;
  }

  isCollecting(udid: string): boolean {
    const listed = this.#options.roster.listed(udid);
    const phone = listed && this.#phones.at(listed);
    return phone !== undefined && this.#collecting.has(phone);
  }

  observe(devices: readonly ListedDevice[], isAnotherServer = false): void {
    this.#phones.observe(devices, isAnotherServer);
  }

  /** Collects one phone; joins the conversation that is under way. Never throws. */
  collect(udid: string, signal: AbortSignal): Promise<Collected> {
    const listed = this.#options.roster.listed(udid);
    return listed === undefined ? Promise.resolve(NOT_COLLECTED) : this.collectAt(listed, signal);
  }

  /** The same over this connection, even if the phone has a better one. */
  collectAt(listed: ListedDevice, signal: AbortSignal): Promise<Collected> {
    if (listed.state !== 'device') return Promise.resolve(NOT_COLLECTED);
    const phone = this.#phones.at(listed) ?? this.#phones.add(listed, this.#newPhone(listed));
    const collecting =
      this.#collecting.get(phone) ??
      this.#collectAsListed(phone, listed, signal).finally(() => this.#collecting.delete(phone));
    this.#collecting.set(phone, collecting);
    return collecting;
  }

  #newPhone(listed: ListedDevice): ProbedPhone {
    const slowSections = this.#options.roster.slowSectionsAt(listed);
    const probe = new PhoneProbe({ ...this.#options, ...omitUndefined({ slowSections }) });
    return { probe, connection: 0, probeLog: new ProbeLog(this.#options) };
  }

  /** Collects a phone; again if it was unplugged and plugged back in meanwhile. */
  async #collectAsListed(phone: ProbedPhone, before: ListedDevice, signal: AbortSignal): Promise<Collected> {
    for (;;) {
      const { connection } = phone;
      const collected = await this.#converse(phone, before, signal);
      if (phone.connection === connection || signal.aborted) return collected;
    }
  }

  /** Many phones wait for one list: each goes on in a turn of its own. */
  async #isListReread(): Promise<boolean> {
    const isListed = (await this.#freshList?.read()) ?? true;
    await yieldToLoop();
    return isListed;
  }

  async #converse(phone: ProbedPhone, before: ListedDevice, signal: AbortSignal): Promise<Collected> {
    const { roster, deadlineMs } = this.#options;
    let [listed, connection, startedAt] = [before, phone.connection, performance.now()];
    // a phone that hangs is collected in the next round: sooner would not help
    const brokeOff = () => performance.now() - startedAt < deadlineMs;
    try {
      const snapshot = await this.#limit(async () => {
        // it may have waited long for its turn: then the list is too old
        const isListed = this.#phones.isListFresh || (await this.#isListReread());
        const now = isListed ? this.#phones.relisted(phone, before) : undefined;
        if (now === undefined) return undefined;
        if (this.#phones.mayBeSwapped(phone, now)) markUnproven(phone);
        [listed, connection, startedAt] = [now, phone.connection, performance.now()];
        return phone.probe.collect(now, signal);
      });
      if (snapshot === undefined) return NOT_COLLECTED;
      const isListed = this.#phones.isCertain(phone, listed, snapshot) || (await this.#isListReread());
      if (!isListed || phone.connection !== connection) {
        phone.probe.forget(); // it is not certain which phone answered
        return NOT_COLLECTED;
      }
      const changed = this.#attribute(phone, listed, snapshot);
      phone.probeLog.read(this.#nameOf(listed), snapshot);
      const isEmpty = Object.keys(snapshot.facts).length === 0; // no answer could be parsed
      this.#noteSilence(phone, snapshot.broken !== undefined || isEmpty);
      if (snapshot.broken !== undefined) return { snapshot, collectSoon: brokeOff(), changed };
      const { boot } = snapshot.facts;
      return { snapshot, collectSoon: boot?.bootCompleted === false || boot?.dataLocked === true, changed };
    } catch (error) {
      if (phone.connection !== connection) return NOT_COLLECTED;
      this.#noteSilence(phone, !signal.aborted);
      if (!signal.aborted) phone.probeLog.lost(this.#nameOf(listed), error as Error, phone.current);
      return omitUndefined({
        snapshot: phone.current,
        error: error as Error,
        collectSoon: brokeOff(),
        changed: signal.aborted ? [] : roster.silent(listed, Date.now()),
      });
    } finally {
      roster.noteSlow(listed, phone.probe.slowSections);
    }
  }

  /** A phone with the same serial may have changed its name meanwhile. */
  #nameOf(listed: ListedDevice): string {
    return this.#options.roster.udidAt(listed) ?? placeOf(listed);
  }

  /**
   * Once the phone has identified itself over this connection, the facts are its own: first they decide its name, then
   * they count under that name. A phone that has never identified itself has the name of its place.
   *
   * @returns the phones whose name or connection changed
   */
  #attribute(phone: ProbedPhone, listed: ListedDevice, snapshot: Snapshot): readonly RosterDevice[] {
    const { roster, clockStep } = this.#options;
    const { boot, identity, name, battery } = snapshot.facts;
    const wasProven = phone.isProven === true;
    if (boot?.bootId !== undefined) phone.bootId = boot.bootId;
    phone.isProven = wasProven || identity !== undefined;
    if (!phone.isProven && roster.isKnown(listed)) return roster.silent(listed, Date.now());
    if (snapshot.broken !== undefined && wasProven) {
      phone.current = snapshot; // it has the last good facts
      return [];
    }
    clockStep.check();
    const uptimeAt = snapshot.uptimeReadAt && onHostClock(snapshot.uptimeReadAt);
    const changed = roster.learn(
      listed,
      omitUndefined({ identity, name, boot, uptimeAt, battery }),
      Date.now(),
    );
    phone.current = snapshot;
    return identity === undefined ? [...changed, ...roster.silent(listed, Date.now())] : changed;
  }

  #noteSilence(phone: ProbedPhone, isSilent: boolean): void {
    if (!isSilent) delete phone.silence;
    else
      phone.silence = {
        times: (phone.silence?.times ?? 0) + 1,
        since: phone.silence?.since ?? performance.now(),
      };
  }
}

/** Converts a time of the monotonic clock, ms, to the host's clock as it is set now, ms since the epoch. */
const onHostClock = (at: number): number => Date.now() - (performance.now() - at);
