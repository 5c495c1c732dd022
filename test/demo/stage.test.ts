import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Recording } from '../../src/demo/recording.ts';
import { enliven } from '../../src/demo/stage.ts';

const recording = (status: number, level: number): Recording => ({
  title: 'a phone',
  origin: [],
  serial: 'S1',
  state: 'device',
  sdk: 33,
  answers: {
    'boot.clock': ['58c5a26e-9f05-4f7a-a1b2-0123456789ab', '100.50 300.25'],
    'battery.dump': [`  status: ${status}`, '  Max charging level: 7', `  level: ${level}`],
  },
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** What the phone says `seconds` later. */
async function later(seconds: number, { status = 2, level = 50 } = {}): Promise<string> {
  const phone = new SimulatedPhone(recording(status, level));
  enliven(phone);
  vi.setSystemTime(Date.now() + seconds * 1000);
  const script = "set -m;A=aa;B=bb\nq boot.clock 1 'x'\nq battery.dump 1 'x'\n";
  let text = '';
  for await (const chunk of phone.open(`exec:${script}`, new AbortController().signal) ?? []) text += chunk;
  return text;
}

describe('a lively phone', () => {
  it('has been up longer, in the same boot', async () => {
    expect(await later(60)).toContain('58c5a26e-9f05-4f7a-a1b2-0123456789ab\n160.50 360.25\n');
  });

  it.each([
    [{ status: 2, level: 50 }, 179, 52],
    [{ status: 3, level: 50 }, 179, 48],
    [{ status: 5, level: 100 }, 3000, 100],
    [{ status: 2, level: 99 }, 3000, 100],
    [{ status: 3, level: 3 }, 3000, 1],
  ])('with %o has, %i seconds later, a level of %i', async (battery, seconds, level) => {
    expect(await later(seconds, battery)).toContain(`  Max charging level: 7\n  level: ${level}\n`);
  });
});
