/**
 * Series that have ended, as OTLP tells of them: a data point without a value (`FLAG_NO_RECORDED_VALUE_MASK` of
 * opentelemetry/proto/metrics/v1/metrics.proto), of which Prometheus makes a staleness marker. The SDK writes no such
 * point, so this file writes these few fields of the message itself. Pure.
 */
import type { Attributes } from '@opentelemetry/api';

/** A series of a gauge. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly labels: Attributes;
}

const NO_RECORDED_VALUE = 1;

/**
 * An ExportMetricsServiceRequest that tells of the end of these series; empty for none. Behind another request it makes one
 * message with it: protobuf joins repeated fields.
 *
 * @param resource its attributes
 * @param at ms since the epoch
 */
export function endedSeries(resource: Attributes, series: readonly Series[], at: number): Uint8Array {
  if (series.length === 0) return new Uint8Array();
  const metrics = series.map(({ name, unit, labels }) => {
    const point = [time(3, at), ...attributes(7, labels), number(8, NO_RECORDED_VALUE)];
    const gauge = message(5, [message(1, point)]);
    return message(2, [text(1, name), text(3, unit), gauge]);
  });
  return message(1, [message(1, attributes(1, resource)), message(2, metrics)]);
}

const attributes = (field: number, values: Attributes): Buffer[] =>
  Object.entries(values).map(([key, value]) =>
    message(field, [text(1, key), message(2, [text(1, String(value))])]),
  );

const text = (field: number, value: string): Buffer => message(field, [Buffer.from(value)]);

const message = (field: number, parts: readonly Buffer[]): Buffer => {
  const inner = Buffer.concat(parts);
  return Buffer.concat([varint((field << 3) | 2), varint(inner.length), inner]);
};

const number = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);

/** Nanoseconds, as fixed64. */
function time(field: number, at: number): Buffer {
  const nanoseconds = Buffer.alloc(8);
  nanoseconds.writeBigUInt64LE(BigInt(Math.max(0, Math.floor(at))) * 1_000_000n);
  return Buffer.concat([varint((field << 3) | 1), nanoseconds]);
}

/** Seven bits a byte, the lowest first; a bit more says that another byte follows. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
