/** What our schemas say about a value besides its type, and how to get to the type. */
import * as z from 'zod';

declare module 'zod' {
  interface GlobalMeta {
    /** What is allowed, completing "must be …". */
    allowed?: string;
    example?: unknown;
    /** Never shown. */
    secret?: boolean;
    /** A text of several lines: the command line also takes it from a file. */
    isLong?: boolean;
    /** Null is read, but the API does not document it. */
    nullIsAbsent?: boolean;
    /** Of several shapes, the API documents the first; the others are our tolerance. */
    isFirstDocumented?: boolean;
    /** Does our client send this value? The API documents that it takes more; undefined is a value left out. */
    demand?: (value: unknown) => boolean;
  }
}

/** What is said about the value: at the schema itself, or within its default, optionality and the like. */
export const metaOf = (schema: z.ZodType): z.GlobalMeta => ({ ...inner(schema).meta(), ...schema.meta() });

/** The schema without its default, optionality and the like. */
export const inner = (schema: z.ZodType): z.ZodType => {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType === undefined ? schema : inner(innerType);
};

/** The schema of what stands at `path` of a value; undefined if nothing can stand there. */
export const schemaAt = (schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined =>
  path.reduce<z.ZodType | undefined>((above, part) => {
    const bare = above && inner(above);
    if (bare instanceof z.ZodObject)
      return Object.hasOwn(bare.shape, part) ? bare.shape[String(part)] : undefined;
    if (bare instanceof z.ZodRecord) return bare.valueType as z.ZodType;
    return bare instanceof z.ZodArray ? (bare.element as z.ZodType) : undefined;
  }, schema);

/** What is allowed, in words that complete "must be …". */
export function allowed(schema: z.ZodType): string {
  const { allowed: words } = metaOf(schema);
  if (words !== undefined) return words;
  const bare = inner(schema);
  if (bare instanceof z.ZodEnum) return `one of ${bare.options.join(', ')}`;
  if (bare instanceof z.ZodBoolean) return 'true or false';
  if (bare instanceof z.ZodString) return bare.minLength === null ? 'text' : 'non-empty text';
  if (bare instanceof z.ZodArray) return 'a list';
  if (!(bare instanceof z.ZodNumber)) return 'a section with keys of its own';
  const { minValue, maxValue, isInt } = bare;
  if (!isInt) return `a number above ${minValue}, at most ${maxValue}`;
  return minValue === Number.MIN_SAFE_INTEGER
    ? 'a whole number'
    : `a whole number from ${minValue} to ${maxValue}`;
}
