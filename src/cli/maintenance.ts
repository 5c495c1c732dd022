/** `hostnode maintenance`: starts and ends maintenance of a phone; without a phone, lists those in maintenance. */

import { exitCode } from '../base/exit-code.ts';
import { localTime } from '../base/local-time.ts';
import type { MaintenanceEntry } from '../status/http/commands.ts';
import { callAgent } from './agent-call.ts';
import type { AgentOption } from './agent-socket.ts';
import { layOut } from './columns.ts';
import { parseUntil } from './moment.ts';
import { say, sayError, terminalWidth } from './terminal.ts';

export interface MaintenanceOptions extends AgentOption {
  until?: string;
  reason?: string;
  end?: boolean;
  json?: boolean;
}

const ANSWER_MS = 10_000;
/** The agent's limit. */
const LONGEST_REASON = 300;

/** @param name any name of one phone */
export async function maintenance(name: string | undefined, options: MaintenanceOptions): Promise<void> {
  if (name === undefined) {
    if (options.until !== undefined || options.reason !== undefined || options.end)
      misunderstood('name the phone: udid, serial, slot, name or model');
    else await list(options);
  } else if (options.end) await end(name, options);
  else await begin(name, options);
}

function misunderstood(message: string): void {
  sayError(message);
  process.exitCode = exitCode.usage;
}

const pathOf = (name: string): string => `/phones/${encodeURIComponent(name)}/maintenance`;

async function list({ json, ...option }: MaintenanceOptions): Promise<void> {
  const entries = await callAgent<MaintenanceEntry[]>(option, { path: '/maintenance', timeoutMs: ANSWER_MS });
  if (entries === undefined) return;
  if (json) say(JSON.stringify(entries, null, 2));
  else if (entries.length === 0) say('No phone is in maintenance');
  else {
    const columns = ['UDID', 'SLOT', 'NAME', 'UNTIL', 'REASON'].map((title) => ({
      title,
      isSentence: title === 'REASON',
    }));
    const rows = entries.map(({ udid, slot = '', name = '', until, reason }) => [
      udid,
      slot,
      name,
      localTime(until),
      reason,
    ]);
    const width = terminalWidth(process.stdout);
    say(...layOut(columns, rows, { width, dispensable: ['NAME'] }));
  }
}

async function begin(name: string, { until: text, reason, ...option }: MaintenanceOptions): Promise<void> {
  if (text === undefined || reason === undefined) {
    misunderstood('give --until and --reason, or --end');
    return;
  }
  const { length } = reason.trim();
  if (length === 0 || length > LONGEST_REASON) {
    misunderstood(`--reason: must be 1 to ${LONGEST_REASON} characters; it has ${length}`);
    return;
  }
  const until = parseUntil(text);
  if (until === undefined) {
    misunderstood(
      `--until ${text}: must be 30m, 2h, 3d, 1w, a day (2026-11-23) or a time (2026-11-23T18:00)`,
    );
    return;
  }
  if (until <= Date.now()) {
    misunderstood(`--until ${text}: must be in the future, and ${localTime(until)} is past`);
    return;
  }
  const answer = await callAgent<{ udid: string }>(option, {
    method: 'POST',
    path: pathOf(name),
    body: { until, reason },
    timeoutMs: ANSWER_MS,
  });
  if (answer !== undefined) say(`${answer.udid} is in maintenance until ${localTime(until)}`);
}

async function end(name: string, option: MaintenanceOptions): Promise<void> {
  const answer = await callAgent<{ udid: string }>(option, {
    method: 'DELETE',
    path: pathOf(name),
    timeoutMs: ANSWER_MS,
  });
  if (answer !== undefined) say(`${answer.udid} is no longer in maintenance`);
}
