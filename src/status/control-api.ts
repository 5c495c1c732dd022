/**
 * The control API: carries out what a person commands, with the agent and its maintenance plan and history.
 *
 * `name` is any name of one phone; for a maintenance also of a place, or a glob of slots (`diagnosis/explain/names.ts`).
 * Methods that take one throw a `NameError` where nothing has it, or too many.
 */
import type { Agent } from '../agent/agent.ts';
import type { RoundSummary } from '../agent/observer.ts';
import { localTime } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { within } from '../base/time.ts';
import { naturalOrder } from '../base/words.ts';
import { CloudError } from '../cloud/errors.ts';
import {
  type PlacedPhone,
  placedPhones,
  resolveName,
  resolvePhone,
  resolvePhones,
} from '../diagnosis/explain/names.ts';
import type { Timeline, TimelineQuery } from '../diagnosis/explain/timeline-query.ts';
import { placesOf, type Why, whyOf } from '../diagnosis/explain/why.ts';
import type { Diagnosis } from '../diagnosis/index.ts';
import type { HistoryEvent } from '../history/events/event.ts';
import type { HistoryClient } from '../history/store/client.ts';
import { HistoryUnavailableError } from '../history/store/history.ts';
import { StateUnwritableError } from '../host/state-errors.ts';
import {
  type BookingsAnswer,
  CommandRefusedError,
  DRAIN_MS,
  type DrainBody,
  drainersOf,
  type EndBody,
  EVENTS_PAGE,
  type HistoryAsked,
  type MaintainedPhone,
  type MaintenanceEntry,
  MOST_NOTE,
  MOST_WRITER,
  type NoteAnswer,
  type NoteBody,
  type ReportAnswer,
} from './commands.ts';
import type { HostStatus, Maintenance, Verdict } from './host-status.ts';
import type { PhonePlan } from './phone-plan.ts';

export interface ControlApiOptions {
  agent: Pick<Agent, 'state' | 'report' | 'forget' | 'isStopping' | 'bookings'>;
  maintenance: PhonePlan;
  drain: PhonePlan;
  history: Pick<HistoryClient, 'record' | 'events' | 'forget' | 'flush'>;
  /** The cloud's name for a list of udids whose reservations are to end. */
  udidsField?: string;
  /** Names of the configured slots, in the order of the rack. */
  slots: readonly string[];
  /** Undefined while no agent runs. */
  present(): HostStatus | undefined;
  /** Rejects where the history does not answer. */
  timeline(query: TimelineQuery): Promise<Timeline>;
  verdict: Diagnosis['verdict'];
  /** For tests, ms. */
  erasedMs?: number;
}

/** For longer, take the phone out of the rack, ms. */
const LONGEST_MAINTENANCE_MS = 366 * 24 * 3_600_000;

/** Names of people who drain the same phone. */
const MOST_DRAINERS = 3;

/** Longer than a disk that works takes to erase a phone's history, ms. */
const ERASED_MS = 10_000;

/** A person who asks waits so long for what has just happened to be written, ms. */
const WRITE_MS = 500;

/** Events that one answer to why looks at: one line of a timeline may tell many. */
const EVENTS = { fewest: 200, most: 1000, anEntry: 10 };

export type Commands = Pick<ControlApi, keyof ControlApi>;

export class ControlApi {
  readonly #options: ControlApiOptions;

  constructor(options: ControlApiOptions) {
    this.#options = options;
  }

  async report(): Promise<ReportAnswer> {
    const { agent } = this.#need();
    const round = await agent.report();
    const { adb, reports, phones } = agent.state;
    const adbFailure = adb.state === 'unreachable' ? (adb.failure ?? 'unknown') : undefined;
    const answer = (outcome: ReportAnswer['outcome'], collected = 0, failed = 0): ReportAnswer =>
      omitUndefined({
        attached: phones.filter(({ device }) => device.attached).length,
        collected,
        failed,
        adbFailure,
        outcome,
      });
    if (round === undefined)
      throw new CommandRefusedError('the agent is stopping or failed: see its log', 503);
    if ('failure' in round) return answer({ kind: 'failed', ...round });
    const { collected, failed } = round;
    if ('notReporting' in reports)
      return answer({ kind: 'notReporting', reason: reports.notReporting }, collected, failed);
    const refused = phones.flatMap(({ device: { udid }, refused: message }) =>
      message === undefined ? [] : [{ udid, message: printable(message) }],
    );
    return answer(outcomeOf(round, refused), collected, failed);
  }

