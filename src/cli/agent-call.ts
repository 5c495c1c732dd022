/** One command to the running agent: what came of it, or why it could not be done, said and with its exit code. */

import { exitCode } from '../exit-code.ts';
import { ask, NoAgentError, type Question, refusalIn } from '../status/client.ts';
import { type AgentOption, agentSocket } from './agent-socket.ts';
import { sayError } from './terminal.ts';

/** @returns undefined where it was said why there is none */
export async function callAgent<T>(option: AgentOption, question: Question): Promise<T | undefined> {
  try {
    const answer = await ask(await agentSocket(option), question);
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
