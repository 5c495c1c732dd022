import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { offsetShare } from '../../../../src/agent/schedule.ts';
import type { OtlpConfig } from '../../../../src/config/metrics.ts';
import { Secret } from '../../../../src/config/secrets.ts';
import type { Family } from '../../../../src/status/metrics/metrics.ts';
import { msToNextPush, startPush } from '../../../../src/status/metrics/otlp/push.ts';
import { keptLog } from '../../../support/log.ts';
import { type Manner, OtlpEndpoint, partialSuccess } from '../../../support/otlp-endpoint.ts';

const secret = 't0ken-that-nobody-may-see';
const families: Family[] = [
  { name: 'hostnode_devices', help: 'Phones.', type: 'gauge', values: [{ labels: {}, value: 7 }] },
];
const metrics = { families: async () => families, countsSince: () => 0 };

const opened: { stop: () => void; endpoint: OtlpEndpoint }[] = [];

afterEach(async () => {
  for (const { stop, endpoint } of opened.splice(0)) {
    stop();
    await endpoint.shut();
  }
});

/** A host that pushes late in this period: there is time for another try before. */
function lateHost({ everySeconds }: OtlpConfig): string {
  const names = Array.from({ length: 1000 }, (_, index) => `host-${index}`);
  const waits = (name: string) => msToNextPush(name, everySeconds * 1000, Date.now());
  return names.find((name) => waits(name) > everySeconds * 900) ?? '';
}

