/** Collects phones: several at the same time, up to a limit, but each phone in one conversation at a time. */
import pLimit from 'p-limit';
import type { ListedDevice } from '../adb/adb.ts';
import { uptimeMs } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { within, yieldToLoop } from '../base/time.ts';
import type { Facts } from '../facts/index.ts';
import { PhoneProbe, type PhoneProbeOptions } from '../probe/phone-probe.ts';
import type { Snapshot } from '../probe/snapshot.ts';
import type { ClockStep } from '../roster/clock-step.ts';
import type { RosterDevice } from '../roster/device.ts';
import type { Roster } from '../roster/roster.ts';
import { placeOf } from '../roster/udid.ts';
import { type Collected, markUnproven, type ProbedPhone, ProbedPhones, ProbeLog } from './probed-phones.ts';

export interface ProbePoolOptions extends PhoneProbeOptions {
  roster: Roster;
  clockStep: ClockStep;
  /** Phones that are collected at the same time, beside those that take long. */
  concurrency: number;
  /** And with those: each has a connection of its own. Default: no limit. */
  mostConnections?: number;
  log: Logger;
}

/** Has adb's list read again, because it is not certain which phone answered. @returns whether it could be read */
export type Relist = () => Promise<boolean>;

const FACTS_OUTLIVE_SILENCE_MS = 5 * 60_000;
/** How long a phone that does not end keeps others waiting, ms. */
const TURN_MS = 5_000;
/** A single silence may be a hiccup. */
const SILENT_TIMES = 2;

const NOT_COLLECTED: Collected = { collectSoon: false, changed: [] };
/** Nobody tracks the list. */
const asListed: Relist = async () => true;

export class ProbePool {
  readonly #options: ProbePoolOptions;
  readonly #limit: ReturnType<typeof pLimit>;
  /** For those that were silent last time. */
  readonly #limitOfSilent: ReturnType<typeof pLimit>;
  readonly #connections: ReturnType<typeof pLimit>;
  readonly #phones = new ProbedPhones();

  constructor(options: ProbePoolOptions) {
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
    this.#limitOfSilent = pLimit(options.concurrency);
    this.#connections = pLimit(options.mostConnections ?? Number.POSITIVE_INFINITY);
  }

  /** The facts of a phone that is attached and online; empty while they are not known. */
  facts(udid: string): Facts {
    return this.snapshot(udid)?.facts ?? {};
  }

  snapshot(udid: string): Snapshot | undefined {
    const { current, silence } = this.#online(udid) ?? {};
    const isStale = silence && uptimeMs() - silence.since > FACTS_OUTLIVE_SILENCE_MS;
    return isStale ? undefined : current;
  }

  /** adb calls it `device`, and it does not answer. */
  isSilent(udid: string): boolean {
    return this.silentSince(udid) !== undefined;
  }

  /** Since when that is so, ms since the epoch; undefined of any other phone. */
  silentSince(udid: string): number | undefined {
    const { times, since } = this.#online(udid)?.silence ?? { times: 0, since: 0 };
    return times < SILENT_TIMES ? undefined : onHostClock(since);
  }

