/** HTTP by got, for the agent and the commands. */
import type { Exchange, Sent, Stage } from './http.ts';

/** Got's names of the limits that are not for a connection. */
const stages: Readonly<Record<string, Stage>> = { request: 'answer', response: 'answer', socket: 'progress' };

export async function gotEngine(exchange: Exchange): Promise<Sent> {
  const { method, url, headers, body, isStreamed, agent, maxHeaderSize, late } = exchange;
  const { connectMs, limitMs } = exchange;
  // loaded here: most commands never contact the cloud
  const { default: got, TimeoutError } = await import('got');
  const stream = got.stream(url, {
    method: method as 'GET', // got sends any, but its types know no DEL
    headers,
    ...(body !== undefined && bodyOf(body)),
    agent,
    timeout: {
      ...{ lookup: connectMs, connect: connectMs, secureConnect: connectMs },
      ...(isStreamed ? { socket: limitMs, response: limitMs } : { request: limitMs }),
    },
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    followRedirect: false,
    maxHeaderSize,
  });
  stream.on('error', (error) => {
    if (error instanceof TimeoutError) late(stages[error.event] ?? 'connection');
  });
  return stream;
}

/**
 * A text as got wants it. It is JSON, and given as such: of any other body got asks whether it is a form, and for that
 * Node loads all of its `fetch`, 3 MB.
 */
const bodyOf = (body: string | Uint8Array) =>
  typeof body === 'string' && body !== ''
    ? { json: body, stringifyJson: (json: unknown) => String(json) }
    : { body };
