import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Recording } from '../../src/demo/recording.ts';
import { enliven } from '../../src/demo/stage.ts';

const recording: Recording = {
  title: 'a phone',
  origin: [],
  serial: 'S1',
  state: 'device',
  sdk: 33,
  answers: { 'boot.clock': ['58c5a26e-9f05-4f7a-a1b2-0123456789ab', '100.50 300.25'] },
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

it('a lively phone has been up longer, in the same boot', async () => {
  const phone = new SimulatedPhone(recording);
  enliven(phone);
  vi.setSystemTime(Date.now() + 60_000);
  const script = "set -m;A=aa;B=bb\nq boot.clock 1 'x'\n";
  let text = '';
  for await (const chunk of phone.open(`exec:${script}`, new AbortController().signal) ?? []) text += chunk;
  expect(text).toContain('58c5a26e-9f05-4f7a-a1b2-0123456789ab\n160.50 360.25\n');
});
