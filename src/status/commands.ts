/** The commands for a running agent, and their results. */
import type { CollectCounts } from '../agent/observer.ts';
import { HostNodeError } from '../base/errors.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { HistoryEvent } from '../history/events/event.ts';
import type { Maintenance, Why } from './host-status.ts';

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
 * `name` is any name of one phone; for a maintenance also of a place, or a glob of slots (`diagnosis/explain/names.ts`).
 * Methods that take one throw a `NameError` where nothing has it, or too many.
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
   * @param name any name of a phone or a place
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
