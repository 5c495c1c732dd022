import { describe, expect, it } from 'vitest';
import { endedSeries } from '../../../../src/status/metrics/otlp/encoder.ts';

/** A message of protobuf, field by field; `inside` says which fields are messages themselves. */
type Shape = { [field: number]: Shape };
type Read = [field: number, value: unknown];

function read(bytes: Buffer, inside: Shape): Read[] {
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
  const taken = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const fields: Read[] = [];
  while (at < bytes.length) {
    const tag = varint();
    const [field, wire] = [tag >> 3, tag & 7];
    if (wire === 0) fields.push([field, varint()]);
    else if (wire === 1) fields.push([field, taken(8).readBigUInt64LE()]);
    else {
      const inner = taken(varint());
      const shape = inside[field];
      fields.push([field, shape ? read(inner, shape) : inner.toString()]);
    }
  }
  return fields;
}

const keyValue: Shape = { 2: {} };
const point: Shape = { 7: keyValue };
const request: Shape = { 1: { 1: { 1: keyValue }, 2: { 2: { 5: { 1: point } } } } };

const attribute = (key: string, value: string): Read[] => [
  [1, key],
  [2, [[1, value]]],
];

describe('series that have ended', () => {
  it('are data points without a value, flagged as such', () => {
    const labels = { udid: 'R58M1', slot: 'ü'.repeat(200) };
    const series = [
      { name: 'hostnode_device_info', unit: '', labels },
      { name: 'hostnode_device_temperature_celsius', unit: 'Cel', labels: { udid: 'R58M2' } },
    ];
    const bytes = Buffer.from(endedSeries({ 'service.name': 'hostnode' }, series, 1_700_000_000_123.5));
    const at = 1_700_000_000_123_000_000n;
    const metric = (name: string, unit: string, ...points: Read[]): Read => [
      2,
      [
        [1, name],
        [3, unit],
        [5, [[1, points]]],
      ],
    ];
    expect(read(bytes, request)).toEqual([
      [
        1,
        [
          [1, [[1, attribute('service.name', 'hostnode')]]],
          [
            2,
            [
              metric(
                ...(['hostnode_device_info', ''] as const),
                ...([
                  [3, at],
                  [7, attribute('udid', 'R58M1')],
                  [7, attribute('slot', labels.slot)],
                  [8, 1],
                ] as Read[]),
              ),
              metric(
                ...(['hostnode_device_temperature_celsius', 'Cel'] as const),
                ...([
                  [3, at],
                  [7, attribute('udid', 'R58M2')],
                  [8, 1],
                ] as Read[]),
              ),
            ],
          ],
        ],
      ],
    ]);
  });

  it('are nothing where none has', () => {
    expect(endedSeries({ 'service.name': 'hostnode' }, [], 1)).toHaveLength(0);
  });
});
