import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PasswordGate, type Verdict } from '../../../src/status/http/password-gate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const here = () => false;
const no = () => false;
const yes = () => true;

/** What became of each so far. */
interface Asked {
  verdict?: Verdict;
}

function ask(gate: PasswordGate, address: string, isRight = no, isGone = here): Asked {
  const asked: Asked = {};
  void Promise.resolve(gate.verdict(address, isRight, isGone)).then((verdict) => {
    asked.verdict = verdict;
  });
  return asked;
}

const address = (index: number) => `10.0.${Math.floor(index / 250)}.${(index % 250) + 1}`;

const count = (all: readonly Asked[], verdict: Verdict) =>
  all.filter((asked) => asked.verdict === verdict).length;

/** Each of so many addresses says so many wrong ones at once. */
const flood = (gate: PasswordGate, addresses: number, each: number): Asked[] =>
  Array.from({ length: addresses * each }, (_, index) => ask(gate, address(index % addresses)));

describe('PasswordGate', () => {
  it('looks at a few wrong ones at once and then at two a second, from however many addresses', async () => {
    const gate = new PasswordGate();
    const guesses = flood(gate, 223, 9);
    await vi.advanceTimersByTimeAsync(0);
    expect(count(guesses, 'wrong')).toBe(20);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(count(guesses, 'wrong')).toBe(28);
    await vi.advanceTimersByTimeAsync(60_000);
    // those who said none before were looked at after five seconds: one of each address
    expect(count(guesses, 'wrong')).toBeLessThan(223 + 30);
    expect(count(guesses, 'wrong') + count(guesses, 'busy')).toBe(guesses.length);
  });

  it('looks at the first of somebody within five seconds, whatever goes on', async () => {
    const gate = new PasswordGate();
    flood(gate, 500, 1);
    const owner = ask(gate, '10.9.9.9', yes);
    for (let ms = 0; ms < 5_000; ms += 100) {
      flood(gate, 500, 1);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(owner.verdict).toBe('right');
    await vi.advanceTimersByTimeAsync(0);
  });

  it('puts who has said the fewest wrong ones first, and of these the latest', async () => {
    const gate = new PasswordGate();
    for (let times = 0; times < 20; times += 1) ask(gate, address(Math.floor(times / 2)));
    const guesser = ask(gate, address(0), yes);
    const newcomers = [ask(gate, '10.9.9.1'), ask(gate, '10.9.9.2')];
    await vi.advanceTimersByTimeAsync(500);
    expect([guesser, ...newcomers].map(({ verdict }) => verdict)).toEqual([undefined, undefined, 'wrong']);
  });

  it('lets nobody wait who has said the right one before, nor those who came with it', async () => {
    const gate = new PasswordGate();
    expect(gate.verdict('10.9.9.1', yes, here)).toBe('right');
    flood(gate, 223, 1);
    expect(gate.verdict('10.9.9.1', yes, here)).toBe('right');
    expect(gate.verdict('::ffff:10.9.9.1', yes, here)).toBe('right');
    const together = [ask(gate, '10.9.9.2', yes), ask(gate, '10.9.9.2', yes), ask(gate, '10.9.9.2', yes)];
    await vi.advanceTimersByTimeAsync(500);
    expect(count(together, 'right')).toBe(3);
  });

  it('sends a client away after ten wrong ones a minute, an IPv6 network as one, even where it then is right', async () => {
    const gate = new PasswordGate();
    for (let index = 0; index < 10; index += 1)
      expect(gate.verdict(`2001:db8::${index}`, no, here)).toBe('wrong');
    expect(gate.verdict('2001:db8::abcd', yes, here)).toBe('tooMany');
    expect(gate.verdict('2001:db8:0:1::1', yes, here)).toBe('right');
    vi.advanceTimersByTime(60_000);
    expect(gate.verdict('2001:db8::abcd', yes, here)).toBe('right');
  });

  it('looks at ten of a client at most that come at once after a wait', async () => {
    const gate = new PasswordGate();
    flood(gate, 20, 1);
    const guesses = Array.from({ length: 100 }, () => ask(gate, '10.9.9.9'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(count(guesses, 'wrong')).toBeLessThanOrEqual(10);
    expect(guesses.every(({ verdict }) => verdict !== undefined)).toBe(true);
  });

  it('gives no turn to who has hung up', async () => {
    const gate = new PasswordGate();
    flood(gate, 20, 1);
    let looks = 0;
    const looking = () => {
      looks += 1;
      return false;
    };
    let isGone = false;
    for (let index = 0; index < 5_000; index += 1) ask(gate, address(index), looking, () => isGone);
    isGone = true;
    const owner = ask(gate, '10.9.9.9', yes);
    await vi.advanceTimersByTimeAsync(500);
    expect([looks, owner.verdict]).toEqual([0, 'right']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
