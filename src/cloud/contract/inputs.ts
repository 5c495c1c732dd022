/** The inputs of an operation one by one: for flags, query strings and tables. Pure. */
import * as z from 'zod';
import { parseJson } from '../../base/errors.ts';
import { inner, metaOf } from '../../base/schema.ts';

/** How a value is written as text. A list has its parts one by one; JSON stands for everything else. */
export type Kind = 'text' | 'integer' | 'boolean' | 'integers' | 'texts' | 'json';

export interface Input {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly kind: Kind;
  readonly isRequired: boolean;
  /** Does our client send this value? By default all that the schema takes. */
  readonly demand: ((value: unknown) => boolean) | undefined;
  /** A password: never shown. */
  readonly isSecret: boolean;
  /** A text of several lines. */
  readonly isLong: boolean;
  /** One sentence; '' where none is needed. */
  readonly description: string;
  /** What is allowed, completing "must be …"; '' if nothing more than the kind says. */
  readonly allowed: string;
  readonly schema: z.ZodType;
}

function kindOf(schema: z.ZodType): Kind {
  const bare = inner(schema);
  if (bare instanceof z.ZodString) return 'text';
  if (bare instanceof z.ZodBoolean) return 'boolean';
  if (bare instanceof z.ZodNumber) return 'integer';
  if (!(bare instanceof z.ZodArray)) return 'json';
  const part = inner(bare.element as z.ZodType);
  // ids of which the API does not say whether they are numbers: those that look like one are sent as one
  if (part instanceof z.ZodNumber || part instanceof z.ZodUnion) return 'integers';
  return part instanceof z.ZodString ? 'texts' : 'json';
}

function inputOf(name: string, place: Input['place'], schema: z.ZodType): Input {
  const { description = '', allowed = '', secret: isSecret = false, isLong = false, demand } = metaOf(schema);
  const isOptional = schema instanceof z.ZodExactOptional || schema instanceof z.ZodOptional;
  const isRequired = demand !== undefined || !isOptional;
  const kind = kindOf(schema);
  return { name, place, kind, isRequired, demand, isSecret, isLong, description, allowed, schema };
}

interface Inputs {
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body?: z.ZodObject | undefined;
}

/** All inputs: of the path in its order, then of the query, then of the body. */
export function inputsOf({ params, query, body }: Inputs): Input[] {
  const of = (place: Input['place'], object?: z.ZodObject) =>
    Object.entries<z.ZodType>(object?.shape ?? {}).map(([name, schema]) => inputOf(name, place, schema));
  return [...of('path', params), ...of('query', query), ...of('body', body)];
}

/** The flag of an input on the command line: `--booked` for isBooked, `--enable-sso` for enable_sso. */
export const flagOf = (name: string): string =>
  `--${name
    .replace(/^is(?=[A-Z])/, '')
    .replace(/(?<=[a-z])(?=[A-Z])|_/g, '-')
    .toLowerCase()}`;

/**
 * The value that a text of a path, a query or a flag means. A text that means none is returned as it is: the schema
 * then says what is wrong.
 *
 * @param text for a list, its parts joined with commas; for JSON, its text
 */
export function valueOfText(kind: Kind, text: string): unknown {
  // only what is written as a number is: 0012 may be the name of something
  if (kind === 'integer')
    return /^-?\d{1,16}$/.test(text) && String(Number(text)) === text ? Number(text) : text;
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (kind === 'integers') return text.split(',').map((part) => valueOfText('integer', part));
  if (kind === 'texts') return text.split(',');
  const json = kind === 'json' ? parseJson(text) : undefined;
  return json === undefined ? text : json;
}
