import { describe, expect, it } from 'vitest';
import { FreshList } from '../../src/agent/fresh-list.ts';

/** What has come of it so far. */
async function settled<T>(promise: Promise<T>): Promise<T | 'waits'> {
  await new Promise((resolve) => setImmediate(resolve));
  return Promise.race([promise, Promise.resolve('waits' as const)]);
}

describe('FreshList', () => {
  it('holds nobody up where nobody follows the list', async () => {
    expect(await new FreshList().read()).toBe(true);
  });

  it('answers all who wanted a reading before it began, and wakes who reads', async () => {
    const fresh = new FreshList();
    let woken = 0;
    fresh.track(() => {
      woken += 1;
    });
    const [first, second] = [fresh.read(), fresh.read()];
    const reading = fresh.begin();
    const late = fresh.read();
    expect([woken, reading.isWanted]).toEqual([3, true]);
    reading.done(true);
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(await settled(late)).toBe('waits');
    fresh.begin().done(false);
    expect(await late).toBe(false);
  });

  it('lets them wait on while the list is not yet taken for the whole', async () => {
    const fresh = new FreshList();
    fresh.track(() => {});
    const wanted = fresh.read();
    fresh.begin().heldBack();
    expect(await settled(wanted)).toBe('waits');
    fresh.begin().done(true);
    expect(await wanted).toBe(true);
  });

  it('holds nobody up in the turn in which it was taken, and does in the next', async () => {
    const fresh = new FreshList();
    fresh.track(() => {});
    fresh.begin().done(true);
    expect(await fresh.read()).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await settled(fresh.read())).toBe('waits');
  });

  it('lets go of all when the list is followed no longer', async () => {
    const fresh = new FreshList();
    fresh.track(() => {});
    const wanted = fresh.read();
    fresh.end();
    expect(await wanted).toBe(false);
  });
});
