import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Recovery } from '../../src/agent/recovery.ts';

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
