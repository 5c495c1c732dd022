/** Answers requests of the API: finds the operation, checks who asks and what, and calls its handler. No sockets. */

import * as z from 'zod';
import { attempt } from '../base/errors.ts';
import { Router } from '../base/http.ts';
import { type Contract, contract, operations } from '../cloud/contract/index.ts';
import { inputsOf, valueOfText } from '../cloud/contract/inputs.ts';
import type { Operation } from '../cloud/contract/operation.ts';
import { DocumentedReport } from '../cloud/contract/report.ts';
import {
  type Call,
  type HandlersOf,
  invalid,
  methodNotAllowed,
  problem,
  type Reply,
  replyOf,
  type Services,
} from './handler.ts';
import { apps, versions } from './handlers/apps.ts';
import { dataSets } from './handlers/data-sets.ts';
import { devices } from './handlers/devices.ts';
import { gestures, groups, organization, userOf } from './handlers/users.ts';
import { v2 } from './handlers/v2.ts';
import type { State, User } from './state.ts';

const own = { apps, versions, dataSets, devices, gestures, groups, organization, v2 };
const handlers: { readonly [Resource in keyof Contract]: HandlersOf<Resource> } = own;

type AnyHandler = (call: Call) => unknown;

/** The types see to it that each operation has one. */
export function handlerOf({ id }: Operation): AnyHandler | undefined {
  const [resource = '', verb = ''] = id.split('.');
  const all = handlers as unknown as Record<string, Record<string, AnyHandler>>;
  return all[resource]?.[verb];
}

/** An operation, and what the URL has for its inputs. */
export interface Found {
  readonly operation: Operation;
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
}

/** What the API's document writes as `DEL` is at `DELETE` too. */
const sentAs = (method: string): string => (method === 'DEL' ? 'DELETE' : method);

const router = new Router<Operation>();
for (const operation of operations) {
  const path = `/${operation.api}${operation.path.replaceAll(/{(\w+)}/g, ':$1')}`;
  router.add(sentAs(operation.method), path, operation);
}
const methods = [...new Set(operations.map(({ method }) => sentAs(method)))];

/**
 * @param url as it was sent, with the root of the version: `/v1/apps/12`
 * @returns the methods that the path has, if it has not this one
 */
export function findOperation(method: string, url: string): Found | { readonly methods: readonly string[] } {
  const found = routeOf(sentAs(method), url);
  if (found === undefined || (method === 'DEL' && found.target.method !== 'DEL'))
    return { methods: methods.flatMap((each) => routeOf(each, url)?.target.method ?? []) };
  const { target: operation, params, query } = found;
  return { operation, params: valuesOf(operation, params), query: valuesOf(operation, query) };
}

/** Undefined also for a path that is not well encoded, or lacks a part. */
function routeOf(method: string, url: string) {
  const found = attempt(() => router.find(method, url));
  return found === undefined || Object.values(found.params).includes('') ? undefined : found;
}

/** What the texts stand for. A list may be given with commas, or its name several times; nothing else twice. */
function valuesOf(operation: Operation, texts: Readonly<Record<string, string | string[]>>) {
  const kinds = new Map(inputsOf(operation).map(({ name, kind }) => [name, kind]));
  return Object.fromEntries(
    Object.entries(texts).map(([name, given]): [string, unknown] => {
      const read = (text: string) => valueOfText(kinds.get(name) ?? 'text', text);
      return [name, Array.isArray(given) ? given.flatMap(read) : read(given)];
    }),
  );
}

const { report } = contract.devices;
const ReportOfAny = DocumentedReport.extend({ devices: z.exactOptional(z.array(z.unknown())) });

export interface ApiRequest {
  readonly method: string;
  readonly pathname: string;
  readonly found: ReturnType<typeof findOperation>;
  readonly authorization?: string | undefined;
  readonly contentType?: string | undefined;
  /** '' without one; undefined if it was too long. */
  readonly text: string | undefined;
  /** The value of the text; undefined if it is no JSON. */
  readonly json: unknown;
}

const UNAUTHORIZED: Reply = {
  ...problem(401, 'the user name or the API key is wrong'),
  headers: { 'www-authenticate': 'Basic realm="sandbox cloud", charset="UTF-8"' },
};

export function answer(request: ApiRequest, state: State, services: Services): Reply {
  const { method, pathname, found } = request;
  const caller = userOf(state, request.authorization);
  if (caller === undefined) return UNAUTHORIZED;
  if (request.text === undefined)
    return { ...problem(413, 'the body is too long'), headers: { connection: 'close' } };
  if ('operation' in found) return answerOperation(found, request, caller, state, services);
  if (found.methods.length === 0) return problem(404, `there is no ${pathname}`);
  return methodNotAllowed(method, found.methods);
}

function answerOperation(
  { operation, params, query }: Found,
  { text, contentType, json }: ApiRequest,
  caller: User,
  state: State,
  services: Services,
): Reply {
  if (operation.isAdminOnly && caller.role !== 'ADMIN')
    return problem(403, 'this needs the organization admin role');
  const parts: [z.ZodType, unknown][] = [
    [operation.params, params],
    [operation.query, query],
  ];
  const { body } = operation;
  if (body !== undefined && !(operation.isBodyOptional && text === '')) {
    if (!/^application\/json\b/i.test(contentType ?? ''))
      return problem(415, 'the body must be application/json');
    // what is known in part may have more in its body than we know; devices are judged one by one
    const schema = operation.isPartlyKnown ? body.loose() : operation === report ? ReportOfAny : body;
    parts.push([schema, json]);
  }
  const results = parts.map(([each, value]) => each.safeParse(value));
  const issues = results.flatMap(({ error }) => error?.issues ?? []);
  if (issues.length > 0) return invalid(issues);
  const input = Object.assign({}, ...results.map(({ data }) => data));
  return replyOf(() => handlerOf(operation)?.({ input, caller, state, services }));
}
