import { describe, expect, it } from 'vitest';
import { SharedAnswer } from '../../../src/status/http/shared-answer.ts';

describe('SharedAnswer', () => {
  it('is made once at a time and once a second, and shared as it is', async () => {
    let now = 0;
    const making: PromiseWithResolvers<string>[] = [];
    const make = () => {
      const made = Promise.withResolvers<string>();
      making.push(made);
      return made.promise;
    };
    const answer = new SharedAnswer(make, 1_000, () => now);
    const first = Array.from({ length: 100 }, () => answer.get());
    now = 60_000; // it takes long
    first.push(answer.get());
    expect(making).toHaveLength(1);
    making[0]?.resolve('one');
    const [text] = await Promise.all(first);
    expect(String(text)).toBe('one');
    expect(new Set(await Promise.all(first)).size).toBe(1);
    now += 999;
    expect(await answer.get()).toBe(text);
    now += 1;
    const second = answer.get();
    expect(making).toHaveLength(2);
    making[1]?.resolve('two');
    expect(String(await second)).toBe('two');
  });

  it('is tried again no sooner where it fails', async () => {
    let now = 0;
    let tries = 0;
    const answer = new SharedAnswer(
      () => {
        tries += 1;
        return tries === 1 ? Promise.reject(new Error('no')) : Promise.resolve('yes');
      },
      1_000,
      () => now,
    );
    for (let times = 0; times < 5; times += 1) await expect(answer.get()).rejects.toThrow('no');
    expect(tries).toBe(1);
    now = 1_000;
    expect(String(await answer.get())).toBe('yes');
  });
});
