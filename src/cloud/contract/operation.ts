/**
 * What an operation of the API is. Client, command line, sandbox, OpenAPI and docs/api.md are made from these objects.
 *
 * We send strictly: unknown keys are refused. We receive with tolerance: unknown keys are kept and passed on, and null
 * counts as absent.
 */
import * as z from 'zod';
import { metaOf } from '../../base/schema.ts';
import { type Input, inputsOf } from './inputs.ts';

/** `DEL` is what the API writes for one operation; it is no method of RFC 9110. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'DEL';

/** The section of the API's document that each resource is in. */
const SECTIONS = {
  apps: 'Apps repository',
  versions: 'Apps repository',
  organization: 'Organization',
  dataSets: 'Data sets',
  devices: 'Devices',
  gestures: 'Gestures',
  groups: 'Groups',
  v2: 'v2 operations that are known in part',
} as const;
export type Section = (typeof SECTIONS)[keyof typeof SECTIONS];

export interface Operation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject | undefined = z.ZodObject | undefined,
  Answer extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Resource and verb, `apps.list`: `client.apps.list()`. */
  readonly id: Id;
  readonly method: Method;
  /** As the API's document writes it, below the root of its version: `/apps/{appId}`. */
  readonly path: `/${string}`;
  readonly api: 'v1' | 'v2';
  readonly section: Section;
  /** What it does, an imperative without a full stop: "List the apps". */
  readonly summary: string;
  /** Rules that a caller should know, one sentence each. */
  readonly rules: readonly string[];
  /** What the API's document leaves open, and how we read it, one sentence each. */
  readonly unknown: readonly string[];
  readonly params: Params;
  readonly query: Query;
  /** Undefined if none is sent. */
  readonly body: Body;
  /** The API's document allows a request without the body. The client always sends it. */
  readonly isBodyOptional: boolean;
  /** Undefined if only the status counts: a body is ignored then. */
  readonly answer: Answer;
  /** The documented error statuses, with their conditions. */
  readonly errors: Readonly<Record<number, string>>;
  /** Only reads. */
  readonly isSafe: boolean;
  /** Sending it twice does what sending it once does (RFC 9110, section 9.2.2). No POST is. */
  readonly isIdempotent: boolean;
  /** Needs the organization admin role. */
  readonly isAdminOnly: boolean;
  /** The API's document does not show all of the body: a caller may send one of their own. */
  readonly isPartlyKnown: boolean;
  /** The answer holds a secret: no part of it may be in an error, a log or an output. */
  readonly isAnswerSecret: boolean;
  /** Takes away something that the caller may not be able to make again: a person is asked first. */
  readonly isDestructive: boolean;
  /** The words after `hostnode cloud`: `['apps', 'list']`. */
  readonly command: readonly [resource: string, verb: string];
  /** The inputs that the command takes without a flag, in this order; a list may only be the last. */
  readonly positional: readonly string[];
  /** An input for the documents and for tests: of the inputs whose schema has an example. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** What a resource's file writes down besides id and route; the rest follows from it, or is the ordinary case. */
type Definition<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject | undefined,
  Answer extends z.ZodType | undefined,
> = Pick<Operation, 'summary'> & Partial<Operation<string, Params, Query, Body, Answer>>;

/** `data-sets` of dataSets. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** No values. */
export type None = z.ZodObject<Record<never, never>, z.core.$strict>;
const none: None = z.strictObject({});

/**
 * Completes an operation. By default the command has the words of the id, and takes without flags what must be given: but no
 * secret, no long text and no JSON.
 *
 * @param route as the API's document writes it: `GET /apps/{appId}`, `DELETE /v2/reservations/terminate`
 */
export function operation<
  const Id extends string,
  Params extends z.ZodObject = None,
  Query extends z.ZodObject = None,
  Body extends z.ZodObject | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(
  id: Id,
  route: `${Method} /${string}`,
  definition: Definition<Params, Query, Body, Answer>,
): Operation<Id, Params, Query, Body, Answer> {
  const [method, whole] = route.split(' ') as [Method, `/${string}`];
  const isV2 = whole.startsWith('/v2/');
  const [resource = '', verb = ''] = id.split('.');
  const params = definition.params ?? (none as z.ZodObject as Params);
  const query = definition.query ?? (none as z.ZodObject as Query);
  const inputs = inputsOf({ params, query, body: definition.body });
  const isPlain = (each: Input) => each.isRequired && each.kind !== 'json' && !each.isSecret && !each.isLong;
  const examples = inputs.map(({ name, schema }) => [name, metaOf(schema).example] as const);
  return {
    rules: [],
    unknown: [],
    params,
    query,
    body: undefined as Body,
    isBodyOptional: false,
    answer: undefined as Answer,
    errors: {},
    isAdminOnly: false,
    isPartlyKnown: false,
    isAnswerSecret: false,
    isDestructive: method === 'DELETE',
    command: [kebab(resource), kebab(verb)],
    positional: inputs.filter(isPlain).map(({ name }) => name),
    ...definition,
    id,
    method,
    path: isV2 ? (whole.slice('/v2'.length) as `/${string}`) : whole,
    api: isV2 ? 'v2' : 'v1',
    section: SECTIONS[resource as keyof typeof SECTIONS],
    isSafe: method === 'GET',
    isIdempotent: method !== 'POST',
    example: Object.fromEntries(examples.filter(([, example]) => example !== undefined)),
  };
}

/** The values of a request in one object: those of path, query and body. No operation has two of one name. */
export type InputOf<O extends Operation> = Simple<Part<O['params']> & Part<O['query']> & Part<O['body']>>;
type Part<Values> =
  Values extends z.ZodObject<infer Shape> ? (keyof Shape extends never ? unknown : z.input<Values>) : unknown;
type Simple<T> = { [Key in keyof T]: T[Key] };

/** What a call returns: nothing where only the status counts. */
export type AnswerOf<O extends Operation> = O['answer'] extends z.ZodType ? z.output<O['answer']> : undefined;