  /**
   * Resolves when the phone is forgotten, and its history erased.
   *
   * @returns its udid
   */
  async forget(name: string): Promise<string> {
    const { agent, maintenance, drain, history, erasedMs = ERASED_MS } = this.#need();
    const udid = resolvePhone(name, placedPhones(agent.state));
    const kept = await agent.forget(udid);
    if (kept === 'attached')
      throw new CommandRefusedError(
        `${udid} is attached: unplug it first, or the agent finds it again at once`,
        409,
      );
    if (kept)
      throw new CommandRefusedError(
        `cannot forget ${udid}: the cloud has not stored yet that it is unplugged (${kept.failure})`,
        502,
      );
    // the agent has its history erased already: once more, to know whether that was written
    const isErased = await within(erasedMs, history.forget([udid]));
    await this.#kept(Promise.all([maintenance.end([udid]), drain.end([udid])]));
    if (!isErased)
      throw new CommandRefusedError(
        `forgot ${udid}, but its history is not erased yet: it cannot be written (the log says why); the agent erases it when it can, as long as it runs`,
        507,
      );
    return udid;
  }

  maintenances(): MaintenanceEntry[] {
    return this.#list(this.#need().maintenance);
  }

  drains(): MaintenanceEntry[] {
    return this.#list(this.#need().drain);
  }