/** Pushes ten times a second, if the endpoint lets it, which first does this. */
async function pushing(manner?: Manner, changes: Partial<OtlpConfig> = {}) {
  const endpoint = await OtlpEndpoint.start();
  if (manner !== undefined) endpoint.manner = manner;
  const waiting: (() => void)[] = [];
  const { log, lines } = keptLog('info', () => {
    for (const wake of waiting.splice(0)) wake();
  });
  const config: OtlpConfig = {
    ...{ endpoint: endpoint.url, everySeconds: 0.1, timeoutSeconds: manner === 'silent' ? 1 : 10 },
    headers: { authorization: new Secret(`Bearer ${secret}`) },
    ...changes,
  };
  const stop = await startPush({
    config,
    nodeId: lateHost(config),
    hostName: hostname(),
    metrics,
    env: {},
    log,
  });
  opened.push({ stop, endpoint });
  const said = (msg: string) => lines.filter((line) => line.msg === msg);
  /** Waits for a line. */
  const says = async (msg: string) => {
    while (said(msg).length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    return said(msg)[0];
  };
  return { endpoint, stop, lines, said, says };
}

const failed = 'the metrics are not pushed';
const again = 'the metrics are pushed again';

describe('the push', () => {
  it('posts the metrics with the headers, again and again, and says nothing', async () => {
    const { endpoint, lines } = await pushing();
    const { method, path, headers, body } = await endpoint.pushed(2);
    expect([method, path]).toEqual(['POST', '/v1/metrics']);
    expect(headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'content-type': 'application/x-protobuf',
      'content-length': String(body.length),
      'user-agent': expect.stringMatching(/^hostnode\/\d/),
    });
    expect(body.toString('latin1')).toContain('hostnode_devices');
    expect(lines).toEqual([]);
  });

  it.each<[string, Manner, RegExp]>([
    ['cuts the connection', 'cut', /ECONNRESET|EPIPE/],
    ['hangs', 'silent', /no answer within 1 s/],
    ['answers 400', { status: 400 }, /400 Bad Request; look in the log of the endpoint/],
    ['answers 401', { status: 401 }, /401 Unauthorized; check the headers \(metrics\.otlp\.headersFile\)/],
    ['answers 404', { status: 404 }, /404 Not Found; check metrics\.otlp\.endpoint/],
    ['answers 429', { status: 429 }, /429 Too Many Requests; wait/],
    ['answers 503', { status: 503 }, /503 Service Unavailable; wait/],
    [
      'answers with a page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
      /the answer is not one of OTLP: 200; check metrics\.otlp\.endpoint/,
    ],
    [
      'answers with garbage',
      { status: 200, headers: { 'content-type': 'application/x-protobuf' }, body: Buffer.alloc(99, 0xff) },
      /the answer is not one of OTLP: 200/,
    ],
    [
      'answers without end',
      { status: 200, headers: { 'content-type': 'application/x-protobuf' }, body: Buffer.alloc(100_000) },
      /the answer is not one of OTLP: 200/,
    ],
    [
      'redirects',
      { status: 307, headers: { location: 'http://127.0.0.1:9/elsewhere?x=s3cret' } },
      /307, not followed: redirects to http:\/\/127\.0\.0\.1:9\/elsewhere; check metrics\.otlp\.endpoint/,
    ],
  ])('of which the endpoint %s is said once, and its end once', async (_, manner, words) => {
    const { endpoint, said, says } = await pushing(manner);
    const line = (await says(failed)) as { err: { message: string; code: string } } | undefined;
    expect(line?.err.code).toBe('METRICS_NOT_PUSHED');
    expect(line?.err.message).toMatch(words);
    await endpoint.pushed(2);
    expect(said(failed)).toHaveLength(1);
    expect(said(again)).toEqual([]);
    endpoint.take();
    await says(again);
    await endpoint.pushed();
    expect([said(failed).length, said(again).length]).toEqual([1, 1]);
  });

  it('of which nobody listens at the endpoint is said once, and its end once', async () => {
    const { endpoint, said, says } = await pushing();
    await endpoint.shut();
    const line = (await says(failed)) as { err: { message: string } } | undefined;
    expect(line?.err.message).toMatch(
      /nothing listens there \(ECONNREFUSED\); check metrics\.otlp\.endpoint/,
    );
    await endpoint.open();
    await says(again);
    expect(said(failed)).toHaveLength(1);
  });

  it('shows the endpoint’s words without the secret, and no terminal’s escape', async () => {
    const body = `no \u001b[2J such token ${secret}, Bearer ${secret}`;
    const { says, lines } = await pushing({ status: 403, headers: { 'content-type': 'text/plain' }, body });
    const line = (await says(failed)) as { err: { message: string } } | undefined;
    expect(line?.err.message).toMatch(/403 Forbidden \("no .* such token \[redacted\]/);
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(JSON.stringify(lines)).not.toContain('\\u001b');
  });

  it('says once that points were rejected, and once that they are taken again', async () => {
    const { endpoint, said, says } = await pushing(partialSuccess(3, `too old, says ${secret}`));
    const rejected = 'the endpoint rejects some of the metrics';
    expect(await says(rejected)).toMatchObject({ points: 3, said: 'too old, says [redacted]' });
    await endpoint.pushed(2);
    expect(said(rejected)).toHaveLength(1);
    endpoint.take();
    await says('the endpoint takes all metrics again');
    expect(said(failed)).toEqual([]);
  });

  it('is one at a time', async () => {
    const { endpoint, says } = await pushing('silent');
    await endpoint.pushed();
    await says(failed);
    expect(endpoint.pushes).toHaveLength(1);
  });
});

describe('the place of a host in the period', () => {
  const minute = 60_000;

  it('is that of its reports, half a period later', () => {
    const place = Math.floor((offsetShare('rack-2') + 0.5) * minute) % minute;
    for (const now of [0, 1, place - 1, place, place + 1, 1_700_000_012_345]) {
      const wait = msToNextPush('rack-2', minute, now);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(minute);
      expect((now + wait) % minute).toBe(place);
    }
  });

  it('spreads a thousand hosts over the minute', () => {
    const perSecond = new Map<number, number>();
    for (let host = 0; host < 1000; host += 1) {
      const second = Math.floor(msToNextPush(`host-${host}`, minute, 0) / 1000);
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    }
    expect(perSecond.size).toBe(60);
    expect(Math.max(...perSecond.values())).toBeLessThan(40);
  });
});
