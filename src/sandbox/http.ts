/** How the sandbox reads requests and writes answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';

/** An answer; `body` is sent as JSON. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const problem = (status: number, message: string): Reply => ({ status, body: { message } });

/** 400 with every departure from the API. */
export function invalid(issues: readonly z.core.$ZodIssue[]): Reply {
  const problems = issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  return { status: 400, body: { message: 'the request does not follow the API', problems } };
}

/** The text of a request's body; undefined if it is too long. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
  }
  return bytes <= limitBytes ? Buffer.concat(chunks).toString() : undefined;
}

/** The value of a JSON text; undefined if it is invalid, which no schema allows. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function sendReply(response: ServerResponse, { status, body, headers }: Reply): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  // with its length, head and body go in one piece
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(text), ...headers }).end(text);
}
