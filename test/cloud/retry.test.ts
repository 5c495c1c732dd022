import { describe, expect, it } from 'vitest';
import { CloudRefusedError, CloudUnavailableError } from '../../src/cloud/errors.ts';
import { Outage, type Retry, retryDelayMs, withRetry } from '../../src/cloud/retry.ts';
import { body, TestServer } from '../support/cloud-server.ts';
import { outlasts } from '../support/outlasts.ts';
import { answering, clientOf } from './exchange.ts';

const request = 'PUT http://cloud.example/v1/devices';
const down = (retryAfterMs?: number) =>
  new CloudUnavailableError('down', { request, ...(retryAfterMs !== undefined && { retryAfterMs }) });
const signal = new AbortController().signal;
/** A jitter that makes the first delays 1, 2, 4 ms. */
const random = () => 0.001;

describe('the delay before another attempt', () => {
  it('may be anything up to a ceiling that grows from 1 s to an hour', () => {
    const ceilings = [1, 2, 3, 4, 5, 6, 7, 8, 2000].map((attempt) => retryDelayMs(attempt, 1) / 1000);
    expect(ceilings).toEqual([1, 2, 4, 60, 240, 960, 3600, 3600, 3600]);
    expect([0, 0.25, 0.5].map((jitter) => retryDelayMs(3, jitter))).toEqual([0, 1_000, 2_000]);
  });

  it('is never shorter than the cloud asks for', () => {
    expect([0, 0.5].map((jitter) => retryDelayMs(1, jitter, 30_000))).toEqual([30_000, 30_500]);
  });

  it('grows no further than there is time for', () => {
    const outage = new Outage(2_000);
    expect([1, 2, 3, 4, 5].map(() => outage.goesOn(1))).toEqual([1_000, 2_000, 2_000, 2_000, 2_000]);
  });
});

describe('a report to a cloud that is down', () => {
  it('is tried again until it is stored', async () => {
    const retries: Retry[] = [];
    const stored = await withRetry(async (attempt) => (attempt < 4 ? Promise.reject(down()) : attempt), {
      signal,
      forMs: 60_000,
      random,
      onRetry: (retry) => retries.push(retry),
    });
    expect(stored).toBe(4);
    expect(retries).toEqual([
      { error: down(), attempt: 1, delayMs: 1 },
      { error: down(), attempt: 2, delayMs: 2 },
      { error: down(), attempt: 3, delayMs: 4 },
    ]);
  });

  it('is tried again ever more seldom from report to report, until the cloud has answered', async () => {
    const outage = new Outage();
    /** The delays of one report that fails so often. */
    const delaysMs = async (fails: number, jitters: number[], error: Error = down()) => {
      const delays: number[] = [];
      let attempts = 0;
      const attempt = async () => {
        attempts += 1;
        if (attempts <= fails) throw error;
      };
      await withRetry(attempt, {
        signal,
        forMs: 3_000,
        random: () => jitters.shift() ?? 0,
        onRetry: ({ delayMs }) => delays.push(delayMs),
        outage,
      }).catch((reason) => expect(reason).toBe(error));
      return delays;
    };
    expect(await delaysMs(3, [0.001, 0.001, 0.9])).toEqual([1, 2]); // 3.6 s would be too late
    expect(await delaysMs(1, [0.9])).toEqual([]); // 54 s
    expect(await delaysMs(0, [])).toEqual([]);
    expect(await delaysMs(1, [0.002])).toEqual([2]);
    expect(await delaysMs(2, [0.002, 0.002])).toEqual([2, 4]);
    expect(await delaysMs(3, [0.001, 0.001, 0.9])).toEqual([1, 2]);
    await delaysMs(9, [], new CloudRefusedError('no', { request, status: 400 }));
    expect(await delaysMs(1, [0.002])).toEqual([2]);
  });

  it('is exactly one request an attempt', async () => {
    await using server = await TestServer.listen((received, response) =>
      answering(server.received.length < 3 ? 503 : 200, '{"failedDevices":[]}')(received, response),
    );
    const client = clientOf(server);
    await withRetry(() => client.putDevices(body, signal), { signal, forMs: 60_000, random });
    client.close();
    expect(server.received).toHaveLength(3);
  });

  it('waits as long as Retry-After says', async () => {
    await using server = await TestServer.listen((received, response) =>
      server.received.length === 1
        ? answering(503, '', { 'retry-after': '1' })(received, response)
        : answering(200, '{}')(received, response),
    );
    const client = clientOf(server);
    const put = () => withRetry(() => client.putDevices(body, signal), { signal, forMs: 60_000, random });
    expect(await outlasts(999, put)).toBe(true);
    client.close();
  });

  it('is given up at once when the next attempt would come too late', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      throw down(30_000);
    };
    await expect(withRetry(attempt, { signal, forMs: 20_000 })).rejects.toEqual(down(30_000));
    expect(attempts).toBe(1); // the next one would outlast the test
  });

  it('is let go at once when the agent stops', async () => {
    const stop = new AbortController();
    const attempt = withRetry(() => Promise.reject(down(50_000)), {
      signal: stop.signal,
      forMs: 60_000,
      onRetry: () => setImmediate(() => stop.abort(new Error('stopping'))),
    });
    await expect(attempt).rejects.toThrow('stopping');
  });
});

describe('a report that the cloud does not want', () => {
  it.each([new CloudRefusedError('no', { request, status: 400 }), new TypeError('a bug')])(
    'is not tried again: %s',
    async (error) => {
      let attempts = 0;
      const attempt = async () => {
        attempts += 1;
        throw error;
      };
      await expect(withRetry(attempt, { signal, forMs: 60_000, random })).rejects.toBe(error);
      expect(attempts).toBe(1);
    },
  );
});
