/** What answers an operation, and how its answers go over the wire. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Contract } from '../cloud/contract/index.ts';
import type { InputOf, Operation } from '../cloud/contract/operation.ts';
import type { State, User } from './state.ts';

/** What a handler may use besides the state. */
export interface Services {
  now(): number;
  /** How long an uploaded app is shown as being parsed, ms. */
  readonly parseForMs: number;
  /** The answer of GET /gestures: the API's document leaves it open. */
  readonly gestures: 'array' | 'object';
  /** The list also says which host reported a device last (`nodeId`): the API's document does not. */
  readonly namesHosts?: boolean;
  /** The reason to reject a device, if it is to be. */
  refusalOf(udid: string): string | undefined;
  signedUrl(appPath: string): string;
  iconUrl(versionId: number): string;
  /** Reads the uploaded file in the background, and keeps what is in it. */
  parse(versionId: number): void;
}

export interface Call<O extends Operation = Operation> {
  readonly input: InputOf<O>;
  readonly caller: User;
  readonly state: State;
  readonly services: Services;
}

/** What goes over the wire. */
type Wire<O extends Operation> = O['answer'] extends z.ZodType ? z.input<O['answer']> : undefined;

export type Handler<O extends Operation> = (call: Call<O>) => Wire<O>;

/** Handlers of all operations of a resource: one that is missing does not compile. */
export type HandlersOf<Resource extends keyof Contract> = {
  readonly [Verb in keyof Contract[Resource]]: Contract[Resource][Verb] extends Operation
    ? Handler<Contract[Resource][Verb]>
    : never;
};

/** The operation cannot be done; the message goes to the caller. */
export class Problem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const notFound = (what: string): Problem => new Problem(404, `there is no ${what}`);

export const timeOf = (ms: number): string => new Date(ms).toISOString();

/** An answer; `body` is sent as JSON. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const problem = (status: number, message: string): Reply => ({ status, body: { message } });

export const methodNotAllowed = (method: string, allowed: readonly string[]): Reply => ({
  ...problem(405, `${method} is not allowed here`),
  headers: { allow: allowed.join(', ') },
});

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
