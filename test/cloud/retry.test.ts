import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CloudRefusedError, CloudUnavailableError } from '../../src/cloud/errors.ts';
import {
  callerDelays,
  type Delays,
  lastDelays,
  Outage,
  type Retry,
  reportDelays,
  withRetry,
} from '../../src/cloud/retry.ts';
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
  /** The ceilings of so many failures in a row, seconds. */
  const ceilings = (delays: Delays, count: number, isUrgent?: boolean) => {
    const outage = new Outage(delays);
    return Array.from({ length: count }, () => outage.goesOn(1, 0, isUrgent) / 1000);
  };

  it('may be anything up to a ceiling', () => {
    expect([0, 0.25, 0.5].map((jitter) => new Outage().goesOn(jitter))).toEqual([0, 250, 500]);
  });

  it('of a caller who waits is short three times, then grows to an hour', () => {
    expect(ceilings(callerDelays, 9)).toEqual([1, 2, 4, 60, 240, 960, 3600, 3600, 3600]);
  });

  it('of a report outlasts the minute in a third of all cases, and is short three times for a change', () => {
    expect(ceilings(reportDelays, 6, false)).toEqual([90, 480, 960, 3600, 3600, 3600]);
    expect(ceilings(reportDelays, 6, true)).toEqual([1, 2, 4, 90, 480, 960]);
  });

  it('of a change is no longer short once a full report has failed', () => {
    const outage = new Outage(reportDelays);
    expect([false, true].map((isUrgent) => outage.goesOn(1, 0, isUrgent))).toEqual([90_000, 480_000]);
    outage.end();
    expect(outage.goesOn(1, 0, true)).toBe(1_000);
  });

  it('of a last report stays within 2 s', () => {
    expect(ceilings(lastDelays, 5)).toEqual([1, 2, 2, 2, 2]);
  });

  it('is never shorter than the cloud asks for', () => {
    expect([0, 0.5].map((jitter) => new Outage().goesOn(jitter, 30_000))).toEqual([30_000, 30_500]);
  });

  it('is a whole number of ms between Retry-After and Retry-After plus the ceiling, whatever came before', () => {
    const ratio = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const failure = fc.record({ jitter: ratio, retryAfterMs: fc.nat(3_600_000), isUrgent: fc.boolean() });
    fc.assert(
      fc.property(
        fc.constantFrom(callerDelays, reportDelays, lastDelays),
        fc.array(failure, { maxLength: 12 }),
        (delays, failures) => {
          const outage = new Outage(delays);
          const highestMs = Math.max(...delays.quickMs, ...delays.slowMs);
          for (const { jitter, retryAfterMs, isUrgent } of failures) {
            const delayMs = outage.goesOn(jitter, retryAfterMs, isUrgent);
            expect(Number.isInteger(delayMs)).toBe(true);
            expect(delayMs).toBeGreaterThanOrEqual(retryAfterMs);
            expect(delayMs).toBeLessThanOrEqual(retryAfterMs + highestMs);
          }
        },
      ),
    );
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
