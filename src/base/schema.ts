/** What our schemas say about a value besides its type, and how to get to the type. */
import type * as z from 'zod';

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
