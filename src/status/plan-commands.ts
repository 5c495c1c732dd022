/**
 * What people command for phones until a time: a maintenance, and a drain with the bookings that it waits for. `name`: see
 * `ControlApi`.
 */
import type { Agent } from '../agent/agent.ts';
import { HOUR_MS, localTime } from '../base/calendar.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { naturalOrder } from '../base/words.ts';
import { CloudError } from '../cloud/errors.ts';
import { type PlacedPhone, placedPhones, resolvePhones } from '../diagnosis/explain/names.ts';
import type { HistoryClient } from '../history/store/client.ts';
import { StateUnwritableError } from '../host/state-errors.ts';
import {
  type BookingsAnswer,
  CommandRefusedError,
  type DrainBody,
  type EndBody,
  type MaintainedPhone,
  type MaintenanceEntry,
  runningOnly,
} from './commands.ts';
import type { Maintenance } from './host-status.ts';
import type { PlanKind, Plans } from './phone-plan.ts';

export interface PlanCommandsOptions {
  plans: Plans;
  agent: Pick<Agent, 'state' | 'isStopping' | 'bookings'>;
  history: Pick<HistoryClient, 'record'>;
  /** The cloud's name for a list of udids whose reservations are to end. */
  udidsField?: string;
  /** Names of the configured slots, in the order of the rack. */
  slots: readonly string[];
}

/** A working day: a drain that somebody forgets ends by itself. */
const DRAIN_MS = 8 * HOUR_MS;
/** For longer, take the phone out of the rack, ms. */
const LONGEST_MS = 366 * 24 * HOUR_MS;
/** Names of people who drain the same phone. */
const MOST_DRAINERS = 3;

export class PlanCommands {
  readonly #options: PlanCommandsOptions;

  constructor(options: PlanCommandsOptions) {
    this.#options = options;
  }

  /** What is planned, the first to end first. */
  list(kind: PlanKind): MaintenanceEntry[] {
    const { agent, plans } = runningOnly(this.#options);
    const phones = new Map(placedPhones(agent.state).map((phone) => [phone.udid, maintainedPhone(phone)]));
    return plans[kind].list().map((entry) => ({ ...entry, ...phones.get(entry.udid) }));
  }

  #phones(name: string): MaintainedPhone[] {
    const { agent, slots } = runningOnly(this.#options);
    return resolvePhones(name, placedPhones(agent.state), slots)
      .map(maintainedPhone)
      .sort((one, other) => naturalOrder(one.slot ?? '', other.slot ?? ''));
  }

  /** @returns the phones, at least one */
  async maintain(name: string, maintenance: Maintenance): Promise<MaintainedPhone[]> {
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
  async drain(name: string, wanted: DrainBody): Promise<MaintenanceEntry[]> {
    const udids = udidsOf(this.#phones(name));
    if (wanted.until !== undefined) checkUntil(wanted.until);
    await kept(this.#options.plans.drain.begin(udids, (before) => joined(before, wanted)));
    return this.list('drain').filter(({ udid }) => udids.includes(udid));
  }

  /**
   * @param isForAll also what other people drained
   * @returns those for which it lasted, at least one
   */
  async end(kind: PlanKind, name: string, { by, isForAll = false }: EndBody): Promise<MaintainedPhone[]> {
    const { [kind]: plan } = runningOnly(this.#options).plans;
    const phones = plan.of(name) ? [{ udid: name }] : this.#phones(name); // one of a plan may be forgotten already
    if (kind === 'drain' && !isForAll) for (const { udid } of phones) checkOthers(udid, plan.of(udid), by);
    const were = await kept(plan.end(udidsOf(phones), by));
    const [first, ...others] = phones;
    if (were.length === 0) {
      const who = others.length === 0 ? `${first?.udid} is not` : `none of these ${phones.length} phones is`;
      throw new CommandRefusedError(`${who} ${kind === 'drain' ? 'drained' : 'in maintenance'}`, 404);
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
    return omitUndefined({ phones: asked, trouble });
  }

  /**
   * Ends the reservations of those of these phones that are drained and booked; the history has who did it.
   *
   * @returns these phones
   */
  async endReservations(name: string, by?: string): Promise<MaintainedPhone[]> {
    const { agent, history, udidsField } = runningOnly(this.#options);
    if (udidsField === undefined)
      throw new CommandRefusedError(
        'set cloud.reservationUdids first: the API does not show by which name your cloud takes udids (docs/operate.md)',
        400,
      );
    const { phones, trouble } = await this.bookings(name);
    if (trouble) throw new CommandRefusedError(trouble.failure, 502);
    const booked = phones.filter(({ booking }) => booking === 'booked');
    const udids = udidsOf(booked);
    if (udids.length > 0)
      await agent.bookings?.end(udids, udidsField).catch((error: unknown) => {
        throw error instanceof CloudError ? new CommandRefusedError(error.message, 502) : error;
      });
    const note = { kind: 'note', at: Date.now(), text: 'ended its reservation, to drain it', by } as const;
    const ended = placedPhones(agent.state).filter(({ udid }) => udids.includes(udid));
    await history.record(ended.map(({ udid, where }) => omitUndefined({ ...note, udid, where })));
    return booked.map(({ booking: _, drainedUntil: __, ...phone }) => phone);
  }
}

const udidsOf = (phones: readonly { udid: string }[]): string[] => phones.map(({ udid }) => udid);

const maintainedPhone = ({ udid, where: { slot }, name }: PlacedPhone): MaintainedPhone =>
  omitUndefined({ udid, slot, name });

/** @throws {CommandRefusedError} it is over, or too far ahead */
function checkUntil(until: number): void {
  const fromNowMs = until - Date.now();
  if (fromNowMs <= 0) throw new CommandRefusedError('--until is in the past', 400);
  if (fromNowMs > LONGEST_MS) throw new CommandRefusedError('--until is more than a year ahead', 400);
}

/** Who drained a phone, but for this one: `anna, bert`. Each of them may still need it. */
const othersOf = ({ by = '' }: Pick<Maintenance, 'by'> = {}, own?: string): string[] =>
  by.split(', ').filter((name) => name !== '' && name !== own);

/** Who drains what another person has drained is named beside them, and it lasts as long as any of them wants. */
function joined(before: Maintenance | undefined, { until, reason, by }: DrainBody): Maintenance {
  const others = othersOf(before, by);
  const wanted = until ?? before?.until ?? Date.now() + DRAIN_MS;
  return omitUndefined({
    until: before && others.length > 0 ? Math.max(wanted, before.until) : wanted,
    reason: reason ?? before?.reason ?? '',
    by: [...others, ...(by ? [by] : [])].slice(-MOST_DRAINERS).join(', ') || undefined,
  });
}

/** @throws {CommandRefusedError} somebody else drained it too */
function checkOthers(udid: string, drain: Maintenance | undefined, own?: string): void {
  const others = othersOf(drain, own);
  if (drain === undefined || others.length === 0) return;
  const why = drain.reason === '' ? '' : `: ${drain.reason}`;
  const who = `${others.join(', ')} drained ${udid} until ${localTime(drain.until)}${why}`;
  throw new CommandRefusedError(`${who}. Ask first; --yes ends it for all`, 409);
}

/**
 * If the disk is not writable, a command holds until a restart.
 *
 * @throws {CommandRefusedError} and says so
 */
export async function kept<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof StateUnwritableError)) throw error;
    throw new CommandRefusedError(`done, until the next restart: ${error.message}`, 507);
  }
}
