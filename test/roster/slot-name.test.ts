import { describe, expect, it } from 'vitest';
import { nextName, placeInRoom } from '../../src/roster/slot-name.ts';

describe('the place of a slot in the room', () => {
  it.each([
    ['rack 2, shelf 3, bay 4', 'rack 2, shelf 3', 'bay 4'],
    ['window, left', 'window', 'left'],
    ['B7', '', 'B7'],
    [', bay 4', '', 'bay 4'],
  ])('%j is %j, %j', (name, band, bay) => {
    expect(placeInRoom(name)).toEqual({ band, bay });
  });
});

describe('the next name of a row', () => {
  it.each([
    ['rack 2, shelf 3, bay 4', 'rack 2, shelf 3, bay 5'],
    ['bay 9', 'bay 10'],
    ['bay 09', 'bay 10'],
    ['A007', 'A008'],
    ['bay 4 (left)', 'bay 5 (left)'],
    ['window', undefined],
  ])('after %j is %j', (name, next) => {
    expect(nextName(name)).toBe(next);
  });

  it('passes over what is taken', () => {
    expect(nextName('bay 1', new Set(['bay 2', 'bay 3']))).toBe('bay 4');
  });
});
