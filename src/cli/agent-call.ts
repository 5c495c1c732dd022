/** Sends one command to the running agent. Prints a failure and sets the exit code. */

import { exitCode } from '../base/exit-code.ts';
import { type AgentRequest, NoAgentError, refusalIn, requestAgent } from '../status/http/client.ts';
import { type AgentOption, agentSocket } from './agent-socket.ts';
import { sayError } from './terminal.ts';

/** What the agent's HTTP status means for the caller; all others are a failure. */
const codes: Readonly<Record<number, number>> = { 400: exitCode.usage, 502: exitCode.cloud };

/** @returns the answer; undefined after a printed failure */
export async function callAgent<T>(option: AgentOption, request: AgentRequest): Promise<T | undefined> {
  try {
    const answer = await requestAgent(await agentSocket(option), request);
    if (answer.status === 200) return JSON.parse(answer.text) as T;
    sayError(refusalIn(answer));
    process.exitCode = codes[answer.status] ?? exitCode.failed;
  } catch (error) {
    if (!(error instanceof NoAgentError)) throw error;
    sayError(error.message);
    process.exitCode = exitCode.failed;
  }
  return undefined;
}
