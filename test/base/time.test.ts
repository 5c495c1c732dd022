import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Deadline, within, yieldLong, yieldToLoop } from '../../src/base/time.ts';

describe('a deadline', () => {
  it('fires when its time is over, and says so', async () => {
    using deadline = new Deadline(5);
    const stay = setInterval(() => {}, 1000); // a deadline alone keeps no process
    await once(deadline.signal, 'abort');
    clearInterval(stay);
    expect(deadline.signal.reason).toMatchObject({ name: 'TimeoutError', message: 'not within 5 ms' });
  });

  it('fires with the signal that it was given, for its reason', () => {
    const outer = new AbortController();
    using deadline = new Deadline(60_000, outer.signal);
    expect(deadline.signal.aborted).toBe(false);
    outer.abort('stop');
    expect(deadline.signal.reason).toBe('stop');
    using late = new Deadline(60_000, outer.signal);
    expect(late.signal.reason).toBe('stop');
  });

  it('leaves nothing behind: disposed of, it neither fires nor is held by the other signal', async () => {
    const outer = new AbortController();
    const deadline = new Deadline(5, outer.signal);
    deadline[Symbol.dispose]();
    await new Promise((resolve) => setTimeout(resolve, 20));
    outer.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});

describe('work with a limit', () => {
  it('is waited for, for what it gives and for what it throws', async () => {
    expect(await within(60_000, Promise.resolve('done'))).toBe('done');
    await expect(within(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('is waited for no longer than that', async () => {
    expect(await within(5, new Promise(() => {}))).toBeUndefined();
  });
});

describe('work in turns', () => {
  it('that goes on and on leaves the others their turns, however many do it', async () => {
    let longTurns = 0;
    let isOver = false;
    const long = Array.from({ length: 20 }, async () => {
      for (; !isOver; longTurns += 1) await yieldLong(1);
    });
    for (const _ of Array(20)) await yieldToLoop();
    expect(longTurns).toBeLessThan(100);
    while (longTurns < 20) await yieldToLoop();
    isOver = true;
    await Promise.all(long);
  });
});
