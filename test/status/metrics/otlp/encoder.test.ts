import { describe, expect, it } from 'vitest';
import { Durations, type Family, Metrics, type Series } from '../../../../src/status/metrics/metrics.ts';
import { otlpEncoder, rejectionIn } from '../../../../src/status/metrics/otlp/encoder.ts';
import { partialSuccess } from '../../../support/otlp-endpoint.ts';

const source = { status: () => undefined, isProgressing: true };
const origin = { nodeId: 'rack-2', hostName: 'lab-07', version: '1.2.3' };

/** A message of protobuf by the numbers of its fields: values of 64 bits as bytes. */
type Read = { [field: number]: (number | Buffer)[] };

function read(bytes: Buffer): Read {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const fields: Read = {};
  while (at < bytes.length) {
    const tag = varint();
    const [field, wire] = [tag >> 3, tag & 7];
    const length = wire === 1 ? 8 : wire === 2 ? varint() : 0;
    fields[field] ??= [];
    fields[field].push(wire === 0 ? varint() : bytes.subarray(at, at + length));
    at += length;
  }
  return fields;
}

const inside = (message: Read, ...path: number[]): Read[] =>
  path.reduce<Read[]>(
    (found, field) => found.flatMap((each) => (each[field] ?? []).map((part) => read(part as Buffer))),
    [message],
  );
const textAt = (message: Read | undefined, field: number) => String(message?.[field]?.[0] ?? '');
const labelsAt = (message: Read, field: number) =>
  Object.fromEntries(inside(message, field).map((pair) => [textAt(pair, 1), textAt(inside(pair, 2)[0], 1)]));
/** ms since the epoch: pbf takes a time in ns as a number, which is exact to 256 ns. */
const msAt = (message: Read, field: number) => {
  const [bytes] = (message[field] ?? []) as Buffer[];
  return bytes && Math.round(Number(bytes.readBigUInt64LE()) / 1e6);
};
const doublesIn = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readDoubleLE(8 * index));
const integersIn = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 8 }, (_, index) => Number(bytes.readBigUInt64LE(8 * index)));

const since = 1_700_000_000_250;
const family = (changes: Partial<Family>): Family => ({
  ...{ name: 'hostnode_devices', help: 'Phones.', kind: 'gauge', since, series: [[{}, 1]] },
  ...changes,
});
const written = (...families: Family[]) => {
  const { body } = otlpEncoder({ families: () => families }, origin)();
  const message = read(Buffer.from(body));
  return { message, metrics: inside(message, 1, 2, 2) };
};

