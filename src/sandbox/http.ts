/** How the sandbox writes its answers. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { Problem } from './handler.ts';

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

/** What is made, or why it cannot be. */
export function replyOf(make: () => unknown): Reply {
  try {
    return { status: 200, body: make() };
  } catch (error) {
    if (error instanceof z.ZodError) return invalid(error.issues);
    if (error instanceof Problem) return problem(error.status, error.message);
    throw error;
  }
}

/** @returns bytes of the body */
export function sendReply(response: ServerResponse, { status, body, headers }: Reply): number {
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  // with its length, head and body go in one piece
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, { ...type, 'content-length': bytes, ...headers }).end(text);
  return bytes;
}
