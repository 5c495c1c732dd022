/** A statement of the API's document at one surface, and how it is looked at. */
import type { Json, World } from './world.ts';

export type Surface = 'sandbox' | 'client' | 'command' | 'OpenAPI';

export interface Statement {
  /** Of the API's document. */
  readonly line: number;
  readonly says: string;
  readonly surface: Surface;
  /** Says what was seen; throws if it is something else than the document says. */
  readonly look: (world: World) => Promise<string> | string;
}

/** The types of the document, as it writes them. */
export type Type = 'integer' | 'string' | 'boolean' | 'object' | '[object]' | '[integer]';

export function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length === 0 ? 'object' : typeOf(value[0])}]`;
  return Number.isSafeInteger(value) ? 'integer' : value === null ? 'null' : typeof value;
}

export function check(isTrue: boolean, seen: string): string {
  if (!isTrue) throw new Error(`seen: ${seen}`);
  return seen;
}

/** All values at a place such as `[].versions[].id`. */
export function valuesAt(value: Json, path: string): Json[] {
  let found: Json[] = [value];
  for (const part of path.split(/\.|(?=\[\])/).filter((each) => each !== ''))
    found = found
      .flatMap((each) => (part === '[]' ? each : [each?.[part]]))
      .filter((each) => each !== undefined);
  return found;
}

/** The schema below this one, at a place; follows references. */
export function schemaAt(document: Json, schema: Json, path: string): Json {
  const bare = (node: Json): Json => {
    if (node?.$ref === undefined) return node?.anyOf === undefined ? node : bare(node.anyOf[0]);
    return bare(document.components.schemas[node.$ref.split('/').at(-1)]);
  };
  let found = bare(schema);
  for (const part of path.split(/\.|(?=\[\])/).filter((each) => each !== ''))
    found = bare(part === '[]' ? found?.items : found?.properties?.[part]);
  return found;
}

/** The operation of the OpenAPI document with this method and path. */
export function operationAt({ paths }: Json, method: string, path: string): Json {
  const item = paths[path];
  return method === 'DEL' ? item?.additionalOperations?.DEL : item?.[method.toLowerCase()];
}

export const responseSchema = (operation: Json): Json =>
  operation?.responses?.['200']?.content?.['application/json']?.schema;
export const bodySchema = (operation: Json): Json =>
  operation?.requestBody?.content?.['application/json']?.schema;

/** A type of JSON Schema in the words of the document. */
export function typeOfSchema(document: Json, schema: Json): string {
  if (schema?.type === 'array') return `[${typeOfSchema(document, schemaAt(document, schema, '[]'))}]`;
  return schema?.type ?? (schema?.properties ? 'object' : 'any');
}
