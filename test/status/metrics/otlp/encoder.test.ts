import { describe, expect, it } from 'vitest';
import { type Family, Metrics } from '../../../../src/status/metrics/metrics.ts';
import { otlpEncoder, rejectionIn } from '../../../../src/status/metrics/otlp/encoder.ts';
import { partialSuccess } from '../../../support/otlp-endpoint.ts';

const source = {
  status: () => undefined,
  phone: async () => undefined,
  onChange: () => () => {},
  isProgressing: true,
};

const origin = { nodeId: 'rack-2', hostName: 'lab-07', version: '1.2.3' };

const bodyOf = (answer: ReturnType<typeof partialSuccess>) => Buffer.from(answer.body ?? '');

describe('the encoder', () => {
  it('writes every metric that has a value, as it is then, and whose it is', async () => {
    const metrics = new Metrics(source);
    const encode = otlpEncoder(metrics, origin);
    const text = async () => Buffer.from((await encode()).body).toString('latin1');
    const families = await metrics.families();
    const [told, untold] = [true, false].map((isTold) =>
      families.filter(({ values }) => values.length > 0 === isTold).map(({ name }) => name),
    );
    expect(told).toContain('hostnode_round_duration_seconds');
    expect(untold).toContain('hostnode_device_info');
    const before = await text();
    const named = (names: string[] = []) => names.filter((name) => before.includes(name));
    expect(named(told)).toEqual(told);
    expect(named(untold)).toEqual([]);
    for (const word of [
      'service.name',
      'hostnode',
      'service.instance.id',
      'rack-2',
      'host.name',
      'lab-07',
      '1.2.3',
    ])
      expect(before).toContain(word);
    expect(before).not.toContain('cloud_moved');
    metrics.counts.sent({ outcome: 'CLOUD_MOVED', devices: 1, refused: 0, durationMs: 5 });
    expect(await text()).toContain('cloud_moved');
  });

  it('tells of the end of a series until the endpoint has taken that', async () => {
    const states = (...names: string[]): Family[] => [
      {
        ...{ name: 'hostnode_device_state', help: 'x', type: 'gauge' },
        values: names.map((state) => ({ labels: { state }, value: 1 })),
      },
    ];
    const view = { families: async () => states('offline', 'unauthorized'), countsSince: () => 0 };
    const encode = otlpEncoder(view, origin);
    const next = async (...names: string[]) => {
      view.families = async () => states(...names);
      const { body, taken } = await encode();
      const told = Buffer.from(body).toString('latin1');
      return { taken, offline: told.includes('offline'), length: body.length };
    };
    const first = await next('offline', 'unauthorized'); // never taken, so nobody knows of it
    expect((await next('unauthorized')).offline).toBe(false);
    first.taken();
    const [once, again] = [await next('unauthorized'), await next('unauthorized')];
    expect([once.offline, again.offline]).toEqual([true, true]);
    again.taken();
    expect((await next('unauthorized')).offline).toBe(false);
  });

  it('reads how many points were not taken', () => {
    expect(rejectionIn(bodyOf(partialSuccess(3, 'too old')))).toEqual({ points: 3, message: 'too old' });
    expect(rejectionIn(bodyOf(partialSuccess(0, 'all is well')))).toBeUndefined();
    expect(rejectionIn(new Uint8Array())).toBeUndefined();
  });

  it('makes no number up where the answer has none that can be', () => {
    const endless = Buffer.from([0x0a, 0x0b, 0x08, ...Array(9).fill(0xff), 0x7f]);
    expect(rejectionIn(endless)).toEqual({ message: '' });
  });

  it.each([
    ['a text', Buffer.from('<!doctype html>')],
    ['a length beyond the end', Buffer.of(0x0a, 0x7f, 0x08)],
    ['a number without end', Buffer.alloc(4096, 0xff)],
  ])('refuses %s', (_, answer) => {
    expect(() => rejectionIn(answer)).toThrow();
  });
});
