/** `hostnode maintenance`: starts and ends maintenance of phones; without a name, lists those in maintenance. */
import { localTime } from '../base/calendar.ts';
import { exitCode } from '../base/exit-code.ts';
import { quantity } from '../base/words.ts';
import type { MaintainedPhone, MaintenanceEntry } from '../status/commands.ts';
import type { AgentRequest } from '../status/http/client.ts';
import { type AgentOption, callAgent } from './agent.ts';
import { type ColumnOf, tableOfItems } from './columns.ts';
import { parseUntil } from './moment.ts';
import { fail, say, terminalWidth } from './terminal.ts';

export interface MaintenanceOptions extends AgentOption {
  until?: string;
  reason?: string;
  end?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

const ANSWER_MS = 10_000;
/** The agent's limit. */
const LONGEST_REASON = 300;

/** @param name any name of one phone or of a place, or a glob of slots */
export async function maintenance(name: string | undefined, options: MaintenanceOptions): Promise<void> {
  if (name === undefined) {
    if (options.until !== undefined || options.reason !== undefined || options.end || options.dryRun)
      misunderstood('name the phone or the place: udid, serial, slot, shelf, USB port, hub, name or model');
    else await list(options);
  } else if (options.dryRun) await preview(name, options);
  else if (options.end) await end(name, options);
  else await begin(name, options);
}

const misunderstood = (message: string) => fail(exitCode.usage, message);

async function list({ json, ...option }: MaintenanceOptions): Promise<void> {
  const entries = await callAgent<MaintenanceEntry[]>(option, { path: '/maintenance', timeoutMs: ANSWER_MS });
  if (entries === undefined) return;
  if (json) say(JSON.stringify(entries, null, 2));
  else if (entries.length === 0) say('No phone is in maintenance');
  else table([...columns, ...untilColumns], entries);
}

const columns: readonly ColumnOf<MaintainedPhone>[] = [
  { title: 'UDID', value: ({ udid }) => udid },
  { title: 'SLOT', value: ({ slot }) => slot },
  { title: 'NAME', value: ({ name }) => name },
];
const untilColumns: readonly ColumnOf<MaintenanceEntry>[] = [
  { title: 'UNTIL', value: ({ until }) => localTime(until) },
  { title: 'REASON', value: ({ reason }) => reason, isSentence: true },
];

function table<Item>(shown: readonly ColumnOf<Item>[], items: readonly Item[]): void {
  say(...tableOfItems(shown, items, { width: terminalWidth(process.stdout), dispensable: ['NAME'] }));
}

/** Asks the agent, and says what is so of the phones: `R58M1 is in maintenance`, or how many are, and which. */
async function ask(
  name: string,
  option: AgentOption,
  request: Pick<AgentRequest, 'method' | 'body'>,
  one: string,
  many: string,
): Promise<void> {
  const path = `/phones/${encodeURIComponent(name)}/maintenance`;
  const answered = await callAgent<{ phones: MaintainedPhone[] }>(option, {
    ...request,
    path,
    timeoutMs: ANSWER_MS,
  });
  if (answered === undefined) return;
  const { phones } = answered;
  const [first] = phones;
  if (first !== undefined && phones.length === 1) return say(`${first.udid} ${one}`);
  say(`${quantity(phones.length, 'phone')} ${many}`);
  table(columns, phones);
}

/** Names the phones, and changes nothing. */
const preview = (name: string, option: AgentOption): Promise<void> =>
  ask(name, option, {}, 'would be in maintenance', 'would be in maintenance');

async function begin(name: string, { until: text, reason, ...option }: MaintenanceOptions): Promise<void> {
  if (text === undefined || reason === undefined) return misunderstood('give --until and --reason, or --end');
  const { length } = reason.trim();
  if (length === 0 || length > LONGEST_REASON)
    return misunderstood(`--reason: must be 1 to ${LONGEST_REASON} characters; it has ${length}`);
  const until = parseUntil(text);
  if (until === undefined)
    return misunderstood(
      `--until ${text}: must be 30m, 2h, 3d, 1w, a day (2026-11-23) or a time (2026-11-23T18:00)`,
    );
  if (until <= Date.now())
    return misunderstood(`--until ${text}: must be in the future, and ${localTime(until)} is past`);
  const state = `in maintenance until ${localTime(until)}`;
  await ask(name, option, { method: 'POST', body: { until, reason } }, `is ${state}`, `are ${state}`);
}

const end = (name: string, option: AgentOption): Promise<void> =>
  ask(name, option, { method: 'DELETE' }, 'is no longer in maintenance', 'are no longer in maintenance');
