import { describe, expect, it } from 'vitest';
import { MOST_UNSENT_KEPT, presentable } from '../../src/cloud/agent-client.ts';
import type { FailedDevice } from '../../src/cloud/contract/report.ts';
import { redactor } from '../../src/cloud/redaction.ts';
import { answering, apiKey, credentials, put } from './exchange.ts';

const redact = redactor([credentials, apiKey]);
const MEBIBYTE = 1024 * 1024;

/** As many devices as an answer of 1 MiB names. */
function fullAnswer(device: (index: number) => FailedDevice): string {
  const devices: string[] = [];
  for (let size = 100; size < MEBIBYTE; size += (devices.at(-1)?.length ?? 0) + 1)
    devices.push(JSON.stringify(device(devices.length)));
  return `{"failedDevices":[${devices.slice(0, -1).join(',')}]}`;
}

const listOf = (count: number, device: (index: number) => FailedDevice) =>
  Array.from({ length: count }, (_, index) => device(index));

describe('an answer that names many devices that were not sent', () => {
  const unsent = (index: number) => ({ udid: `phone-${index}`, message: `%25 &amp; ${index}` });

  it('leaves turns to the event loop', async () => {
    let turns = 0;
    let isDone = false;
    const tick = () => {
      turns += 1;
      if (!isDone) setImmediate(tick);
    };
    setImmediate(tick);
    await presentable(listOf(10_000, unsent), new Set(), redact);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('is not kept whole', async () => {
    const presented = await presentable(listOf(MOST_UNSENT_KEPT + 500, unsent), new Set(), redact);
    expect(presented).toHaveLength(MOST_UNSENT_KEPT);
  });

  it('keeps the devices that were sent, wherever they are, each once', async () => {
    const all = [...listOf(MOST_UNSENT_KEPT + 500, unsent), { udid: 'A', message: 'no' }];
    const presented = await presentable([...all, { udid: 'A', message: 'again' }], new Set(['A']), redact);
    expect(presented.filter(({ udid }) => udid === 'A')).toEqual([{ udid: 'A', message: 'no' }]);
  });

  it('says nothing of a device that was sent, however it looks', async () => {
    const strangers = [' A ', 'b\u0001', 'b\u0001', 'b\u0001 '].map((udid, index) => ({
      udid,
      message: `no ${index}`,
    }));
    const presented = await presentable(
      [...strangers, { udid: 'A', message: 'ours' }],
      new Set(['A']),
      redact,
    );
    expect(presented).toEqual([
      { udid: 'A', message: 'ours' },
      { udid: 'b␁', message: 'no 1' },
    ]);
  });

  it('is taken in 1 MiB, from the cloud itself', async () => {
    const { outcome } = await put(answering(200, fullAnswer(unsent)));
    expect(outcome).toMatchObject({ failedDevices: expect.arrayContaining([unsent(0)]) });
  });
});

describe('the texts of failed devices', () => {
  it('are printable lines of a limited length without secrets', async () => {
    const failed = [
      { udid: `\u001b[2J ${apiKey}`, message: `no\n${apiKey}` },
      { udid: 'x'.repeat(500), message: 'y'.repeat(MEBIBYTE) },
    ];
    expect(await presentable(failed, new Set(), redact)).toEqual([
      { udid: '␛[2J [redacted]', message: 'no [redacted]' },
      { udid: 'x'.repeat(128), message: 'y'.repeat(1000) },
    ]);
  });
});
