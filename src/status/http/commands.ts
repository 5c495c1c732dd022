/** What a person may tell a running agent, and what comes of it; over HTTP on the Unix socket. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { HostNodeError } from '../../base/errors.ts';
import type { Maintenance } from '../host-status.ts';

/** A command that was understood and cannot be done; the message says why, for a person. */
export class CommandRefusedError extends HostNodeError {
  readonly code = 'COMMAND_REFUSED';
  readonly statusCode: number;

  /** @param statusCode of HTTP; 502 when it is the cloud's fault */
  constructor(message: string, statusCode: number) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** What came of one round. */
export interface ReportAnswer {
  /** Phones that adb lists. */
  attached: number;
  asked: number;
  /** Of these, how many gave no fresh answer. */
  failed: number;
  /** Why adb cannot be asked. */
  adbFailure?: string;
  outcome:
    | { kind: 'stored'; devices: number; refused: { udid: string; message: string }[] }
    | { kind: 'notReporting' | 'failed'; reason: string }
    | { kind: 'superseded' | 'postponed' };
}

export interface MaintenanceEntry extends Maintenance {
  udid: string;
  name?: string;
  slot?: string;
}

/** `name` is always a udid, a serial or a slot. */
export interface Commands {
  report(): Promise<ReportAnswer>;
  /** @returns the udid that was forgotten */
  forget(name: string): Promise<string>;
  maintenances(): MaintenanceEntry[];
  /** @returns the udid */
  maintain(name: string, maintenance: Maintenance): Promise<string>;
  endMaintenance(name: string): Promise<string>;
}

const maintenanceBody = z.strictObject({
  until: z.number().int(),
  reason: z.string().trim().min(1).max(300),
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
  app.post<OfPhone>('/phones/:name/maintenance', async ({ params, body }) => {
    const { data } = maintenanceBody.safeParse(body);
    if (data === undefined)
      throw new CommandRefusedError(
        'maintenance needs {"until": ms since the epoch, "reason": text of 1 to 300 characters}',
        400,
      );
    return { udid: await commands.maintain(params.name, data) };
  });
  app.delete<OfPhone>('/phones/:name/maintenance', async ({ params }) => ({
    udid: await commands.endMaintenance(params.name),
  }));
}