  #online(udid: string): ProbedPhone | undefined {
    const listed = this.#options.roster.listed(udid);
    return listed?.state === 'device' ? this.#phones.at(listed) : undefined;
  }

  observe(devices: readonly ListedDevice[], isAnotherServer = false): void {
    this.#phones.observe(devices, isAnotherServer);
  }

  /** The conversation with this phone that is under way; it never rejects. */
  collecting(udid: string): Promise<Collected> | undefined {
    const listed = this.#options.roster.listed(udid);
    return listed && this.#phones.at(listed)?.collecting;
  }

  /** Collects one phone; joins the conversation that is under way. Never throws. */
  collect(udid: string, signal: AbortSignal, relist = asListed): Promise<Collected> {
    const listed = this.#options.roster.listed(udid);
    return listed === undefined ? Promise.resolve(NOT_COLLECTED) : this.collectAt(listed, signal, relist);
  }

  /** The same over this connection, even if the phone has a better one. */
  collectAt(listed: ListedDevice, signal: AbortSignal, relist = asListed): Promise<Collected> {
    if (listed.state !== 'device') return Promise.resolve(NOT_COLLECTED);
    const phone = this.#phones.at(listed) ?? this.#phones.add(listed, this.#newPhone());
    phone.collecting ??= this.#collectAsListed(phone, listed, signal, relist).finally(() => {
      delete phone.collecting;
    });
    return phone.collecting;
  }

  #newPhone(): ProbedPhone {
    const { sections, log } = this.#options;
    const probe = new PhoneProbe(this.#options);
    return { probe, connection: 0, probeLog: new ProbeLog(sections, log) };
  }

  /** Collects a phone; again if it was unplugged and plugged back in meanwhile. */
  async #collectAsListed(
    phone: ProbedPhone,
    before: ListedDevice,
    signal: AbortSignal,
    relist: Relist,
  ): Promise<Collected> {
    for (;;) {
      const { connection } = phone;
      const collected = await this.#converse(phone, before, signal, relist);
      if (phone.connection === connection || signal.aborted) return collected;
    }
  }

  /**
   * Does this once it is the phone's turn. One that was silent last time waits only for others like it, and one that takes
   * long gives its turn back: it goes on, and keeps nobody waiting.
   */
  async #inTurn<T>(phone: ProbedPhone, work: () => Promise<T>): Promise<T> {
    return await this.#connections(async () => {
      const limit = phone.silence ? this.#limitOfSilent : this.#limit;
      const { done } = await limit(async () => {
        const begun = { done: work() };
        await within(
          TURN_MS,
          begun.done.catch(() => {}),
        );
        return begun;
      });
      return await done;
    });
  }

  async #converse(
    phone: ProbedPhone,
    before: ListedDevice,
    signal: AbortSignal,
    relist: Relist,
  ): Promise<Collected> {
    const { roster, deadlineMs } = this.#options;
    let began = { listed: before, connection: phone.connection, at: performance.now() };
    // a phone that hangs or floods is collected in the next round: sooner would not help
    const brokeOffSoon = () => !phone.probe.isFlooding && performance.now() - began.at < deadlineMs;
    // many phones wait for one list: each goes on in a turn of its own
    const isRelisted = () => relist().finally(yieldToLoop);
    try {
      const snapshot = await this.#inTurn(phone, async () => {
        // it may have waited long for its turn: then the list is too old
        const isListed = this.#phones.isListFresh || (await isRelisted());
        const listed = isListed ? this.#phones.relisted(phone, before) : undefined;
        if (listed === undefined) return undefined;
        if (this.#phones.mayBeSwapped(phone, listed)) markUnproven(phone);
        began = { listed, connection: phone.connection, at: performance.now() };
        return phone.probe.collect(listed, signal);
      });
      if (snapshot === undefined) return NOT_COLLECTED;
      const { listed, connection } = began;
      const isListed = this.#phones.isCertain(phone, listed, snapshot) || (await isRelisted());
      if (!isListed || phone.connection !== connection) {
        phone.probe.forget(); // it is not certain which phone answered
        return NOT_COLLECTED;
      }
      const changed = this.#attribute(phone, listed, snapshot);
      phone.probeLog.read(this.#nameOf(listed), snapshot);
      const { broken, facts } = snapshot;
      const isEmpty = Object.keys(facts).length === 0; // no answer could be parsed
      noteSilence(phone, broken !== undefined || isEmpty);
      const isStarting = facts.boot?.bootCompleted === false || facts.boot?.dataLocked === true;
      return { snapshot, collectSoon: broken === undefined ? isStarting : brokeOffSoon(), changed };
    } catch (error) {
      const { listed, connection } = began;
      if (phone.connection !== connection) return NOT_COLLECTED;
      noteSilence(phone, !signal.aborted);
      if (!signal.aborted) phone.probeLog.lost(this.#nameOf(listed), error as Error, phone.current);
      return omitUndefined({
        snapshot: phone.current,
        error: error as Error,
        collectSoon: brokeOffSoon(),
        changed: signal.aborted ? [] : roster.silent(listed, Date.now()),
      });
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
    const facts = omitUndefined({ identity, name, boot, uptimeAt, battery });
    const changed = roster.learn(listed, facts, Date.now());
    phone.current = snapshot;
    return identity === undefined ? [...changed, ...roster.silent(listed, Date.now())] : changed;
  }
}

function noteSilence(phone: ProbedPhone, isSilent: boolean): void {
  const { times = 0, since = uptimeMs() } = phone.silence ?? {};
  if (isSilent) phone.silence = { times: times + 1, since };
  else delete phone.silence;
}

/** Converts a time of `uptimeMs` to the host's clock as it is set now, ms since the epoch. */
const onHostClock = (at: number): number => Date.now() - (uptimeMs() - at);
