/**
 * The control API: carries out what a person commands, with the agent and its history: also what people plan for phones until
 * a time, a maintenance or a drain.
 *
 * `name` is any name of one phone; for a plan also of a place, or a glob of slots (`names.ts`). Methods
 * that take one throw a `NameError` where nothing has it, or too many. All throw a `CommandRefusedError` while the agent
 * stops. What people say is printable already.
 */
import type { Agent } from '../agent/agent.ts';
import type { RoundSummary } from '../agent/observer.ts';
import type { AgentState } from '../agent/state.ts';
import { HOUR_MS, localTime } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { within } from '../base/time.ts';
import { inNaturalOrder } from '../base/words.ts';
import { CloudError, type CloudTrouble } from '../cloud/errors.ts';
import type { Timeline, TimelineQuery } from '../diagnosis/explain/timeline-query.ts';
import type { Verdict as PhoneVerdict } from '../diagnosis/explain/verdict.ts';
import type { Diagnosis } from '../diagnosis/index.ts';
import type { HistoryEvent } from '../history/events/event.ts';
import type { HistoryClient } from '../history/store/client.ts';
import type { EventQuery } from '../history/store/history.ts';
import { StateUnwritableError } from '../host/state-errors.ts';
import {
  type BookingsAnswer,
  CommandRefusedError,
  EVENTS_PAGE,
  type MaintainedPhone,
  type MaintenanceEntry,
  type NoteAnswer,
  type ReportAnswer,
} from './commands.ts';
import type { HostStatus, Plan, Verdict, Why } from './host-status.ts';
import { type PlacedPhone, placedPhones, resolveName, resolvePhone, resolvePhones } from './names.ts';
import type { PlanKind, Plans } from './phone-plan.ts';
import { placesOf, whyOf } from './why.ts';

export interface ControlApiOptions {
  agent: Pick<Agent, 'state' | 'report' | 'forget' | 'isStopping' | 'bookings'>;
  plans: Plans;
  history: Pick<HistoryClient, 'record' | 'events' | 'forget' | 'unwrittenSince'>;
  /** The cloud's name for a list of udids whose reservations are to end. */
  udidsField?: string;
  slots: readonly string[];
  /** Undefined while no agent runs. */
  present(): HostStatus | undefined;
  /** Rejects where the history does not answer. */
  timeline(query: TimelineQuery): Promise<Timeline>;
  verdict: Diagnosis['verdict'];
  /** For tests, ms. */
  erasedMs?: number;
}

/** Longer than a disk that works takes to erase a phone's history, ms. */
const ERASED_MS = 10_000;

/** Events that one answer to why looks at: one line of a timeline may tell many. */
const EVENTS = { fewest: 200, most: 1000, anEntry: 10 };

/** A working day: a drain that somebody forgets ends by itself. */
const DRAIN_MS = 8 * HOUR_MS;
/** For longer, take the phone out of the rack, ms. */
const LONGEST_MS = 366 * 24 * HOUR_MS;
/** Names of people who drain the same phone. */
const MOST_DRAINERS = 3;

export type Commands = Pick<ControlApi, keyof ControlApi>;

export class ControlApi {
  readonly #options: ControlApiOptions;

  constructor(options: ControlApiOptions) {
    this.#options = options;
  }

  /** @throws {CommandRefusedError} the agent stops: at the end, and in a reload */
  get #running(): ControlApiOptions {
    if (this.#options.agent.isStopping) throw noAgentNow();
    return this.#options;
  }

  async report(): Promise<ReportAnswer> {
    const { agent } = this.#running;
    const round = await agent.report();
    if (round === undefined) throw refused(503, 'the agent is stopping or failed: see its log');
    const { state } = agent;
    const { collected, failed } = 'failure' in round ? { collected: 0, failed: 0 } : round;
    return omitUndefined({
      attached: state.phones.filter(({ device }) => device.attached).length,
      collected,
      failed,
      adbFailure: state.adb.state === 'unreachable' ? (state.adb.failure ?? 'unknown') : undefined,
      outcome: outcomeOf(round, state),
    });
  }

