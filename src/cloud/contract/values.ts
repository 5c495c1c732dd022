/** Kinds of values that several operations share. `allowed` completes "must be …" in an error. */
import * as z from 'zod';
import '../../base/schema.ts';

/** A value that we receive and that may be missing. Servers also write null for it. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().meta({ nullIsAbsent: true });

/** Ends the reading of a list. */
export class WrongElement extends Error {}

/**
 * A list that we receive. Its first wrong element ends the reading with a `WrongElement`: zod would note down what is
 * wrong with each of them, which takes a gigabyte for an answer of 2 MB.
 */
export const listOf = <T extends z.ZodType>(element: T) =>
  z.array(
    element.catch((wrong: z.core.$ZodCatchCtx | undefined) => {
      if (wrong === undefined) return undefined as z.output<T>; // the maker of the OpenAPI asks for a default
      throw new WrongElement();
    }),
  );

/** A number that the cloud gave to something. */
export const id = (description: string) =>
  z.int().positive().meta({ description, allowed: 'a whole number above 0' });

export const text = (description: string) =>
  z.string().min(1).meta({ description, allowed: 'non-empty text' });

/** Would an address be another one with this as a part of its path? URLs resolve dots (URL Standard, 4.4). */
const isPathPart = (value: string): boolean => !/^\.{1,2}$/.test(value) && value.isWellFormed();

/** Text that becomes one part of the path. */
export const pathText = (description: string) =>
  z
    .string()
    .min(1)
    .refine(isPathPart)
    .meta({ description, allowed: 'non-empty text other than "." and ".."' });

/** Several values that the query joins with commas. The API has no way to write a comma in a value. */
export const commaList = (description: string) =>
  z
    .array(
      z
        .string()
        .regex(/^[^,]+$/)
        .meta({ allowed: 'text without a comma: the API uses commas between several values' }),
    )
    .min(1)
    .meta({ description, allowed: 'a list with at least one value' });

export const email = (description: string) =>
  z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/)
    .meta({ description, allowed: 'an email address' });

export const secret = (description: string) =>
  z.string().min(1).meta({ description, allowed: 'non-empty text', secret: true });

/** A list of ids that must not be empty: nobody can know whether none means all. */
export const someIds = (of: string, description: string) =>
  z
    .array(z.int().positive().meta({ allowed: 'a whole number above 0' }))
    .min(1)
    .meta({
      description,
      allowed: `a list of at least one ${of}: the API does not say whether none means all`,
    });
