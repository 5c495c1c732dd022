/** Answers requests of the API: finds the operation, checks who asks and what, and calls its handler. No sockets. */
import type * as z from 'zod';
import { type Call, Problem, type Surroundings } from './handler.ts';
import { handlerOf } from './handlers/index.ts';
import { invalid, problem, type Reply } from './http.ts';
import { userOf } from './members.ts';
import { type Found, findRoute, queryOf } from './routes.ts';
import type { State, User } from './state.ts';

/** A request as it came. */
export interface Asked {
  readonly method: string;
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
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

export function answer(asked: Asked, state: State, around: Surroundings): Reply {
  const { method, pathname } = asked;
  const caller = userOf(state, asked.authorization);
  if (caller === undefined) return UNAUTHORIZED;
  if (asked.text === undefined)
    return { ...problem(413, 'the body is too long'), headers: { connection: 'close' } };
  const found = findRoute(method, pathname);
  if ('route' in found) return answerOperation(found, asked, caller, state, around);
  if (found.methods.length === 0) return problem(404, `there is no ${pathname}`);
  return { ...problem(405, `${method} is not allowed here`), headers: { allow: found.methods.join(', ') } };
}

function answerOperation(
  { route, params }: Found,
  asked: Asked,
  caller: User,
  state: State,
  around: Surroundings,
): Reply {
  const { operation } = route;
  if (operation.isAdminOnly && caller.role !== 'ADMIN')
    return problem(403, 'this needs the organization admin role');
  const hasBody = operation.body !== undefined && !(operation.isBodyOptional && asked.text === '');
  if (hasBody && !/^application\/json\b/i.test(asked.contentType ?? ''))
    return problem(415, 'the body must be application/json');
  // what is known in part may have more in its body than we know
  const schema = operation.isPartlyKnown ? operation.body?.loose() : operation.body;
  const parts: [z.ZodType, unknown][] = [
    [operation.params, params],
    [operation.query, queryOf(route, asked.searchParams)],
  ];
  if (hasBody && schema !== undefined) parts.push([schema, asked.json]);
  const results = parts.map(([each, value]) => each.safeParse(value));
  const issues = results.flatMap(({ error }) => error?.issues ?? []);
  if (issues.length > 0) return invalid(issues);
  const input = Object.assign({}, ...results.map(({ data }) => data));
  try {
    const body = handlerOf(operation)({ input, caller, state, around } as Call);
    return body === undefined ? { status: 200 } : { status: 200, body };
  } catch (error) {
    if (error instanceof Problem) return problem(error.status, error.message);
    throw error;
  }
}
