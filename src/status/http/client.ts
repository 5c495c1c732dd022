/** Calls a running agent over its Unix socket. Imports only Node's own HTTP, to start fast. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { HostNodeError, hasCode, parseJson } from '../../base/errors.ts';
import { Deadline } from '../../base/time.ts';
import { tooLong } from './socket-path.ts';

/** No agent answers, or it has no room for another follower. Start one, or use another user. */
export class NoAgentError extends HostNodeError {
  readonly code = 'NO_AGENT';
}

export interface AgentResponse {
  status: number;
  text: string;
}

export interface AgentRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Time limit for the whole answer, ms. */
  timeoutMs: number;
  /** Ends the request; it then throws the signal's reason. */
  signal?: AbortSignal;
}

/** @throws {NoAgentError} */
export async function requestAgent(socketPath: string, agentRequest: AgentRequest): Promise<AgentResponse> {
  const { timeoutMs, signal } = agentRequest;
  using limit = new Deadline(timeoutMs, signal);
  try {
    const response = await open(socketPath, agentRequest, limit.signal);
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.signal.aborted) throw new NoAgentError(silent(socketPath, timeoutMs));
    throw noAgent(socketPath, error);
  }
}

/**
 * Yields the data of each `status` event, until the agent ends or the signal fires.
 *
 * @param patience limits of silence, ms: before the first event, and later (the agent sends something every 10 s)
 * @throws {NoAgentError} also when the agent falls silent
 */
export async function* follow(
  socketPath: string,
  signal: AbortSignal,
  { firstMs = 5_000, thenMs = 60_000 } = {},
): AsyncGenerator<string> {
  const silence = new AbortController();
  const noneWithin = (ms: number) =>
    setTimeout(() => silence.abort(new NoAgentError(silent(socketPath, ms))), ms).unref();
  let timer = noneWithin(firstMs);
  try {
    const either = AbortSignal.any([signal, silence.signal]);
    const response = await open(socketPath, { path: '/api/events' }, either);
    const { statusCode: status = 0 } = response;
    if (status !== 200) throw new NoAgentError(refusalIn({ status, text: await textOf(response) }));
    clearTimeout(timer);
    timer = noneWithin(thenMs);
    response.setEncoding('utf8');
    let text = '';
    for await (const part of response) {
      timer.refresh();
      const events = (text + part).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? [];
        if (data !== undefined) yield data;
      }
    }
    silence.signal.throwIfAborted();
  } catch (error) {
    silence.signal.throwIfAborted();
    if (error instanceof NoAgentError) throw error;
    if (!signal.aborted) throw noAgent(socketPath, error);
  } finally {
    clearTimeout(timer);
  }
}

const silent = (socketPath: string, ms: number): string =>
  `the agent at ${socketPath} did not answer within ${ms / 1000} s`;

export const refusalIn = ({ status, text }: AgentResponse): string =>
  (parseJson(text) as { error: string } | undefined)?.error ??
  (status === 431
    ? 'the name is too long: no phone or place has such a long one'
    : `the agent answered with HTTP ${status}`);

async function open(
  socketPath: string,
  { method = 'GET', path, body }: Omit<AgentRequest, 'timeoutMs' | 'signal'>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const problem = tooLong(socketPath);
  if (problem !== undefined)
    throw new NoAgentError(`${socketPath} cannot be opened: ${problem}; give the agent a shorter state.dir`);
  const json = body === undefined ? undefined : JSON.stringify(body);
  // of a DELETE, Node does not send the length by itself
  const ofBody = json && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) };
  const headers = { host: 'localhost', ...ofBody };
  const sent = request({ socketPath, method, path, headers, signal, agent: false });
  sent.end(json);
  const [response] = await once(sent, 'response');
  return response;
}

/** What the system's codes mean here; `AT` stands for the socket's path. */
const absent =
  'no agent answers at AT: is hostnode running? To ask another agent, give its --config or --socket';
const ended = 'the agent at AT has ended';
const foreign = 'what answers at AT is not hostnode: give the --config or --socket of an agent';
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'AT denies access to this user: run the command as root, or join the group hostnode',
  ENOENT: absent,
  ECONNREFUSED: absent,
  ENOTDIR: absent,
  EPROTOTYPE: foreign,
  HPE_INVALID_CONSTANT: foreign,
  ECONNRESET: ended,
  EPIPE: ended,
  EAGAIN: 'the agent at AT accepts no more connections: does it hang?',
};

function noAgent(socketPath: string, error: unknown): unknown {
  const [, reason] = Object.entries(reasons).find(([code]) => hasCode(error, code)) ?? [];
  return reason === undefined ? error : new NoAgentError(reason.replace('AT', () => socketPath));
}
