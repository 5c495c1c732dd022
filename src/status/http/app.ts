/** An HTTP app: routes, common headers, bodies of bounded JSON, and errors of one sentence. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type * as z from 'zod';
import { parseJson } from '../../base/errors.ts';
import { Router, readBody } from '../../base/http.ts';
import type { Logger } from '../../base/log.ts';
import { allowed, schemaAt } from '../../base/schema.ts';
import { HistoryUnavailableError } from '../../history/store/history.ts';
import { CommandRefusedError } from '../commands.ts';
import { NameError } from '../names.ts';
import { type ConnectionLimits, createHttpServer, tcpLimits } from './http-server.ts';

const MOST_BODY_BYTES = 16_384;

const commonHeaders = new Map([
  ['cache-control', 'no-store'],
  [
    'content-security-policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
]);

export interface AppRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly raw: IncomingMessage;
  /** The value of the body's JSON; undefined without a body. */
  body(): Promise<unknown>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Resolves to undefined if it has answered by itself. */
export type Handler = (request: AppRequest, response: ServerResponse) => Awaitable<Answer | undefined>;
type Awaitable<T> = T | Promise<T>;

/** `GET` is also for `HEAD`, whose answer Node sends without its body. */
export type Route = readonly [method: 'GET' | 'POST' | 'DELETE', path: string, handler: Handler];

/** @param body its value, or its text as it is sent */
export const json = (body: unknown, status = 200, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
});

export const text = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

/** @param error one sentence */
export const refusal = (status: number, error: string, headers: Answer['headers'] = {}): Answer =>
  json({ error }, status, headers);

/** @throws {CommandRefusedError} 400: what is wrong, and what is allowed */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return data as T;
  const [name] = issue.path;
  if (name === undefined && issue.code === 'custom') throw new CommandRefusedError(issue.message, 400);
  const at = (name !== undefined && schemaAt(schema, [name])) || schema;
  throw new CommandRefusedError(`${String(name ?? 'the body')} must be ${allowed(at)}`, 400);
}

/** The reason to refuse a request; undefined if it is allowed. */
type Check = (request: IncomingMessage) => Awaitable<Answer | undefined>;

export class App {
  readonly server: Server;
  readonly #log: Logger;
  readonly #check: Check | undefined;
  readonly #routes = new Router<{ handle: Handler; check: Check | undefined }>();
  #logged: unknown;

  /** @param options `check`: of all requests */
  constructor(log: Logger, { limits = tcpLimits, check }: { limits?: ConnectionLimits; check?: Check } = {}) {
    this.#log = log;
    this.#check = check;
    this.server = createHttpServer((request, response) => void this.#handle(request, response), limits);
  }

  /** @param check of a request to these routes; absent: they need no password */
  add(routes: readonly Route[], check?: Check): void {
    for (const [method, path, handle] of routes) {
      this.#routes.add(method, path, { handle, check });
      if (method === 'GET') this.#routes.add('HEAD', path, { handle, check });
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeaders(commonHeaders);
    const answer = await this.#answer(request, response).catch((error) => this.#answerOf(error));
    if (answer === undefined || response.destroyed) return;
    const { status, headers, body } = answer;
    response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | undefined> {
    const { method = '', url = '/' } = request;
    const refused = await this.#check?.(request);
    if (refused !== undefined) return refused;
    const found = this.#routes.find(method, url);
    if (found === undefined) return refusal(404, 'not found');
    const { target, params, query } = found;
    const denied = await target.check?.(request);
    if (denied !== undefined) return denied;
    return target.handle({ params, query, raw: request, body: () => bodyOf(request) }, response);
  }

  #answerOf(error: unknown): Answer {
    if (error instanceof CommandRefusedError) {
      const { statusCode, message, retryAfterSeconds: seconds } = error;
      return refusal(statusCode, message, seconds === undefined ? {} : { 'retry-after': String(seconds) });
    }
    if (error instanceof HistoryUnavailableError)
      return refusal(503, `the history does not answer: ${error.message}`);
    if (error instanceof NameError) return refusal(error.isKnown ? 409 : 404, error.message);
    if (error instanceof URIError) return refusal(400, error.message);
    // many requests may share one failure: log it once
    if (error !== this.#logged) this.#log.error({ err: error }, 'a request to the status server failed');
    this.#logged = error;
    return refusal(500, 'internal error: see the log');
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, MOST_BODY_BYTES).catch(() => {
    throw new CommandRefusedError('the body has no end', 400);
  });
  if (body === undefined) throw new CommandRefusedError('the body is too long', 413);
  if (body === '') return undefined;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new CommandRefusedError('the body must be application/json', 415);
  const value = parseJson(body);
  if (value === undefined) throw new CommandRefusedError('the body is not JSON', 400);
  return value;
}
