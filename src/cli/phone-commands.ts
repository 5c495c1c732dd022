/** `hostnode note` and `hostnode forget`: what a person tells the running agent of a phone or a place. */
import { userInfo } from 'node:os';
import { exitCode } from '../base/exit-code.ts';
import { placeName } from '../diagnosis/explain/names.ts';
import type { NoteAnswer, NoteBody } from '../status/commands.ts';
import { type AgentOption, callAgent } from './agent.ts';
import { fail, say } from './terminal.ts';

/** The agent reports to the cloud first that the phone is gone, ms. */
const FORGET_MS = 60_000;
/** Longer than the disk of the agent may take, ms. */
const KEPT_MS = 20_000;
/** The agent's limit, characters. */
const LONGEST = 500;

/**
 * Writes down what a person has done; `hostnode why` shows it.
 *
 * @param name any name of a phone, a slot, a shelf, a USB port or a hub
 */
export async function note(name: string, text: string, option: AgentOption): Promise<void> {
  const { length } = [...text.trim()];
  if (length === 0 || length > LONGEST)
    return fail(exitCode.usage, `the note: must be 1 to ${LONGEST} characters; it has ${length}`);
  const path = `/notes/${encodeURIComponent(name)}`;
  const body: NoteBody = { text, ...whoWrites() };
  const answer = await callAgent<NoteAnswer>(option, { method: 'POST', path, body, timeoutMs: KEPT_MS });
  if (answer !== undefined) say(`noted on ${subjectOf(answer)}`);
}

function subjectOf({ kind, name, udid }: NoteAnswer): string {
  if (kind === 'phone') return udid === undefined || udid === name ? name : `${name} (${udid})`;
  return placeName({ kind, name });
}

/** The person behind sudo; absent where the system has no name for the user, as in a container. */
function whoWrites(): { by?: string } {
  const by = process.env.SUDO_USER || nameOfUser();
  return by === undefined ? {} : { by: by.slice(0, 100) };
}

function nameOfUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/**
 * Makes the agent forget an unplugged phone now, before roster.forgetAfterDays.
 *
 * @param name any name of one phone
 */
export async function forget(name: string, option: AgentOption): Promise<void> {
  const path = `/phones/${encodeURIComponent(name)}/forget`;
  const answer = await callAgent<{ udid: string }>(option, { method: 'POST', path, timeoutMs: FORGET_MS });
  if (answer !== undefined) say(`forgot ${answer.udid}`);
}
