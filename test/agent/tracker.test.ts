import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Adb, ListedDevice } from '../../src/adb/adb.ts';
import { DeviceTracker, ListedServer, Recovery } from '../../src/agent/tracker.ts';

/** What has come of it so far. */
async function settled<T>(promise: Promise<T>): Promise<T | 'waits'> {
  await turn();
  return Promise.race([promise, Promise.resolve('waits' as const)]);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('DeviceTracker, asked for a new list', () => {
  /** A tracker of an adb server that answers when the test lets it. */
  function scene() {
    const asked: PromiseWithResolvers<readonly ListedDevice[]>[] = [];
    const adb: Pick<Adb, 'listDevices' | 'version' | 'watchDevices'> = {
      listDevices() {
        const answer = Promise.withResolvers<readonly ListedDevice[]>();
        asked.push(answer);
        return answer.promise;
      },
      version: async () => 41,
      watchDevices(onChange, signal) {
        onChange();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    };
    const tracker = new DeviceTracker(adb, { relistMs: 600_000, recoveryMs: 60_000 });
    const stop = new AbortController();
    const run = (expected: readonly ListedDevice[] = []) =>
      tracker.run(stop.signal, { expected, onListing() {}, onLost() {} });
    /** The list that is being read; waits until it is. */
    const reading = async (index: number) => {
      await vi.waitUntil(() => asked.length > index, { interval: 5 });
      return asked[index] as PromiseWithResolvers<readonly ListedDevice[]>;
    };
    return { tracker, stop, run, reading };
  }

  it('holds nobody up where nobody tracks the list', async () => {
    expect(await scene().tracker.relist()).toBe(true);
  });

  it('answers all who wanted a list before it began to read, in one reading', async () => {
    const { tracker, stop, run, reading } = scene();
    const running = run();
    (await reading(0)).resolve([]);
    await turn();
    await turn();
    const both = Promise.all([tracker.relist(), tracker.relist()]);
    const second = await reading(1);
    const late = tracker.relist();
    second.resolve([]);
    expect(await both).toEqual([true, true]);
    expect(await settled(late)).toBe('waits');
    (await reading(2)).reject(new Error('no adb server'));
    expect(await late).toBe(false);
    stop.abort();
    await running;
  });

  it('lets them wait on while the list is not yet taken for the whole', async () => {
    const { tracker, stop, run, reading } = scene();
    const phone = { serial: 'POCO', state: 'device', devpath: '1-1' };
    const running = run([phone]);
    const wanted = tracker.relist();
    (await reading(0)).resolve([]);
    (await reading(1)).resolve([]);
    expect(await settled(wanted)).toBe('waits');
    (await reading(2)).resolve([phone]);
    expect(await wanted).toBe(true);
    stop.abort();
    await running;
  });

  it('holds nobody up in the turn in which it was taken, and does in the next', async () => {
    const { tracker, stop, run, reading } = scene();
    const running = run();
    const first = await reading(0);
    first.resolve([]);
    await first.promise
      .then(() => {})
      .then(() => {})
      .then(() => {});
    expect(await settled(tracker.relist())).toBe(true);
    expect(await settled(tracker.relist())).toBe('waits');
    stop.abort();
    await running;
  });

  it('lets go of all when the list is tracked no longer', async () => {
    const { tracker, stop, run, reading } = scene();
    const running = run();
    await reading(0);
    const wanted = tracker.relist();
    stop.abort();
    (await reading(0)).reject(stop.signal.reason);
    expect(await wanted).toBe(false);
    await running;
  });
});

describe('another server, by the numbers of its connections', () => {
  const listed = (numbers: Record<string, number | undefined>): ListedDevice[] =>
    Object.entries(numbers).map(([serial, transportId]) => ({
      serial,
      state: 'device',
      ...(transportId !== undefined && { transportId }),
    }));

  async function areOfAnother(lists: readonly (readonly ListedDevice[])[]): Promise<boolean[]> {
    const left = [...lists];
    const server = new ListedServer({ listDevices: async () => left.shift() ?? [], version: async () => 41 });
    const are: boolean[] = [];
    for (const _ of lists) are.push((await server.list(false, new AbortController().signal)).isAnother);
    return are;
  }

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
    [
      'a list without its numbers between two that have them',
      [
        { a: 1, b: 2 },
        { a: undefined, b: undefined },
        { a: 1, b: 2 },
        { a: 1, b: 3 },
      ],
      [false, false, false, false],
    ],
    ['a server that gives no numbers', [{ a: undefined }, { b: undefined }], [false, false]],
  ])('%s', async (_, lists, are) => {
    expect(await areOfAnother(lists.map(listed))).toEqual(are);
  });

  it('finds the same list object to be of the same server', async () => {
    const list = listed({ a: 5 });
    expect(await areOfAnother([list, list, listed({ a: 4 }), list])).toEqual([false, false, true, false]);
  });
});

describe('Recovery', () => {
  const RECOVERY_MS = 1000;
  const now = () => performance.now();

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is open from the first failure until its end', () => {
    const recovery = new Recovery(RECOVERY_MS);
    expect(recovery.isOpen).toBe(false);
    recovery.failed(now());
    expect(recovery.isOpen).toBe(true);
    recovery.end();
    expect(recovery.isOpen).toBe(false);
  });

  it('counts the failing time from the first failure', () => {
    const recovery = new Recovery(RECOVERY_MS);
    expect(recovery.failed(now())).toBe(0);
    vi.advanceTimersByTime(700);
    expect(recovery.failed(now())).toBe(700);
  });

  it('waits from the first answer, not from the failure', () => {
    const recovery = new Recovery(RECOVERY_MS);
    recovery.failed(now());
    vi.advanceTimersByTime(60_000);
    expect(recovery.mayWait()).toBe(true);
    vi.advanceTimersByTime(RECOVERY_MS - 1);
    expect(recovery.mayWait()).toBe(true);
    vi.advanceTimersByTime(1);
    expect(recovery.mayWait()).toBe(false);
  });

  it('a server that is replaced again and again gets three times as long at most', () => {
    const recovery = new Recovery(RECOVERY_MS);
    const waits = Array.from({ length: 6 }, () => {
      recovery.begin(now());
      const mayWait = recovery.mayWait();
      vi.advanceTimersByTime(RECOVERY_MS * 0.75);
      return mayWait;
    });
    expect(waits).toEqual([true, true, true, true, false, false]);
  });

  it('a failure starts the wait again', () => {
    const recovery = new Recovery(RECOVERY_MS);
    recovery.begin(now());
    recovery.mayWait();
    vi.advanceTimersByTime(10 * RECOVERY_MS);
    expect(recovery.mayWait()).toBe(false);
    recovery.failed(now());
    expect(recovery.mayWait()).toBe(true);
  });
});
