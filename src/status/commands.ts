/** The commands for a running agent, and their results. */
import type { Booking } from '../agent/bookings.ts';
import type { CollectCounts } from '../agent/observer.ts';
import { HostNodeError } from '../base/errors.ts';
import type { CloudTrouble } from '../cloud/errors.ts';
import type { Plan, Why } from './host-status.ts';

/** The agent cannot carry out a valid command; the message says why. */
export class CommandRefusedError extends HostNodeError {
  readonly code = 'COMMAND_REFUSED';
  readonly statusCode: number;
  readonly retryAfterSeconds: number | undefined;

  /** @param statusCode HTTP status; 502 if the cloud is the cause */
  constructor(message: string, statusCode: number, retryAfterSeconds?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

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

/** A phone that goes into maintenance, or out of it; the same of a drain. */
export interface MaintainedPhone {
  udid: string;
  name?: string;
  slot?: string;
}

export type MaintenanceEntry = MaintainedPhone & Plan;

/** Who has booked them, as far as the cloud says. */
export interface BookingsAnswer {
  /** `drainedUntil`: absent for a phone that is not drained. `booking`: absent where the cloud does not say. */
  phones: (MaintainedPhone & { drainedUntil?: number; booking?: Booking })[];
  /** Why the cloud does not say. */
  trouble?: CloudTrouble;
  /** Why the cloud has not stored yet that one is hidden: it takes no report. */
  notHidden?: CloudTrouble;
  /** Why there is no cloud to ask. */
  notReporting?: string;
}

/** Characters of a note. */
export const MOST_NOTE = 500;
/** Characters of the name of who wrote a note, or began a maintenance. */
export const MOST_WRITER = 100;

/** What a note is on. */
export interface NoteAnswer {
  kind: Why['subject']['kind'];
  name: string;
  udid?: string;
}

/** Events of one answer. */
export const EVENTS_PAGE = 1000;
