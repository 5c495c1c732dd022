import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CloudAnswerError, CloudAnswerTooLongError } from '../../src/cloud/errors.ts';
import { clientOf } from './exchange.ts';

const { signal } = new AbortController();

/** What the client reads where the cloud answers this. */
async function read(answer: unknown, udid?: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = clientOf({ port });
  onTestFinished(() => client.close());
  return { plugged: await client.pluggedIn(udid, signal), asked };
}

describe('the phones that the cloud has as plugged in', () => {
  it('are asked for in one list, or one by one, by the filters that the API has', async () => {
    const list = {
      privateDevices: [
        { id: 1, udid: 'A' },
        { udid: 'B', nodeId: 'rack-1' },
      ],
      cloudDevices: [],
    };
    const { plugged, asked } = await read(list);
    expect([...plugged]).toEqual([
      ['A', undefined],
      ['B', 'rack-1'],
    ]);
    expect(asked).toEqual(['/v1/devices?isPlugged=true']);
    expect((await read(list, 'a b&c')).asked).toEqual(['/v1/devices?udid=a+b%26c&isPlugged=true']);
  });

  it('are those with a name that hostnode could have given: an odd entry costs itself', async () => {
    const odd = [
      null,
      1,
      'A',
      [],
      {},
      { udid: 5 },
      { udid: '' },
      { udid: 'a\u001b[2J' },
      { udid: 'x'.repeat(129) },
    ];
    const also = [
      { udid: 'GONE', isPlugged: false },
      { udid: 'A', nodeId: 'rack\n2' },
      { udid: '__proto__' },
    ];
    const { plugged } = await read({ privateDevices: [...odd, ...also] });
    expect([...plugged]).toEqual([
      ['A', undefined],
      ['__proto__', undefined],
    ]);
  });

  it.each([
    ['bytes', { privateDevices: [{ udid: 'A', modelName: 'x'.repeat(3 * 1024 ** 2) }] }],
    ['entries', { privateDevices: Array.from({ length: 10_001 }, () => 1) }],
  ])('are not read from a list of too many %s', async (_, answer) => {
    await expect(read(answer)).rejects.toThrow(CloudAnswerTooLongError);
  });

  it.each(['<html>', '{}', '[]', '{"privateDevices": {}}'])('are not %s', async (answer) => {
    await expect(read(answer)).rejects.toThrow(CloudAnswerError);
  });
});
