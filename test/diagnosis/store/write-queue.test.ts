import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Batch } from '../../../src/diagnosis/store/change.ts';
import type { Written } from '../../../src/diagnosis/store/message.ts';
import { MOST_WAITING, WriteQueue } from '../../../src/diagnosis/store/write-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers each batch with the next of these; after them, `disk`. */
function queueWith(...answers: (Written | undefined | Error)[]) {
  const batches: Batch[] = [];
  const dropped: number[] = [];
  const queue = new WriteQueue({
    send: async (batch) => {
      batches.push(batch);
      const answer = answers.length > 0 ? answers.shift() : 'disk';
      if (answer instanceof Error) throw answer;
      return answer;
    },
    dropped: (count) => dropped.push(count),
  });
  const alive = (at: number) => ({ kind: 'alive', at }) as const;
  return {
    ...{ queue, batches, dropped },
    add: (at: number, options = {}) => queue.add(alive(at), options),
    sent: () =>
      batches.map(({ number, changes }) => [number, ...changes.map((change) => 'at' in change && change.at)]),
  };
}

describe('changes', () => {
  it('of one second go together, in their order', async () => {
    const { add, sent } = queueWith();
    const first = add(1);
    const second = add(2);
    await vi.advanceTimersByTimeAsync(999);
    expect(sent()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual([[1, 1, 2]]);
    expect(await Promise.all([first, second])).toEqual([true, true]);
    void add(3);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent()).toEqual([
      [1, 1, 2],
      [2, 3],
    ]);
  });

  it('that are urgent, or many, go at once', async () => {
    const { add, sent } = queueWith();
    void add(1);
    void add(2, { isUrgent: true });
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual([[1, 1, 2]]);
    void add(3, { weight: 300 });
    void add(4, { weight: 300 });
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual([
      [1, 1, 2],
      [2, 3],
      [3, 4],
    ]);
  });

  it('are sent again until they are written, under the same number and before all that came later', async () => {
    const { add, sent } = queueWith(new Error('full'), new Error('full'), 'disk');
    const first = add(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await first).toBe(false); // not yet
    void add(2, { isUrgent: true });
    await vi.advanceTimersByTimeAsync(999);
    expect(sent()).toEqual([[1, 1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual([
      [1, 1],
      [1, 1],
    ]);
    await vi.advanceTimersByTimeAsync(2001);
    expect(sent()).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [2, 2],
    ]);
  });

  it('that can never be written are dropped, and those after them are written', async () => {
    const { add, sent, dropped } = queueWith(undefined);
    const lost = add(1, { weight: 3 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(await lost).toBe(false);
    expect(dropped).toEqual([3]);
    const kept = add(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await kept).toBe(true);
    expect(sent()).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('beyond the bound are dropped, and counted', async () => {
    const { add, dropped } = queueWith(new Error('full'));
    for (let waiting = 0; waiting < MOST_WAITING; waiting += 500) void add(waiting, { weight: 500 });
    expect(await add(1)).toBe(false);
    expect(dropped).toEqual([1]);
    await vi.advanceTimersByTimeAsync(60_000);
    const later = add(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await later).toBe(true);
  });

  it.each([
    ['memory', true],
    ['stopgap', false],
  ] as const)('in %s are kept: %s', async (written, isKept) => {
    const { add } = queueWith(written);
    const added = add(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await added).toBe(isKept);
  });
});

describe('the end', () => {
  it('writes what waits, and does not wait for a disk that fails', async () => {
    const fine = queueWith();
    const added = fine.add(1);
    await fine.queue.flush(5000);
    expect(await added).toBe(true);
    const failing = queueWith(new Error('full'), new Error('full'));
    void failing.add(1);
    await failing.queue.flush(5000);
    expect(failing.sent()).toEqual([[1, 1]]);
  });
});
