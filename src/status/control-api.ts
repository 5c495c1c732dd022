/**
 * The control API: carries out what a person commands, with the agent and its history; `plans`: what is planned for phones.
 *
 * `name` is any name of one phone; for a plan also of a place, or a glob of slots (`diagnosis/explain/names.ts`). Methods
 * that take one throw a `NameError` where nothing has it, or too many. All throw a `CommandRefusedError` while the agent
 * stops. What people say is printable already.
 */
import type { Agent } from '../agent/agent.ts';
import type { RoundSummary } from '../agent/observer.ts';
import type { AgentState } from '../agent/state.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { printable } from '../base/printable.ts';
import { within } from '../base/time.ts';
import { CloudError, type CloudTrouble } from '../cloud/errors.ts';
import { placedPhones, resolveName, resolvePhone } from '../diagnosis/explain/names.ts';
import type { Timeline, TimelineQuery } from '../diagnosis/explain/timeline-query.ts';
import { placesOf, type Why, whyOf } from '../diagnosis/explain/why.ts';
import type { Diagnosis } from '../diagnosis/index.ts';
import type { HistoryEvent } from '../history/events/event.ts';
import type { HistoryClient } from '../history/store/client.ts';
import {
  CommandRefusedError,
  EVENTS_PAGE,
  type HistoryAsked,
  type NoteAnswer,
  type NoteBody,
  noAgentNow,
  type ReportAnswer,
  runningOnly,
} from './commands.ts';
import type { HostStatus, Verdict } from './host-status.ts';
import { kept, PlanCommands, type PlanCommandsOptions } from './plan-commands.ts';

export interface ControlApiOptions extends PlanCommandsOptions {
  agent: Pick<Agent, 'state' | 'report' | 'forget' | 'isStopping' | 'bookings'>;
  history: Pick<HistoryClient, 'record' | 'events' | 'forget' | 'flush'>;
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

/** A person who asks waits so long for what has just happened to be written, ms. */
const WRITE_MS = 500;

/** Events that one answer to why looks at: one line of a timeline may tell many. */
const EVENTS = { fewest: 200, most: 1000, anEntry: 10 };

export type Commands = Omit<ControlApi, 'plans'> & { readonly plans: Pick<PlanCommands, keyof PlanCommands> };

export class ControlApi {
  readonly plans: PlanCommands;
  readonly #options: ControlApiOptions;

  constructor(options: ControlApiOptions) {
    this.#options = options;
    this.plans = new PlanCommands(options);
  }

  async report(): Promise<ReportAnswer> {
    const { agent } = runningOnly(this.#options);
    const round = await agent.report();
    if (round === undefined)
      throw new CommandRefusedError('the agent is stopping or failed: see its log', 503);
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
    const { agent, plans, history, erasedMs = ERASED_MS } = runningOnly(this.#options);
    const udid = resolvePhone(name, placedPhones(agent.state));
    const left = await agent.forget(udid);
    if (left === 'attached')
      throw new CommandRefusedError(
        `${udid} is attached: unplug it first, or the agent finds it again at once`,
        409,
      );
    if (left)
      throw new CommandRefusedError(
        `cannot forget ${udid}: the cloud has not stored yet that it is unplugged (${left.failure})`,
        502,
      );
    // the agent has its history erased already: once more, to know whether that was written
    const isErased = await within(erasedMs, history.forget([udid]));
    await kept(Promise.all(Object.values(plans).map((plan) => plan.end([udid]))));
    if (!isErased)
      throw new CommandRefusedError(
        `forgot ${udid}, but its history is not erased yet: it cannot be written (the log says why); the agent erases it when it can, as long as it runs`,
        507,
      );
    return udid;
  }

  /**
   * Resolves when the note is on the disk.
   *
   * @param name any name of a phone or a place
   */
  async note(name: string, { text, by }: NoteBody): Promise<NoteAnswer> {
    const { agent, history, slots } = runningOnly(this.#options);
    if (text === '') throw new CommandRefusedError('the note has no printable character', 400);
    const named = resolveName(name, placedPhones(agent.state), slots);
    const udid = named.of.udids?.[0];
    // a note on a place has no phone: it outlives those that sit there
    const note = { kind: 'note' as const, at: Date.now(), udid, where: named.where, text, by };
    const isKept = await history.record([omitUndefined(note)]);
    if (!isKept)
      throw new CommandRefusedError(
        'the note is not kept yet: the history cannot be written (the log says why); the agent writes it when it can, as long as it runs',
        507,
      );
    return omitUndefined({ name: printable(named.name), kind: named.kind, udid });
  }

  /**
   * All events of the host, newest first: one page of at most `EVENTS_PAGE`.
   *
   * @throws {HistoryUnavailableError}
   */
  async history({ since, before }: HistoryAsked): Promise<HistoryEvent[]> {
    const { history } = runningOnly(this.#options);
    if (before === undefined) await history.flush(WRITE_MS);
    return history.events({ since, before, limit: EVENTS_PAGE });
  }

  /**
   * Why a phone or a place is as it is.
   *
   * @param name any name of a phone, a slot, a shelf, a USB port or a hub; `host`
   * @param wanted `since`: events from this moment on, ms since the epoch; `limit`: entries of the timeline at most
   */
  async why(name: string, { since, limit }: { since: number; limit: number }): Promise<Why> {
    const { agent, slots, present: presentOf, timeline } = runningOnly(this.#options);
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
   * Was it the lab or the test, between these moments?
   *
   * @param name any name of one phone
   * @param span ms since the epoch
   * @throws {HistoryUnavailableError}
   */
  async verdict(name: string, span: { from: number; to: number }): Promise<Verdict> {
    const { agent, verdict: verdictOf } = runningOnly(this.#options);
    const phones = placedPhones(agent.state);
    const udid = resolvePhone(name, phones);
    const { verdict, udid: _, ...rest } = await verdictOf({ udid, ...span });
    const { name: called = udid, where: { slot } = {} } = phones.find((each) => each.udid === udid) ?? {};
    return { verdict, phone: omitUndefined({ udid, name: printable(called), slot }), ...rest };
  }
}

function outcomeOf(
  round: RoundSummary | CloudTrouble,
  { reports, phones }: AgentState,
): ReportAnswer['outcome'] {
  if ('failure' in round) return { kind: 'failed', ...round };
  if ('notReporting' in reports) return { kind: 'notReporting', reason: reports.notReporting };
  const { reported = { kind: 'superseded' } } = round;
  if (reported.kind === 'failed') {
    const { error } = reported;
    return {
      kind: 'failed',
      ...(error instanceof CloudError ? error.trouble : { failure: 'internal error' }),
    };
  }
  if (reported.kind !== 'stored') return reported;
  const refused = phones.flatMap(({ device: { udid }, refused: message }) =>
    message === undefined ? [] : [{ udid, message: printable(message) }],
  );
  return { kind: 'stored', devices: reported.devices, refused };
}