describe('the encoder', () => {
  it('writes every metric that has a value, as it is then, and whose it is', () => {
    const metrics = new Metrics(source);
    const encode = otlpEncoder(metrics, origin);
    const names = () => inside(read(Buffer.from(encode().body)), 1, 2, 2).map((metric) => textAt(metric, 1));
    const known = metrics.families().filter(({ series }) => series.length > 0);
    expect(names()).toEqual(known.map(({ name }) => name));
    expect(names()).toContain('hostnode_round_duration_seconds');
    expect(names()).not.toContain('hostnode_device_info');
    metrics.counts.sent({ outcome: 'CLOUD_MOVED', devices: 1, refused: 0, durationMs: 5 });
    expect(Buffer.from(encode().body).toString('latin1')).toContain('cloud_moved');
    const { message } = written(family({}));
    expect(inside(message, 1, 1).map((resource) => labelsAt(resource, 1))).toEqual([
      {
        'service.name': 'hostnode',
        'service.instance.id': 'rack-2',
        'service.version': '1.2.3',
        'host.name': 'lab-07',
      },
    ]);
    expect(inside(message, 1, 2, 1).map((scope) => [textAt(scope, 1), textAt(scope, 2)])).toEqual([
      ['hostnode', '1.2.3'],
    ]);
  });

  it('gives a gauge a value now, which counts from nowhere', () => {
    const labels = { udid: 'R58M1', slot: '', model: 'ü'.repeat(200) };
    const [metric = {}] = written(family({ series: [[labels, 0.5]] })).metrics;
    expect([textAt(metric, 1), textAt(metric, 2)]).toEqual(['hostnode_devices', 'Phones.']);
    const [point = {}, ...more] = inside(metric, 5, 1);
    expect(more).toEqual([]);
    expect(labelsAt(point, 7)).toEqual({ udid: 'R58M1', model: labels.model }); // an empty label is none
    expect(doublesIn(point[4]?.[0] as Buffer)).toEqual([0.5]);
    expect(Math.abs((msAt(point, 3) ?? 0) - Date.now())).toBeLessThan(5000);
    expect([point[2], point[8]]).toEqual([undefined, undefined]);
  });

  it('gives a counter a sum that only grows, since it was 0', () => {
    const [sum = {}] = inside(written(family({ kind: 'counter' })).metrics[0] ?? {}, 7);
    expect([sum[2], sum[3]]).toEqual([[2], [1]]); // cumulative, and monotonic
    expect(inside(sum, 1).map((point) => msAt(point, 2))).toEqual([since]);
  });

  it('never has one begin after it ends, though the clock was set back', () => {
    const { metrics } = written(family({ kind: 'counter', since: Date.now() + 86_400_000 }));
    const [point = {}] = inside(metrics[0] ?? {}, 7, 1);
    expect(msAt(point, 2)).toBe(msAt(point, 3));
  });

  it('gives a histogram what each bucket has alone', () => {
    const durations = new Durations();
    for (const ms of [10, 20, 90, 200_000]) durations.add(ms);
    const [histogram = {}] = inside(
      written(family({ kind: 'histogram', series: [[{ of: 'b' }, durations]] })).metrics[0] ?? {},
      9,
    );
    expect(histogram[2]).toEqual([2]);
    const [point = {}] = inside(histogram, 1);
    expect(labelsAt(point, 9)).toEqual({ of: 'b' });
    expect(integersIn(point[4]?.[0] as Buffer)).toEqual([4]);
    expect(doublesIn(point[5]?.[0] as Buffer)).toEqual([expect.closeTo(200.12, 9)]);
    const counts = integersIn(point[6]?.[0] as Buffer);
    expect([counts.length, counts[0], counts[1], counts.at(-1)]).toEqual([13, 2, 1, 1]);
    expect(doublesIn(point[7]?.[0] as Buffer)).toEqual([
      0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120,
    ]);
    expect(msAt(point, 2)).toBe(since);
  });

  it('tells of the end of a series, by a point without a value, until the endpoint has taken that', () => {
    const stateSeries = (state: string): Series => [{ udid: 'R58M1', state }, 1];
    const view = { families: () => [] as Family[] };
    const encode = otlpEncoder(view, origin);
    const next = (...states: string[]) => {
      view.families = () => [family({ name: 'hostnode_device_state', series: states.map(stateSeries) })];
      const { body, taken } = encode();
      const points = inside(read(Buffer.from(body)), 1, 2, 2, 5, 1);
      return { taken, told: points.map((point) => [labelsAt(point, 7).state, point[4]?.length, point[8]]) };
    };
    const here = (state: string) => [state, 1, undefined];
    const ended = (state: string) => [state, undefined, [1]];
    const first = next('offline', 'unauthorized'); // never taken, so nobody knows of it
    expect(next('unauthorized').told).toEqual([here('unauthorized')]);
    first.taken();
    expect(next('unauthorized').told).toEqual([here('unauthorized'), ended('offline')]);
    const again = next();
    expect(again.told).toEqual([ended('offline'), ended('unauthorized')]);
    again.taken();
    expect(next('unauthorized').told).toEqual([here('unauthorized')]);
  });
});

describe('what an endpoint answers', () => {
  const bodyOf = (answer: ReturnType<typeof partialSuccess>) => Buffer.from(answer.body ?? '');

  it('says how many points were not taken', () => {
    expect(rejectionIn(bodyOf(partialSuccess(3, 'too old')))).toEqual({ points: 3, message: 'too old' });
    expect(rejectionIn(bodyOf(partialSuccess(0, 'all is well')))).toBeUndefined();
    expect(rejectionIn(new Uint8Array())).toBeUndefined();
  });

  it('gives no number where it has none that can be', () => {
    const endless = Buffer.from([0x0a, 0x0b, 0x08, ...Array(9).fill(0xff), 0x7f]);
    expect(rejectionIn(endless)).toEqual({ message: '' });
  });

  it.each([
    ['a text', Buffer.from('<!doctype html>')],
    ['a length beyond the end', Buffer.of(0x0a, 0x7f, 0x08)],
    ['a number without end', Buffer.alloc(4096, 0xff)],
  ])('is not %s', (_, answer) => {
    expect(() => rejectionIn(answer)).toThrow();
  });
});
