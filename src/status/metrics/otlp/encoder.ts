/**
 * Writes the metrics as OTLP's protobuf messages, by the OpenTelemetry SDK: the metrics of the scrape, so that Prometheus
 * gives them the same names again (OpenTelemetry's "Prometheus and OpenMetrics Compatibility"), and which series have ended.
 * A bundle of its own (dist/otlp.cjs), so that an agent that pushes nothing does not hold the SDK in memory: see
 * packaging/bundle.ts.
 */
import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { Family, FamilyValue, Metrics } from '../metrics.ts';

/** Whose metrics they are. Prometheus makes `job` of `service.name`, and `instance` of `service.instance.id`. */
export interface Origin {
  readonly nodeId: string;
  readonly hostName: string;
  readonly version: string;
}

/** Data points that the endpoint did not take, by its own words. */
export interface Rejection {
  /** Absent where it says nothing that can be. */
  readonly points?: number;
  readonly message: string;
}

/**
 * Writes all metrics as they are then, and which series have ended since the endpoint took the last ones.
 *
 * @returns resolves to `body`: an ExportMetricsServiceRequest; `taken`: the endpoint has taken it, so what is in it and not in the
 *   next one has ended
 */
export function otlpEncoder(
  source: Pick<Metrics, 'families' | 'countsSince'>,
  { nodeId, hostName, version }: Origin,
): () => Promise<{ body: Uint8Array; taken(): void }> {
  const scope = { name: 'hostnode', version };
  const resource = resourceFromAttributes({
    'service.name': 'hostnode',
    'service.instance.id': nodeId,
    'service.version': version,
    'host.name': hostName,
  });
  let known: ReadonlyMap<string, Series> = new Map();
  return async () => {
    const families = await source.families();
    const now = Date.now();
    const metrics = families
      .filter(({ values }) => values.length > 0)
      .map((family) => metricDataOf(family, { from: source.countsSince(family.name), to: now }));
    const all = ProtobufMetricsSerializer.serializeRequest({ resource, scopeMetrics: [{ scope, metrics }] });
    const present = gaugesIn(metrics);
    const ended = [...known].flatMap(([key, series]) => (present.has(key) ? [] : [series]));
    return {
      body: Buffer.concat([all ?? new Uint8Array(), endedSeries(resource.attributes, ended, now)]),
      taken: () => {
        known = present;
      },
    };
  };
}

/** All series that may end: counters and histograms stay for as long as the process. */
function gaugesIn(metrics: readonly MetricData[]): Map<string, Series> {
  const gauges = metrics.filter(({ dataPointType }) => dataPointType === DataPointType.GAUGE);
  return new Map(
    gauges.flatMap(({ descriptor: { name, unit }, dataPoints }) =>
      dataPoints.map(({ attributes: labels }) => [JSON.stringify([name, labels]), { name, unit, labels }]),
    ),
  );
}

/**
 * What an ExportMetricsServiceResponse says of points that were not taken.
 *
 * @returns undefined if all were
 * @throws {Error} it is no such message
 */
export function rejectionIn(answer: Uint8Array): Rejection | undefined {
  const { rejectedDataPoints: points = 0, errorMessage: message = '' } =
    ProtobufMetricsSerializer.deserializeResponse(answer).partialSuccess ?? {};
  if (points === 0) return undefined; // a message alone is a warning of the endpoint to its own people
  return { ...(Number.isSafeInteger(points) && { points }), message };
}

/** When counting began, and when it was read; ms since the epoch. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The units that our names end with, as OpenTelemetry writes them (UCUM). */
const UNITS: Readonly<Record<string, string>> = {
  seconds: 's',
  bytes: 'By',
  celsius: 'Cel',
  volts: 'V',
  ratio: '1',
};

/** @throws {Error} on a type of metric that no metric of ours has */
export function metricDataOf({ name, help, type, values }: Family, span: Span): MetricData {
  const base = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = (from: number): DataPoint<number>[] =>
    values.map(({ labels, value }) => ({
      ...timesOf(from, span.to),
      attributes: attributesOf(labels),
      value,
    }));
  const { GAUGE, SUM, HISTOGRAM } = DataPointType;
  if (type === 'gauge') return { ...base, dataPointType: GAUGE, dataPoints: points(0) };
  if (type === 'counter')
    return { ...base, dataPointType: SUM, isMonotonic: true, dataPoints: points(span.from) };
  if (type === 'histogram')
    return { ...base, dataPointType: HISTOGRAM, dataPoints: histogramsOf(name, values, span) };
  throw new Error(`${name}: a ${type} has no form in OTLP here`);
}

const unitOf = (name: string): string => UNITS[name.replace(/_total$/, '').replace(/^.*_/, '')] ?? '';

/** To Prometheus an empty label is none; in OTLP it would be one. */
const attributesOf = (labels: FamilyValue['labels']): Attributes =>
  Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));

/** @param from ms since the epoch; 0: nothing is counted; after `to` where the clock was set back since */
const timesOf = (from: number, to: number) => ({
  startTime: timeOf(Math.min(from, to)),
  endTime: timeOf(to),
});

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

/** The scrape's buckets count what is not above their bound; those of OTLP what is not in the one before. */
function histogramsOf(
  name: string,
  values: readonly FamilyValue[],
  { from, to }: Span,
): HistogramMetricData['dataPoints'] {
  const series = Map.groupBy(values, ({ labels: { le: _, ...own } }) => JSON.stringify(own));
  return [...series.values()].map((parts) => {
    const named = (suffix: string) => parts.filter(({ metricName }) => metricName === `${name}_${suffix}`);
    const [[count], [sum], buckets] = [named('count'), named('sum'), named('bucket')];
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite);
    const upTo = [...buckets.slice(0, boundaries.length).map(({ value }) => value), count?.value ?? 0];
    const counts = upTo.map((value, index) => value - (upTo[index - 1] ?? 0));
    return {
      ...timesOf(from, to),
      attributes: attributesOf(count?.labels ?? {}),
      value: { buckets: { boundaries, counts }, sum: sum?.value ?? 0, count: count?.value ?? 0 },
    };
  });
}

interface Series {
  readonly name: string;
  readonly unit: string;
  readonly labels: Attributes;
}

const NO_RECORDED_VALUE = 1;

/**
 * An ExportMetricsServiceRequest that tells of the end of these series; empty for none. Behind another request it makes one
 * message with it: protobuf joins repeated fields. Each has a data point without a value (`FLAG_NO_RECORDED_VALUE_MASK` of
 * opentelemetry/proto/metrics/v1/metrics.proto), of which Prometheus makes a staleness marker. The SDK writes no such point,
 * so these few fields of the message are written here.
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
