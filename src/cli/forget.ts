/** `hostnode forget`: makes the running agent forget an unplugged phone now, before roster.forgetAfterDays. */
import { type AgentOption, callAgent } from './agent.ts';
import { say } from './terminal.ts';

/** The agent reports it to the cloud first, ms. */
const FORGET_MS = 60_000;

/** @param name any name of one phone */
export async function forget(name: string, option: AgentOption): Promise<void> {
  const path = `/phones/${encodeURIComponent(name)}/forget`;
  const answer = await callAgent<{ udid: string }>(option, { method: 'POST', path, timeoutMs: FORGET_MS });
  if (answer !== undefined) say(`forgot ${answer.udid}`);
}
