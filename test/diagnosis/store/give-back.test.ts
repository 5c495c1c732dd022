import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryGiver } from '../../../src/diagnosis/store/give-back.ts';

const before = globalThis.gc;
afterEach(() => {
  globalThis.gc = before;
});

describe('memory that is no longer used', () => {
  it('is given back when much of it has gathered, and not each time', () => {
    const collect = vi.fn();
    globalThis.gc = collect as unknown as NodeJS.GCFunction;
    const giveBack = memoryGiver();
    giveBack(); // the heap of this process is larger than nothing
    giveBack();
    expect(collect).toHaveBeenCalledTimes(1);
    expect(collect).toHaveBeenCalledWith(expect.objectContaining({ flavor: 'last-resort' }));
  });

  it('stays where V8 has no such option', () => {
    globalThis.gc = undefined;
    expect(memoryGiver()).not.toThrow();
  });
});