  #list(plan: PhonePlan): MaintenanceEntry[] {
    const { agent } = this.#need();
    const phones = new Map(placedPhones(agent.state).map((phone) => [phone.udid, maintainedPhone(phone)]));
    return plan.list().map((entry) => ({ ...entry, ...phones.get(entry.udid) }));
  }

  /** The phones that a maintenance of that name, or a drain, would be of. */
  maintainable(name: string): MaintainedPhone[] {
    const { agent, slots } = this.#need();
    return resolvePhones(name, placedPhones(agent.state), slots)
      .map(maintainedPhone)
      .sort((one, other) => naturalOrder(one.slot ?? '', other.slot ?? ''));
  }

  /** @returns the phones, at least one */
  async maintain(name: string, { until, reason, by }: Maintenance): Promise<MaintainedPhone[]> {
    const { maintenance } = this.#need();
    const phones = this.maintainable(name);
    checkUntil(until);
    const udids = phones.map(({ udid }) => udid);
    const begun = omitUndefined({ until, reason: printable(reason), by: by && printable(by, MOST_WRITER) });
    await this.#kept(maintenance.begin(udids, begun));
    return phones;
  }

  /** @returns those that were in maintenance, at least one */
  async endMaintenance(name: string, by?: string): Promise<MaintainedPhone[]> {
    const { maintenance } = this.#need();
    return this.#end(maintenance, 'in maintenance', this.#planned(maintenance, name), by);
  }

  /**
   * @param isForAll also what other people drained
   * @returns those that were drained, at least one
   */
  async endDrain(name: string, { by, isForAll }: EndBody): Promise<MaintainedPhone[]> {
    const { drain } = this.#need();
    const own = by && asDrainer(by);
    const phones = this.#planned(drain, name);
    for (const { udid } of isForAll ? [] : phones) {
      const { until = 0, reason = '', by: all = '' } = drain.of(udid) ?? {};
      const others = drainersOf({ by: all }).filter((other) => other !== own);
      if (others.length === 0) continue;
      const why = reason === '' ? '' : `: ${reason}`;
      const who = `${others.join(', ')} drained ${udid} until ${localTime(until)}${why}`;
      throw new CommandRefusedError(`${who}. Ask first; --yes ends it for all`, 409);
    }
    return this.#end(drain, 'drained', phones, own);
  }

  /** The phones of that name; one that is planned for may be forgotten already. */
  #planned(plan: PhonePlan, name: string): MaintainedPhone[] {
    return plan.of(name) ? [{ udid: name }] : this.maintainable(name);
  }

  async #end(
    plan: PhonePlan,
    what: string,
    phones: readonly MaintainedPhone[],
    by?: string,
  ): Promise<MaintainedPhone[]> {
    const udids = phones.map(({ udid }) => udid);
    const were = await this.#kept(plan.end(udids, by && printable(by, MOST_WRITER)));
    if (were.length === 0)
      throw new CommandRefusedError(
        phones.length === 1
          ? `${udids[0]} is not ${what}`
          : `none of these ${phones.length} phones is ${what}`,
        404,
      );
    return phones.filter(({ udid }) => were.includes(udid));
  }

  /**
   * Hides phones from bookings. Who drains what another person has drained is named beside them, and it lasts as long as
   * any of them wants.
   *
   * @returns the phones, at least one, each with what holds now
   */
  async drain(name: string, { until, reason, by }: DrainBody): Promise<MaintenanceEntry[]> {
    const { drain } = this.#need();
    const phones = this.maintainable(name);
    if (until !== undefined) checkUntil(until);
    const own = by && asDrainer(by);
    const planned = (before: Maintenance | undefined): Maintenance => {
      const others = before ? drainersOf(before).filter((other) => other !== own) : [];
      const wanted = until ?? before?.until ?? Date.now() + DRAIN_MS;
      return omitUndefined({
        until: before && others.length > 0 ? Math.max(wanted, before.until) : wanted,
        reason: reason === undefined ? (before?.reason ?? '') : printable(reason),
        by: [...others, ...(own ? [own] : [])].slice(-MOST_DRAINERS).join(', ') || undefined,
      });
    };
    const udids = new Set(phones.map(({ udid }) => udid));
    await this.#kept(drain.begin([...udids], planned));
    return this.drains().filter(({ udid }) => udids.has(udid));
  }

  /** Asks the cloud which of these phones are booked; of those that are drained. */
  async bookings(name: string): Promise<BookingsAnswer> {
    const { agent, drain } = this.#need();
    const { reports } = agent.state;
    const phones = this.maintainable(name).map((phone) =>
      omitUndefined({ ...phone, drainedUntil: drain.of(phone.udid)?.until }),
    );
    if (agent.bookings === undefined || 'notReporting' in reports)
      return omitUndefined({ phones, notReporting: 'notReporting' in reports ? reports.notReporting : '' });
    const drained = phones.flatMap(({ udid, drainedUntil }) => (drainedUntil === undefined ? [] : udid));
    const { bookings, trouble } = await agent.bookings.of(drained);
    const asked = phones.map((phone) => omitUndefined({ ...phone, booking: bookings.get(phone.udid) }));
    return omitUndefined({ phones: asked, trouble });
  }

  /**
   * Ends the reservations of those of these phones that are drained and booked; the history has who did it.
   *
   * @returns these phones
   */
  async endReservations(name: string, by?: string): Promise<MaintainedPhone[]> {
    const { agent, history, udidsField } = this.#need();
    if (udidsField === undefined)
      throw new CommandRefusedError(
        'set cloud.reservationUdids first: the API does not show by which name your cloud takes udids (docs/operate.md)',
        400,
      );
    const { phones, trouble } = await this.bookings(name);
    const booked = phones.filter(({ booking }) => booking === 'booked');
    const udids = booked.map(({ udid }) => udid);
    try {
      if (trouble) throw new CommandRefusedError(trouble.failure, 502);
      if (udids.length > 0) await agent.bookings?.end(udids, udidsField);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      throw new CommandRefusedError(error.message, 502);
    }
    const note = { kind: 'note', at: Date.now(), text: 'ended its reservation, to drain it' } as const;
    const writer = by && printable(by, MOST_WRITER);
    const ended = placedPhones(agent.state).filter(({ udid }) => udids.includes(udid));
    await history.record(ended.map(({ udid, where }) => omitUndefined({ ...note, udid, where, by: writer })));
    return booked.map(({ booking: _, drainedUntil: __, ...phone }) => phone);
  }

  /**
   * Resolves when the note is on the disk.
   *
   * @param name any name of a phone or a place
   */
  async note(name: string, { text, by }: NoteBody): Promise<NoteAnswer> {
    const { agent, history, slots } = this.#need();
    const named = resolveName(name, placedPhones(agent.state), slots);
    const udid = named.of.udids?.[0];
    const words = printable(text, MOST_NOTE);
    if (words === '') throw new CommandRefusedError('the note has no printable character', 400);
    // a note on a place has no phone: it outlives those that sit there
    const { where } = named;
    const writer = by && printable(by, MOST_WRITER);
    const note = { kind: 'note' as const, at: Date.now(), udid, where, text: words, by: writer };
    const isKept = await history.record([omitUndefined(note)]);
    if (!isKept)
      throw new CommandRefusedError(
        'the note is not kept: the history cannot be written (the log says why); write it again when it can',
        507,
      );
    return omitUndefined({ name: printable(named.name), kind: named.kind, udid });
  }

  /** All events of the host, newest first: one page of at most `EVENTS_PAGE`. */
  async history({ since, before }: HistoryAsked): Promise<HistoryEvent[]> {
    const { history } = this.#need();
    try {
      if (before === undefined) await history.flush(WRITE_MS);
      return await history.events({ since, before, limit: EVENTS_PAGE });
    } catch (error) {
      if (!(error instanceof HistoryUnavailableError)) throw error;
      throw new CommandRefusedError(`the history does not answer: ${error.message}`, 503);
    }
  }

  /**
   * Why a phone or a place is as it is.
   *
   * @param name any name of a phone, a slot, a shelf, a USB port or a hub; `host`
   * @param wanted `since`: events from this moment on, ms since the epoch; `limit`: entries of the timeline at most
   */
  async why(name: string, { since, limit }: { since: number; limit: number }): Promise<Why> {
    const { agent, slots, present: presentOf, timeline } = this.#need();
    const present = presentOf();
    if (present === undefined) throw noAgentNow();
    const named = resolveName(name, placedPhones(agent.state), slots);
    const most = Math.min(EVENTS.most, Math.max(EVENTS.fewest, limit * EVENTS.anEntry));
    try {
      const found = await timeline({ of: named.of, places: placesOf(named), since, most });
      return whyOf({ named, present, timeline: found, limit });
    } catch (error) {
      const historyProblem = printable(error instanceof Error ? error.message : String(error), 300);
      return {
        ...whyOf({ named, present, timeline: { events: [], hasMore: false }, limit }),
        historyProblem,
      };
    }
  }

  /**
   * Was it the lab or the test, between these moments?
   *
   * @param name any name of one phone
   * @param span ms since the epoch
   * @throws {HistoryUnavailableError}
   */
  async verdict(name: string, span: { from: number; to: number }): Promise<Verdict> {
    const { agent, verdict: verdictOf } = this.#need();
    const phones = placedPhones(agent.state);
    const udid = resolvePhone(name, phones);
    const { verdict, udid: _, ...rest } = await verdictOf({ udid, ...span });
    const { name: called = udid, where: { slot } = {} } = phones.find((each) => each.udid === udid) ?? {};
    return { verdict, phone: omitUndefined({ udid, name: printable(called), slot }), ...rest };
  }

  /** @throws {CommandRefusedError} the agent stops: at the end, and in a reload */
  #need(): ControlApiOptions {
    if (this.#options.agent.isStopping) throw noAgentNow();
    return this.#options;
  }

  /** If the disk is not writable, the command holds until a restart. */
  async #kept<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } catch (error) {
      if (!(error instanceof StateUnwritableError)) throw error;
      throw new CommandRefusedError(`done, until the next restart: ${error.message}`, 507);
    }
  }
}

/** A comma parts the names of people. */
const asDrainer = (by: string): string => printable(by, MOST_WRITER).replaceAll(',', ' ');

/** @throws {CommandRefusedError} it is over, or too far ahead */
function checkUntil(until: number): void {
  const fromNowMs = until - Date.now();
  if (fromNowMs <= 0) throw new CommandRefusedError('--until is in the past', 400);
  if (fromNowMs > LONGEST_MAINTENANCE_MS)
    throw new CommandRefusedError('--until is more than a year ahead', 400);
}

const noAgentNow = () =>
  new CommandRefusedError('the agent is starting or stopping: try again in a moment', 503);

const maintainedPhone = ({ udid, where: { slot }, name }: PlacedPhone): MaintainedPhone =>
  omitUndefined({ udid, slot, name });

function outcomeOf(
  { reported }: RoundSummary,
  refused: { udid: string; message: string }[],
): ReportAnswer['outcome'] {
  if (reported?.kind === 'stored') return { kind: 'stored', devices: reported.devices, refused };
  if (reported?.kind !== 'failed') return { kind: reported?.kind ?? 'superseded' };
  const { error } = reported;
  return { kind: 'failed', ...(error instanceof CloudError ? error.trouble : { failure: 'internal error' }) };
}
