/** Checks the input of an operation, and makes the request from it. Pure: nothing is sent. */
import type * as z from 'zod';
import { attempt } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { allowed, schemaAt } from '../base/schema.ts';
import { valueAt } from '../base/words.ts';
import { type Input, inputsOf } from './contract/inputs.ts';
import type { InputOf, Operation } from './contract/operation.ts';
import { CloudArgumentError } from './errors.ts';
import { hiding, type Redact, redactor } from './redaction.ts';

export interface PreparedRequest<O extends Operation = Operation> {
  readonly operation: O;
  /** Below the root of the operation's version, with the values in it. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body?: object;
  /** A larger answer is cut off, MiB. Default: that of its operation. */
  readonly largestAnswerMiB?: number;
  /** Hides the secrets and identifiers of the body in a text. */
  readonly hide: Redact;
}

export interface PrepareOptions {
  /** Sent as it is in place of the body; only for operations that are known in part. */
  body?: object | undefined;
}

export interface SendOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Time limit for one request. Default: the client's `requestTimeoutMs`. */
  timeoutMs?: number | undefined;
}

/** What one call may have of its own. */
export interface CallOptions extends PrepareOptions, SendOptions {
  /** For how long to repeat it, ms; 0 never does. Default: the client's `retryForMs`. A POST is sent once. */
  retryForMs?: number | undefined;
}

/**
 * @param input the values of path, query and body in one object; a value that is undefined counts as left out
 * @throws {CloudArgumentError} names every input that is wrong, and what is allowed
 */
export function prepare<O extends Operation>(
  operation: O,
  input: InputOf<O>,
  { body: ownBody }: PrepareOptions = {},
): PreparedRequest<O> {
  const inputs = inputsOf(operation).filter(({ place }) => ownBody === undefined || place !== 'body');
  const given = valuesOf(operation, input, inputs);
  const own = jsonCopy(ownBody);
  const problems = [...unknownKeys(given, inputs), ...ownBodyProblems(operation, ownBody, own)];
  const read = (place: Input['place'], schema: z.ZodObject): Record<string, unknown> => {
    const there = inputs.filter((each) => each.place === place && each.name in given);
    const part = Object.fromEntries(there.map(({ name }) => [name, given[name]]));
    const result = schema.safeParse(part);
    problems.push(...(result.error?.issues ?? []).map((issue) => problemOf(issue, schema, part, inputs)));
    return result.data ?? part; // a copy: it stays as it was checked, whatever the caller does with theirs
  };
  const params = read('path', operation.params);
  const query = read('query', operation.query);
  const body = own ?? (operation.body && read('body', operation.body));
  // the API takes more than we send
  for (const { name, demand, allowed } of inputs) {
    const value = given[name];
    const isNamed = problems.some((problem) => problem.startsWith(name));
    if (demand !== undefined && !isNamed && !demand(value))
      problems.push(`${name}${shownValue(value)}: must be ${allowed}`);
  }
  if (problems.length > 0) throw new CloudArgumentError(operation.id, problems);
  return {
    operation,
    path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))),
    query: new URLSearchParams(query as Record<string, string>), // it makes texts of them, lists with commas
    ...(body !== undefined && { body }),
    hide: hiderOf(body, inputs),
  };
}

/** The values that are given; those that are undefined count as left out. */
function valuesOf(operation: Operation, input: unknown, inputs: readonly Input[]): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    const names = inputs.map(({ name }) => name).join(', ');
    throw new CloudArgumentError(operation.id, [`the input must be an object with ${names || 'no keys'}`]);
  }
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function unknownKeys(given: Record<string, unknown>, inputs: readonly Input[]): string[] {
  const known = inputs.map(({ name }) => name);
  const allowed = known.length === 0 ? 'it takes no input' : `known are ${known.join(', ')}`;
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => `${shortened(name)}: unknown; ${allowed}`);
}

function ownBodyProblems(operation: Operation, body: unknown, copy: object | undefined): string[] {
  if (body === undefined) return [];
  if (!operation.isPartlyKnown) return ['a body of your own: only for operations that are known in part'];
  return copy === undefined ? ['a body of your own: must be an object that JSON can hold'] : [];
}

/** The object as it is sent; undefined for another value, and for one that JSON cannot hold. */
function jsonCopy(value: unknown): object | undefined {
  const copy: unknown = attempt(() => JSON.parse(JSON.stringify(value)));
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? copy : undefined;
}

/** What is wrong, and what is allowed: `appId = "x": must be a whole number above 0`. */
function problemOf(
  { code, path, message }: z.core.$ZodIssue,
  schema: z.ZodObject,
  values: Record<string, unknown>,
  inputs: readonly Input[],
): string {
  const name = path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
  if (code === 'custom' && path.length === 0) return message;
  const value = valueAt(values, path);
  const isSecret = inputs.find((each) => each.name === path[0])?.isSecret ?? false;
  const shown = isSecret && value !== undefined ? '' : shownValue(value);
  if (code === 'unrecognized_keys') return `${name}: ${message.toLowerCase()}`;
  return `${name}${shown}: must be ${allowed(schemaAt(schema, path) ?? schema)}`;
}

const shownValue = (value: unknown): string =>
  value === undefined ? ' is missing' : ` = ${shortened(textOf(value))}`;

/** A value as JSON, or as JavaScript writes it: `NaN`, `12`. */
function textOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'object') return String(value);
  return attempt(() => JSON.stringify(value)) ?? 'an object that JSON cannot hold';
}

const shortened = (text: string): string => `${printable(text, 60)}${text.length > 60 ? '…' : ''}`;

/** Hides the secrets of the body, and every text of the body that looks like a telephony identifier. */
function hiderOf(body: object | undefined, inputs: readonly Input[]): Redact {
  if (body === undefined) return (text) => text;
  const names = new Set(inputs.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  const redact = redactor(textsIn(body, (name) => names.has(name) || /passw|secret/i.test(name)));
  const hide = hiding(textsIn(body));
  return (text) => redact(hide(text));
}

/** The texts at any depth; with `isMeant` those below a key of which it is true. */
function textsIn(value: unknown, isMeant: (name: string) => boolean = () => true, isBelow = false): string[] {
  if (typeof value === 'string') return isBelow ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => textsIn(part, isMeant, isBelow || isMeant(name)));
}
