import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Batch, Change } from '../../../src/history/store/history.ts';
import { MOST_WAITING, WriteQueue } from '../../../src/history/store/write-queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers each batch with the next of these; after them, that it is kept. */
function queueWith(...answers: (boolean | Error)[]) {
  const batches: Batch[] = [];
  const queue = new WriteQueue(async (batch) => {
    batches.push(batch);
    const answer = answers.shift() ?? true;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const sample = (at: number) => ({ udid: 'A', at });
  return {
    ...{ queue, batches },
    add: (at: number, isUrgent = false) => queue.add({ kind: 'alive', at }, isUrgent),
    /** So many samples. */
    addMany: (at: number, count: number) =>
      queue.add({ kind: 'samples', samples: Array.from({ length: count }, () => sample(at)) }),
    sent: () =>
      batches.map(({ number, changes }) => [
        number,
        ...changes.map((change) =>
          'at' in change ? change.at : 'samples' in change && change.samples[0]?.at,
        ),
      ]),
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
    const { add, addMany, sent } = queueWith();
    void add(1);
    void add(2, true);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual([[1, 1, 2]]);
    void addMany(3, 300);
    void addMany(4, 300);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent()).toEqual([
      [1, 1, 2],
      [2, 3],
      [3, 4],
    ]);
  });

  it('are sent again until they are written, under the same number and before all that came later', async () => {
    const { add, sent } = queueWith(new Error('full'), new Error('full'));
    const first = add(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await first).toBe(false); // not yet
    void add(2);
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

  it('that are notes and were refused are not sent later, and what was sent of them is withdrawn', async () => {
    const { queue, add, batches } = queueWith(new Error('full'), new Error('full'), false);
    const note = (at: number): Change => ({
      ...{ kind: 'events', events: [{ kind: 'note', at, udid: 'A', text: String(at), where: {} }] },
    });
    for (const at of [1, 2]) {
      const noted = queue.add(note(at), true);
      await vi.advanceTimersByTimeAsync(1);
      expect(await noted).toBe(false);
    }
    void add(3);
    await vi.advanceTimersByTimeAsync(60_000);
    const stand = queue.add(note(4), true);
    await vi.advanceTimersByTimeAsync(1);
    expect(await stand).toBe(true);
    const withdrawn = { kind: 'withdrawn', notes: [expect.objectContaining({ at: 1 })] };
    expect(batches.map(({ changes }) => changes)).toEqual([
      ...[[note(1)], [note(1)], [note(1)]], // under one number: it may have been written
      [withdrawn, { kind: 'alive', at: 3 }],
      [note(4)],
    ]);
    expect(batches.map(({ number }) => number)).toEqual([1, 1, 1, 2, 3]);
  });

  it('that are not kept are not sent again, and those after them are', async () => {
    const { add, sent } = queueWith(false);
    const lost = add(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await lost).toBe(false);
    const kept = add(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await kept).toBe(true);
    expect(sent()).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('beyond the bound are dropped', async () => {
    const { add, addMany } = queueWith(new Error('full'));
    for (let waiting = 0; waiting < MOST_WAITING; waiting += 500) void addMany(waiting, 500);
    expect(add(1)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    const later = add(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await later).toBe(true);
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
