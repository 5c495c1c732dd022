import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { operations } from '../../../src/cloud/contract/index.ts';
import { listOf, WrongElement } from '../../../src/cloud/contract/values.ts';

/** All lists in a schema. */
function listsIn(schema: unknown): z.ZodArray[] {
  if (!(schema instanceof z.ZodType)) return [];
  const below = Object.values(schema.def).flatMap((part: unknown) =>
    typeof part === 'object' && part !== null && !(part instanceof z.ZodType) ? Object.values(part) : [part],
  );
  return [...(schema instanceof z.ZodArray ? [schema] : []), ...below.flatMap(listsIn)];
}

describe('a list that we receive', () => {
  it('is read up to its first wrong element, so that millions of them cost nothing', () => {
    const list = [{ id: 1 }, { id: 'x' }];
    Object.defineProperty(list, 2, {
      enumerable: true,
      get: () => {
        throw new Error('read');
      },
    });
    expect(() => listOf(z.object({ id: z.int() })).safeParse(list)).toThrow(WrongElement);
    expect(listOf(z.looseObject({ id: z.int() })).parse([{ id: 1, name: 'a' }])).toEqual([
      { id: 1, name: 'a' },
    ]);
  });

  it.each(operations.filter(({ answer }) => listsIn(answer).length > 0).map((each) => [each.id, each]))(
    'is read so in the answer of %s',
    (_, { answer }) => {
      for (const { element } of listsIn(answer))
        expect(element instanceof z.ZodCatch || element instanceof z.ZodUnknown).toBe(true);
    },
  );
});
