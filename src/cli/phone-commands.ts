/** `hostnode note`, `forget` and `maintenance`: what a person tells the running agent of a phone or a place. */
import { localTime, zoneName } from '../base/calendar.ts';
import { userName } from '../base/environment.ts';
import { quantity } from '../base/words.ts';
import {
  type MaintainedPhone,
  type MaintenanceEntry,
  MOST_WRITER,
  type NoteAnswer,
} from '../status/commands.ts';
import type { AgentRequest } from '../status/http/client.ts';
import { placeName } from '../status/names.ts';
import { type AgentOptions, callAgent, NAMES } from './agent.ts';
import { endOf } from './moment.ts';
import { say, sayJson, UsageError } from './terminal.ts';

/** The agent reports to the cloud first that the phone is gone, ms. */
const FORGET_MS = 60_000;
/** Longer than the disk of the agent may take, ms. */
const KEPT_MS = 20_000;
/** The reason of a script that gives none. */
const UNSAID = 'planned work';

type JsonOption = AgentOptions<'json'>;

export async function note(name: string, text: string, { json, ...option }: JsonOption): Promise<void> {
  const path = `/notes/${encodeURIComponent(name)}`;
  const body = { text, ...whoWrites() };
  const answer = await callAgent<NoteAnswer>(option, { method: 'POST', path, body, timeoutMs: KEPT_MS });
  if (json) sayJson(answer);
  else say(`noted on ${subjectOf(answer)}`);
}

function subjectOf({ kind, name, udid }: NoteAnswer): string {
  if (kind === 'phone') return udid === undefined || udid === name ? name : `${name} (${udid})`;
  return placeName({ kind, name });
}

/** The person behind sudo, if that has a name. */
export function whoWrites(): { by?: string } {
  const by = process.env.SUDO_USER || userName();
  return by === undefined ? {} : { by: by.slice(0, MOST_WRITER) };
}

export async function forget(name: string, { json, ...option }: JsonOption): Promise<void> {
  const path = `/phones/${encodeURIComponent(name)}/forget`;
  const answer = await callAgent<{ udid: string }>(option, { method: 'POST', path, timeoutMs: FORGET_MS });
  if (json) sayJson(answer);
  else say(`forgot ${answer.udid}`);
}

export type MaintenanceOptions = AgentOptions<'end' | 'json', 'until' | 'for' | 'reason'>;

export async function maintenance(name: string | undefined, options: MaintenanceOptions): Promise<void> {
  const { until: moment, for: span, reason = span && UNSAID, end, json, ...option } = options;
  if (name === undefined) {
    if ((moment ?? reason) !== undefined || end)
      throw new UsageError(`name the phone or the place: ${NAMES}`);
    return await sayList('maintenance', options);
  }
  const ask = async (request: Pick<AgentRequest, 'method' | 'body'>, sentence: (is: string) => string) => {
    const path = `/phones/${encodeURIComponent(name)}/maintenance`;
    await sayPhones(await callAgent<Phones>(option, { ...request, path }), sentence);
  };
  if (end) return await ask({ method: 'DELETE' }, (is) => `${is} no longer in maintenance`);
  if ((moment ?? span) === undefined || reason === undefined)
    throw new UsageError('give --until and --reason, or --for, or --end');
  const until = endOf(options);
  const request = { method: 'POST', body: { until, reason, ...whoWrites() } } as const;
  await ask(request, (is) => `${is} in maintenance until ${localTime(until)} ${zoneName(until)}`);
}

export interface Phones<P = MaintainedPhone> {
  phones: P[];
}

export async function sayList(plan: 'maintenance' | 'drain', { json, ...option }: JsonOption): Promise<void> {
  const entries = await callAgent<MaintenanceEntry[]>(option, { path: `/${plan}` });
  if (json) sayJson(entries);
  else if (entries.length > 0) await table(entries, plan === 'drain');
  else say(plan === 'drain' ? 'No phone is drained' : 'No phone is in maintenance');
}

/** Prints what is so of these phones: `R58M1 is drained`, or of how many it is, and which. */
export async function sayPhones(
  { phones }: Phones<MaintainedPhone | MaintenanceEntry>,
  sentence: (is: 'is' | 'are') => string,
  hasNames = false,
): Promise<void> {
  const [first] = phones;
  if (first !== undefined && phones.length === 1) return say(`${first.udid} ${sentence('is')}`);
  say(`${quantity(phones.length, 'phone')} ${sentence('are')}`);
  await table(phones, hasNames);
}

const columns = ['UDID', 'SLOT', 'NAME', 'UNTIL', 'BY', { title: 'REASON', isSentence: true }];

async function table(
  phones: readonly (MaintainedPhone | MaintenanceEntry)[],
  hasNames: boolean,
): Promise<void> {
  const { show, tableOf } = await import('./columns.ts'); // measures text, which takes long to load
  const rows = phones.map((phone) => ({
    UDID: phone.udid,
    SLOT: phone.slot,
    NAME: phone.name,
    ...('until' in phone && {
      UNTIL: `${localTime(phone.until)} ${zoneName(phone.until)}`,
      BY: hasNames ? phone.by : undefined,
      REASON: phone.reason,
    }),
  }));
  show(tableOf(columns, rows, ['NAME']));
}