  /**
   * Resolves when the phone is forgotten, and its history erased.
   *
   * @returns its udid
   */
  async forget(name: string): Promise<string> {
    const { agent, plans, history, erasedMs = ERASED_MS } = this.#running;
    const udid = resolvePhone(name, placedPhones(agent.state));
    const left = await agent.forget(udid);
    if (left === 'attached')
      throw refused(409, `${udid} is attached: unplug it first, or the agent finds it again at once`);
    if (left)
      throw refused(
        502,
        `cannot forget ${udid}: the cloud has not stored yet that it is unplugged (${left.failure})`,
      );
    // the agent has its history erased already: once more, to know whether that was written
    const isErased = await within(erasedMs, history.forget([udid]));
    await kept(Promise.all(Object.values(plans).map((plan) => plan.end([udid]))));
    if (!isErased)
      throw refused(
        507,
        `forgot ${udid}, but its history is not erased yet: it cannot be written (the log says why); the agent erases it when it can, as long as it runs`,
      );
    return udid;
  }

  /**
   * Resolves when the note is on the disk.
   *
   * @param name any name of a phone or a place
   * @param note `by`: who wrote it, as the caller says; the socket does not tell
   */
  async note(name: string, { text, by }: { text: string; by?: string }): Promise<NoteAnswer> {
    const { agent, history, slots } = this.#running;
    if (text === '') throw refused(400, 'the note has no printable character');
    const named = resolveName(name, placedPhones(agent.state), slots);
    const udid = named.of.udids?.[0];
    // a note on a place has no phone: it outlives those that sit there
    const note = { kind: 'note' as const, at: Date.now(), udid, where: named.where, text, by };
    if (!(await history.record([omitUndefined(note)])))
      throw refused(
        507,
        'the note is not written yet: the history cannot be written (the log says why); the agent writes it when it can, as long as it runs',
      );
    return omitUndefined({ name: printable(named.name), kind: named.kind, udid });
  }

  /** All events of the host, newest first: one page of at most `EVENTS_PAGE`. @throws {HistoryUnavailableError} */
  async history({ since, before }: Pick<EventQuery, 'since' | 'before'>): Promise<HistoryEvent[]> {
    const { history } = this.#running;
    return history.events(omitUndefined({ since, before, limit: EVENTS_PAGE }));
  }

  /**
   * Why a phone or a place is as it is.
   *
   * @param name any name of a phone, a slot, a shelf, a USB port or a hub; `host`
   * @param wanted `since`: events from this moment on, ms since the epoch; `limit`: entries of the timeline at most
   */
  async why(name: string, { since, limit }: { since: number; limit: number }): Promise<Why> {
    const { agent, slots, present: presentOf, timeline } = this.#running;
    const present = presentOf();
    if (present === undefined) throw noAgentNow();
    const named = resolveName(name, placedPhones(agent.state), slots);
    const most = Math.min(EVENTS.most, Math.max(EVENTS.fewest, limit * EVENTS.anEntry));
    let historyProblem: string | undefined;
    const found = await timeline({ of: named.of, places: placesOf(named), since, most }).catch((error) => {
      historyProblem = printable(error instanceof Error ? error.message : String(error), 300);
      return { events: [], hasMore: false };
    });
    return omitUndefined({ ...whyOf({ named, present, timeline: found, limit }), historyProblem });
  }

  /**
   * Was it the lab or the test, between these moments? What the history cannot write yet counts as not watched.
   *
   * @param name any name of one phone
   * @param span ms since the epoch
   * @throws {HistoryUnavailableError}
   */
  async verdict(name: string, span: { from: number; to: number }): Promise<Verdict> {
    const { agent } = this.#running;
    const phones = placedPhones(agent.state);
    const udid = resolvePhone(name, phones);
    const { verdict, udid: _, ...rest } = await this.#watched({ udid, ...span });
    const { name: called = udid, where: { slot } = {} } = phones.find((each) => each.udid === udid) ?? {};
    return { verdict, phone: omitUndefined({ udid, name: printable(called), slot }), ...rest };
  }

