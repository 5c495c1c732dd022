/** Sends one command to the running agent. Prints a failure and sets the exit code. */

import { exitCode } from '../base/exit-code.ts';
import { type AgentRequest, NoAgentError, refusalIn, requestAgent } from '../status/http/client.ts';
import { type AgentOption, agentSocket } from './agent-socket.ts';
import { sayError } from './terminal.ts';

/** @returns the answer; undefined after a printed failure */
export async function callAgent<T>(option: AgentOption, request: AgentRequest): Promise<T | undefined> {
  try {
    const answer = await requestAgent(await agentSocket(option), request);
    if (answer.status === 200) return JSON.parse(answer.text) as T;
    sayError(refusalIn(answer));
    process.exitCode = answer.status === 502 ? exitCode.cloud : exitCode.failed;
  } catch (error) {
    if (!(error instanceof NoAgentError)) throw error;
    sayError(error.message);
    process.exitCode = exitCode.failed;
  }
  return undefined;
}
