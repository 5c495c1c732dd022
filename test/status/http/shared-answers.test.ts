import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sharedAnswers } from '../../../src/status/http/shared-answers.ts';

describe('SharedAnswers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are made once at a time and once a second, and shared as they are', async () => {
    const answers = sharedAnswers({ freshMs: 1000 });
    const making: PromiseWithResolvers<string>[] = [];
    const get = () =>
      answers('how many', () => {
        const made = Promise.withResolvers<string>();
        making.push(made);
        return made.promise;
      });
    const first = Array.from({ length: 100 }, get);
    await vi.advanceTimersByTimeAsync(60_000); // it takes long
    first.push(get());
    expect(making).toHaveLength(1);
    making[0]?.resolve('one');
    expect(new Set(await Promise.all(first)).size).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(String(await get())).toBe('one');
    await vi.advanceTimersByTimeAsync(1);
    const second = get();
    await vi.advanceTimersByTimeAsync(0);
    making[1]?.resolve('two');
    expect(String(await second)).toBe('two');
  });

  it('are for those alone who ask meanwhile, where nothing may be old', async () => {
    const answers = sharedAnswers({ freshMs: 0 });
    const make = vi.fn(async () => 'yes');
    await Promise.all([answers('what', make), answers('what', make)]);
    await answers('what', make); // no timer went off
    expect(make).toHaveBeenCalledTimes(2);
  });

  it('are tried again no sooner where they fail', async () => {
    const answers = sharedAnswers({ freshMs: 1000 });
    const make = vi.fn(async () => 'yes').mockRejectedValueOnce(new Error('no'));
    for (let times = 0; times < 5; times += 1) await expect(answers('what', make)).rejects.toThrow('no');
    expect(make).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(String(await answers('what', make))).toBe('yes');
  });

  it('are worked on a few at a time, and none waits behind all that one client asks', async () => {
    const answers = sharedAnswers({ most: 2, waiting: 10 });
    const order: string[] = [];
    const asked: string[] = [];
    const ask = (question: string, client: string) =>
      answers(
        question,
        async () => {
          order.push(question);
          await new Promise((resolve) => setTimeout(resolve, 10));
          return question;
        },
        client,
      )
        .then(() => 'answered', String)
        .then((end) => asked.push(`${question} ${end.replace(/:.*/, '')}`));
    const crowd = Array.from({ length: 60 }, (_, index) => ask(`crowd ${index}`, 'crowd'));
    const one = ask('one', 'quiet');
    await vi.advanceTimersByTimeAsync(1000);
    await Promise.all([...crowd, one]);
    expect(order.slice(0, 3)).toEqual(['crowd 0', 'one', 'crowd 1']);
    expect(asked.filter((line) => line.endsWith(' answered'))).toHaveLength(12); // 1 at work, 10 that wait, and the one
    expect(asked.filter((line) => line.endsWith(' CommandRefusedError'))).toHaveLength(49);
  });

  it('come to one client after one of each client before it, however much these ask', async () => {
    const answers = sharedAnswers({ most: 1 });
    const order: string[] = [];
    const ask = (client: string) =>
      answers(`${order.length} ${Math.random()}`, async () => void order.push(client), client);
    const asked = ['a', 'a', 'a', 'b', 'b', 'b', 'late'].map(ask);
    await Promise.all(asked);
    expect(order.indexOf('late')).toBe(2);
  });

  it('keep no more than they may: the oldest goes', async () => {
    const answers = sharedAnswers({ freshMs: 60_000, kept: 2 });
    const make = vi.fn(async () => 'it');
    for (const question of ['a', 'b', 'c', 'c', 'a']) await answers(question, make);
    expect(make).toHaveBeenCalledTimes(4);
  });
});
