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
 *
 * @param mostOdd so many objects that are not as documented are passed on as they are, so that one does not cost the
 *   others
 */
export function listOf<T extends z.ZodType>(element: T, mostOdd = 0) {
  let odd = 0;
  const each = element.catch((wrong: z.core.$ZodCatchCtx | undefined) => {
    if (wrong === undefined) return undefined as z.output<T>; // the maker of the OpenAPI asks for a default
    odd += 1;
    const { value } = wrong;
    if (odd <= mostOdd && typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as z.output<T>;
    odd = 0;
    throw new WrongElement();
  });
  return z.array(each).refine(() => {
    odd = 0;
    return true;
  });
}

/** More odd entries than this are an answer of another API. */
const MOST_ODD = 10_000;

/** A list of things that the cloud has. */
export const entriesOf = <T extends z.ZodType>(element: T) => listOf(element, MOST_ODD);

/** A number that the cloud gave to something. */
export const id = (description: string, example?: number) =>
  z.int().positive().meta({ description, allowed: 'a whole number above 0', example });

export const flag = (description: string, example?: boolean) =>
  z.exactOptional(z.boolean()).meta({ description, allowed: 'true or false', example });

export const text = (description: string, example?: string) =>
  z.string().min(1).meta({ description, allowed: 'non-empty text', example });

/** Would an address be another one with this as a part of its path? URLs resolve dots (URL Standard, 4.4). */
export const isPathPart = (value: string): boolean => !/^\.{1,2}$/.test(value) && value.isWellFormed();

/** Text that becomes one part of the path. */
export const pathText = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .refine(isPathPart)
    .meta({ description, allowed: 'non-empty text other than "." and ".."', example });

/** Several values that the query joins with commas. The API has no way to write a comma in a value. */
export const commaList = (description: string, example?: readonly string[]) =>
  z
    .array(
      z
        .string()
        .regex(/^[^,]+$/)
        .meta({ allowed: 'text without a comma: the API uses commas between several values' }),
    )
    .min(1)
    .meta({ description, allowed: 'a list with at least one value', example });

/** Text for which the API has a default where it is empty. */
export const textOrEmpty = (description: string, example?: string) =>
  z.exactOptional(z.string()).meta({ description, allowed: 'text', example });

export const secret = (description: string, example?: string) =>
  z.string().min(1).meta({ description, allowed: 'non-empty text', secret: true, example });

/** The API documents any text. */
export const email = (description: string) =>
  z
    .string()
    .min(1)
    .meta({
      description,
      allowed: 'an email address',
      example: 'asha@example.com',
      demand: (value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value),
    });

/** A list of ids that the API documents as optional, and that we demand: nobody can know whether none means all. */
export const someIds = (of: string, description: string, example: readonly number[]) =>
  z.exactOptional(z.array(z.int().meta({ allowed: 'a whole number above 0' }))).meta({
    description,
    allowed: `a list of at least one ${of}: the API does not say whether none means all`,
    example,
    demand: (value) => Array.isArray(value) && value.length > 0,
  });