  async #watched(asked: { udid: string; from: number; to: number }): Promise<PhoneVerdict> {
    const { history, verdict: verdictOf } = this.#options;
    const { from, to } = asked;
    const whole = await verdictOf(asked);
    const { unwrittenSince = to } = history; // the question may have found out that nothing can be written
    if (unwrittenSince >= to) return whole;
    const until = Math.max(from, unwrittenSince);
    const { watchedRatio, unwatched } = await verdictOf({ ...asked, to: until });
    const because = 'what happened cannot be written to the disk (the log says why)';
    return {
      ...whole,
      verdict: whole.verdict === 'nothing' ? 'unwatched' : whole.verdict,
      watchedRatio: Math.floor(watchedRatio * ((until - from) / (to - from)) * 1000) / 1000,
      unwatched: [...unwatched, { from: until, to, because }],
    };
  }

  /** What is planned, the first to end first. */
  list(kind: PlanKind): MaintenanceEntry[] {
    const { agent, plans } = this.#running;
    const phones = new Map(placedPhones(agent.state).map((phone) => [phone.udid, maintainedPhone(phone)]));
    return plans[kind].list().map((entry) => ({ ...entry, ...phones.get(entry.udid) }));
  }

  #phones(name: string): MaintainedPhone[] {
    const { agent, slots } = this.#running;
    const phones = resolvePhones(name, placedPhones(agent.state), slots).map(maintainedPhone);
    return inNaturalOrder(phones, ({ slot = '' }) => slot);
  }

  async maintain(name: string, maintenance: Plan): Promise<MaintainedPhone[]> {
    const phones = this.#phones(name);
    checkUntil(maintenance.until);
    await kept(this.#options.plans.maintenance.begin(udidsOf(phones), maintenance));
    return phones;
  }

  /**
   * Hides phones from bookings.
   *
   * @returns the phones, at least one, each with what holds now
   */
  async drain(name: string, wanted: Partial<Plan>): Promise<MaintenanceEntry[]> {
    const udids = udidsOf(this.#phones(name));
    if (wanted.until !== undefined) checkUntil(wanted.until);
    await kept(this.#options.plans.drain.begin(udids, (before) => joined(before, wanted)));
    return this.list('drain').filter(({ udid }) => udids.includes(udid));
  }

  /**
   * @param who `isForAll`: also what other people drained
   * @returns those for which it lasted, at least one
   */
  async end(
    kind: PlanKind,
    name: string,
    { by, isForAll = false }: { by?: string; isForAll?: boolean },
  ): Promise<MaintainedPhone[]> {
    const { [kind]: plan } = this.#running.plans;
    const phones = plan.of(name) ? [{ udid: name }] : this.#phones(name); // one of a plan may be forgotten already
    if (kind === 'drain' && !isForAll) for (const { udid } of phones) checkOthers(udid, plan.of(udid), by);
    const were = await kept(plan.end(udidsOf(phones), by));
    if (were.length === 0) {
      const who =
        phones.length === 1 ? `${phones[0]?.udid} is not` : `none of these ${phones.length} phones is`;
      throw refused(404, `${who} ${kind === 'drain' ? 'drained' : 'in maintenance'}`);
    }
    return phones.filter(({ udid }) => were.includes(udid));
  }

  /** Asks the cloud which of these phones are booked; of those that are drained. */
  async bookings(name: string): Promise<BookingsAnswer> {
    const { agent, plans } = this.#options;
    const phones = this.#phones(name).map((phone) =>
      omitUndefined({ ...phone, drainedUntil: plans.drain.of(phone.udid)?.until }),
    );
    const { reports } = agent.state;
    if (agent.bookings === undefined || 'notReporting' in reports)
      return { phones, notReporting: 'notReporting' in reports ? reports.notReporting : '' };
    const drained = phones.filter(({ drainedUntil }) => drainedUntil !== undefined);
    const { bookings, trouble } = await agent.bookings.of(udidsOf(drained));
    const asked = phones.map((phone) => omitUndefined({ ...phone, booking: bookings.get(phone.udid) }));
    const isShown = asked.some(({ booking }) => booking === 'shown');
    return omitUndefined({ phones: asked, trouble, notHidden: isShown ? reports.trouble : undefined });
  }

  /**
   * Ends the reservations of those of these phones that are drained and booked; the history has who did it.
   *
   * @returns these phones
   */
  async endReservations(name: string, by?: string): Promise<MaintainedPhone[]> {
    const { agent, history, udidsField } = this.#running;
    if (udidsField === undefined)
      throw refused(
        400,
        'set cloud.reservationUdids first: the API does not show by which name your cloud takes udids (docs/operate.md)',
      );
    const { phones, trouble } = await this.bookings(name);
    if (trouble) throw refused(502, trouble.failure);
    const booked = phones.filter(({ booking }) => booking === 'booked');
    const udids = udidsOf(booked);
    if (udids.length > 0)
      await agent.bookings?.end(udids, udidsField).catch((error: unknown) => {
        throw error instanceof CloudError ? refused(502, error.message) : error;
      });
    const note = { kind: 'note', at: Date.now(), text: 'ended its reservation, to drain it', by } as const;
    const ended = placedPhones(agent.state).filter(({ udid }) => udids.includes(udid));
    await history.record(ended.map(({ udid, where }) => omitUndefined({ ...note, udid, where })));
    return booked.map(({ booking: _, drainedUntil: __, ...phone }) => phone);
  }
}

const refused = (statusCode: number, message: string): CommandRefusedError =>
  new CommandRefusedError(message, statusCode);

const noAgentNow = () => refused(503, 'the agent is starting or stopping: try again in a moment');

function outcomeOf(
  round: RoundSummary | CloudTrouble,
  { reports, phones }: AgentState,
): ReportAnswer['outcome'] {
  if ('failure' in round) return { kind: 'failed', ...round };
  if ('notReporting' in reports) return { kind: 'notReporting', reason: reports.notReporting };
  const { reported = { kind: 'superseded' } } = round;
  if (reported.kind === 'failed') {
    const { error } = reported;
    const trouble = error instanceof CloudError ? error.trouble : { failure: 'internal error' };
    return { kind: 'failed', ...trouble };
  }
  if (reported.kind !== 'stored') return reported;
  const refused = phones.flatMap(({ device: { udid }, refused: message }) =>
    message === undefined ? [] : [{ udid, message: printable(message) }],
  );
  return { kind: 'stored', devices: reported.devices, refused };
}

const udidsOf = (phones: readonly { udid: string }[]): string[] => phones.map(({ udid }) => udid);

const maintainedPhone = ({ udid, where: { slot }, name }: PlacedPhone): MaintainedPhone =>
  omitUndefined({ udid, slot, name });

/** @throws {CommandRefusedError} it is over, or too far ahead */
function checkUntil(until: number): void {
  const fromNowMs = until - Date.now();
  if (fromNowMs <= 0) throw refused(400, '--until is in the past');
  if (fromNowMs > LONGEST_MS) throw refused(400, '--until or --for is more than a year ahead');
}

/** Who drained a phone, but for this one: `anna, bert`. Each of them may still need it. */
const othersOf = ({ by = '' }: Pick<Plan, 'by'> = {}, own?: string): string[] =>
  by.split(', ').filter((name) => name !== '' && name !== own);

/** Who drains what another person has drained is named beside them, and it lasts as long as any of them wants. */
function joined(before: Plan | undefined, { until, reason, by }: Partial<Plan>): Plan {
  const others = othersOf(before, by);
  const wanted = until ?? before?.until ?? Date.now() + DRAIN_MS;
  return omitUndefined({
    until: before && others.length > 0 ? Math.max(wanted, before.until) : wanted,
    reason: reason ?? before?.reason ?? '',
    by: [...others, ...(by ? [by] : [])].slice(-MOST_DRAINERS).join(', ') || undefined,
  });
}

/** @throws {CommandRefusedError} somebody else drained it too */
function checkOthers(udid: string, drain: Plan | undefined, own?: string): void {
  const others = othersOf(drain, own);
  if (drain === undefined || others.length === 0) return;
  const why = drain.reason === '' ? '' : `: ${drain.reason}`;
  const who = `${others.join(', ')} drained ${udid} until ${localTime(drain.until)}${why}`;
  throw refused(409, `${who}. Ask first; --yes ends it for all`);
}

/**
 * If the disk is not writable, a command holds, and is written when it can be.
 *
 * @throws {CommandRefusedError} and says so
 */
async function kept<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof StateUnwritableError)) throw error;
    throw refused(
      507,
      `done, but not written yet: ${error.message}; the agent writes it when it can, as long as it runs`,
    );
  }
}
