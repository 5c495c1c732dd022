/** `hostnode note`, `forget` and `maintenance`: what a person tells the running agent of a phone or a place. */
import { localTime, zoneName } from '../base/calendar.ts';
import { userName } from '../base/environment.ts';
import { exitCode } from '../base/exit-code.ts';
import { quantity } from '../base/words.ts';
import { placeName } from '../diagnosis/explain/names.ts';
import {
  type MaintainedPhone,
  type MaintenanceEntry,
  MOST_WRITER,
  type NoteAnswer,
  type NoteBody,
} from '../status/commands.ts';
import type { AgentRequest } from '../status/http/client.ts';
import { type AgentOption, callAgent } from './agent.ts';
import { isSpan, momentProblem, parseMoment } from './moment.ts';
import { fail, say, terminalWidth } from './terminal.ts';

/** The agent reports to the cloud first that the phone is gone, ms. */
const FORGET_MS = 60_000;
/** Longer than the disk of the agent may take, ms. */
const KEPT_MS = 20_000;
/** The agent answers from memory, ms. */
const ANSWER_MS = 10_000;
/** The agent's limits, characters. */
const LONGEST_NOTE = 500;
const LONGEST_REASON = 300;
/** The reason of a script that gives none. */
const UNSAID = 'planned work';

/**
 * Writes down what a person has done; `hostnode why` shows it.
 *
 * @param name any name of a phone, a slot, a shelf, a USB port or a hub
 */
export async function note(
  name: string,
  text: string,
  { json, ...option }: AgentOption & { json?: boolean },
): Promise<void> {
  const { length } = [...text.trim()];
  if (length === 0 || length > LONGEST_NOTE)
    return misunderstood(`the note: must be 1 to ${LONGEST_NOTE} characters; it has ${length}`);
  const path = `/notes/${encodeURIComponent(name)}`;
  const body: NoteBody = { text, ...whoWrites() };
  const answer = await callAgent<NoteAnswer>(option, { method: 'POST', path, body, timeoutMs: KEPT_MS });
  if (answer === undefined) return;
  say(json ? JSON.stringify(answer, null, 2) : `noted on ${subjectOf(answer)}`);
}

const misunderstood = (message: string) => fail(exitCode.usage, message);

function subjectOf({ kind, name, udid }: NoteAnswer): string {
  if (kind === 'phone') return udid === undefined || udid === name ? name : `${name} (${udid})`;
  return placeName({ kind, name });
}

/** The person behind sudo, if that has a name. */
export function whoWrites(): { by?: string } {
  const by = process.env.SUDO_USER || userName();
  return by === undefined ? {} : { by: by.slice(0, MOST_WRITER) };
}

/**
 * Makes the agent forget an unplugged phone now, before roster.forgetAfterDays.
 *
 * @param name any name of one phone
 */
export async function forget(
  name: string,
  { json, ...option }: AgentOption & { json?: boolean },
): Promise<void> {
  const path = `/phones/${encodeURIComponent(name)}/forget`;
  const answer = await callAgent<{ udid: string }>(option, { method: 'POST', path, timeoutMs: FORGET_MS });
  if (answer === undefined) return;
  say(json ? JSON.stringify(answer, null, 2) : `forgot ${answer.udid}`);
}

export interface MaintenanceOptions extends AgentOption {
  until?: string;
  /** The same as a span: `5m`. */
  for?: string;
  reason?: string;
  end?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/**
 * Starts and ends maintenance of phones; without a name, lists those in maintenance.
 *
 * @param name any name of one phone or of a place, or a glob of slots
 */
export async function maintenance(name: string | undefined, options: MaintenanceOptions): Promise<void> {
  if (name === undefined) {
    if (
      options.until !== undefined ||
      options.for !== undefined ||
      options.reason !== undefined ||
      options.end ||
      options.dryRun
    )
      misunderstood('name the phone or the place: udid, serial, slot, shelf, USB port, hub, name or model');
    else await list(options);
  } else if (options.dryRun) await ask(name, options, {}, () => 'would be in maintenance');
  else if (options.end)
    await ask(name, options, { method: 'DELETE' }, (is) => `${is} no longer in maintenance`);
  else await begin(name, options);
}

async function list({ json, ...option }: MaintenanceOptions): Promise<void> {
  const entries = await callAgent<MaintenanceEntry[]>(option, { path: '/maintenance', timeoutMs: ANSWER_MS });
  if (entries === undefined) return;
  if (json) say(JSON.stringify(entries, null, 2));
  else if (entries.length === 0) say('No phone is in maintenance');
  else await table(entries);
}

const columns = ['UDID', 'SLOT', 'NAME', 'UNTIL', 'BY', { title: 'REASON', isSentence: true }];

/** @param hasNames with who did it */
export async function table(
  phones: readonly (MaintainedPhone | MaintenanceEntry)[],
  hasNames = false,
): Promise<void> {
  const { tableOf } = await import('./columns.ts'); // measures text, which takes long to load
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
  say(...tableOf(columns, rows, { width: terminalWidth(process.stdout), dispensable: ['NAME'] }));
}

/** Asks the agent, and says what is so of the phones: `R58M1 is in maintenance`, or how many are, and which. */
async function ask(
  name: string,
  option: AgentOption,
  request: Pick<AgentRequest, 'method' | 'body'>,
  sentence: (is: 'is' | 'are') => string,
): Promise<void> {
  const path = `/phones/${encodeURIComponent(name)}/maintenance`;
  const answer = await callAgent<{ phones: MaintainedPhone[] }>(option, {
    ...request,
    path,
    timeoutMs: ANSWER_MS,
  });
  if (answer === undefined) return;
  const { phones } = answer;
  const [first] = phones;
  if (first !== undefined && phones.length === 1) return say(`${first.udid} ${sentence('is')}`);
  say(`${quantity(phones.length, 'phone')} ${sentence('are')}`);
  await table(phones);
}

async function begin(name: string, options: MaintenanceOptions): Promise<void> {
  const { until: moment, for: span, reason = span && UNSAID, ...option } = options;
  const text = moment ?? span;
  if (text === undefined || reason === undefined)
    return misunderstood('give --until and --reason, or --for, or --end');
  if (span !== undefined && !isSpan(span)) return misunderstood(`--for ${span}: must be 5m, 2h, 3d or 1w`);
  const { length } = reason.trim();
  if (length === 0 || length > LONGEST_REASON)
    return misunderstood(`--reason: must be 1 to ${LONGEST_REASON} characters; it has ${length}`);
  const until = parseMoment('--until', text);
  if (until === undefined) return misunderstood(momentProblem('--until', text));
  if (until <= Date.now())
    return misunderstood(`--until ${text}: must be in the future, and ${localTime(until)} is past`);
  const request = { method: 'POST', body: { until, reason, ...whoWrites() } } as const;
  await ask(
    name,
    option,
    request,
    (is) => `${is} in maintenance until ${localTime(until)} ${zoneName(until)}`,
  );
}
