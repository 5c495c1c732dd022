import { describe, expect, it } from 'vitest';
import type { ListedDevice } from '../../src/adb/adb.ts';
import { ServerNumbers } from '../../src/agent/server-numbers.ts';

const listed = (numbers: Record<string, number | undefined>): ListedDevice[] =>
  Object.entries(numbers).map(([serial, transportId]) => ({
    serial,
    state: 'device',
    ...(transportId !== undefined && { transportId }),
  }));

describe('ServerNumbers', () => {
  it.each<[string, Record<string, number | undefined>[], boolean[]]>([
    [
      'a phone that comes, goes and comes again',
      [{ a: 1 }, { a: 1, b: 2 }, { b: 2 }, { a: 3, b: 2 }],
      [false, false, false, false],
    ],
    [
      'two phones that have swapped their numbers',
      [
        { a: 1, b: 2 },
        { a: 2, b: 1 },
      ],
      [false, true],
    ],
    ['a number that goes down', [{ a: 5 }, { a: 2 }, { a: 2, b: 3 }], [false, true, false]],
    [
      'a new phone with a number that was given before',
      [{ a: 1, b: 2 }, { a: 1 }, { a: 1, c: 2 }],
      [false, false, true],
    ],
    ['a server that gives no numbers', [{ a: undefined }, { b: undefined }], [false, false]],
  ])('%s', (_, lists, are) => {
    const numbers = new ServerNumbers();
    expect(lists.map((list) => numbers.areAnothers(listed(list)))).toEqual(are);
  });

  it('finds the same list object to be of the same server', () => {
    const numbers = new ServerNumbers();
    const list = listed({ a: 5 });
    expect([list, list, listed({ a: 4 }), list].map((each) => numbers.areAnothers(each))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });
});
