/** The commands for a running agent, and their results; over HTTP on the Unix socket. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { CollectCounts } from '../../agent/observer.ts';
import { HostNodeError } from '../../base/errors.ts';
import type { CloudTrouble } from '../../cloud/errors.ts';
import type { HistoryEvent } from '../../diagnosis/events/event.ts';
import type { Maintenance, Why } from '../host-status.ts';

/** The agent cannot carry out a valid command; the message says why. */
export class CommandRefusedError extends HostNodeError {
  readonly code = 'COMMAND_REFUSED';
  readonly statusCode: number;

  /** @param statusCode HTTP status; 502 if the cloud is the cause */
  constructor(message: string, statusCode: number) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** The result of one round. */
export interface ReportAnswer extends CollectCounts {
  /** Phones that adb lists. */
  attached: number;
  adbFailure?: string;
  outcome:
    | { kind: 'stored'; devices: number; refused: { udid: string; message: string }[] }
    | { kind: 'notReporting'; reason: string }
    | ({ kind: 'failed' } & CloudTrouble)
    | { kind: 'superseded' | 'postponed' };
}

export interface MaintenanceEntry extends Maintenance {
  udid: string;
  name?: string;
  slot?: string;
}

/** A phone that goes into maintenance, or out of it. */
export type MaintainedPhone = Pick<MaintenanceEntry, 'udid' | 'name' | 'slot'>;

/** Characters of a note. */
export const MOST_NOTE = 500;

/** `by`: who wrote it, as the caller says; the socket does not tell. */
export interface NoteBody {
  text: string;
  by?: string;
}

/** What the note is on. */
export interface NoteAnswer {
  kind: Why['subject']['kind'];
  name: string;
  udid?: string;
}

/**
 * `name` is any name of one phone (`named-phone.ts`); for a maintenance also of a place, or a glob of slots
 * (`phones-meant.ts`).
 */
export interface Commands {
  report(): Promise<ReportAnswer>;
  /**
   * Resolves when the phone is forgotten, and its history erased.
   *
   * @returns its udid
   */
  forget(name: string): Promise<string>;
  maintenances(): MaintenanceEntry[];
  /** The phones that a maintenance of that name would be of. */
  maintainable(name: string): MaintainedPhone[];
  /** @returns the phones, at least one */
  maintain(name: string, maintenance: Maintenance): Promise<MaintainedPhone[]>;
  /** @returns those that were in maintenance, at least one */
  endMaintenance(name: string): Promise<MaintainedPhone[]>;
  /**
   * Resolves when the note is on the disk.
   *
   * @param name any name of a phone or a place (`named-subject.ts`)
   */
  note(name: string, note: NoteBody): Promise<NoteAnswer>;
  /** All events of the host, newest first: one page of at most `EVENTS_PAGE`. */
  history(query: HistoryAsked): Promise<HistoryEvent[]>;
}

/** Events of one answer. */
export const EVENTS_PAGE = 1000;

export interface HistoryAsked {
  /** ms since the epoch. */
  since: number;
  /** Only events before this `id`: the next page. */
  before?: number | undefined;
}

const maintenanceBody = z.strictObject({
  until: z.number().int(),
  reason: z.string().trim().min(1).max(300),
});

const noteBody = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1)
    .refine((text) => [...text].length <= MOST_NOTE),
  by: z.string().max(100).exactOptional(),
});

const historyQuery = z.object({
  since: z.coerce.number().min(0).max(8.64e15),
  before: z.coerce.number().int().min(1).exactOptional(),
});

interface OfPhone {
  Params: { name: string };
}

export function addCommands(app: FastifyInstance, commands: Commands): void {
  app.post('/report', () => commands.report());
  app.get('/maintenance', () => commands.maintenances());
  app.post<OfPhone>('/phones/:name/forget', async ({ params }) => ({
    udid: await commands.forget(params.name),
  }));
  app.get<OfPhone>('/phones/:name/maintenance', ({ params }) => ({
    phones: commands.maintainable(params.name),
  }));
  app.post<OfPhone>('/phones/:name/maintenance', async ({ params, body }) => {
    const { data } = maintenanceBody.safeParse(body);
    if (data === undefined)
      throw new CommandRefusedError(
        'maintenance needs {"until": ms since the epoch, "reason": text of 1 to 300 characters}',
        400,
      );
    return { phones: await commands.maintain(params.name, data) };
  });
  app.post<OfPhone>('/notes/:name', async ({ params, body }) => {
    const { data } = noteBody.safeParse(body);
    if (data === undefined)
      throw new CommandRefusedError(
        `a note needs {"text": 1 to ${MOST_NOTE} characters, "by": who wrote it, at most 100 characters}`,
        400,
      );
    return commands.note(params.name, data);
  });
  app.get('/history', async ({ query }) => {
    const { data } = historyQuery.safeParse(query);
    if (data === undefined)
      throw new CommandRefusedError(
        'history takes since (ms since the epoch) and before (id of an event)',
        400,
      );
    return commands.history(data);
  });
  app.delete<OfPhone>('/phones/:name/maintenance', async ({ params }) => ({
    phones: await commands.endMaintenance(params.name),
  }));
}
