/**
 * The metrics of the scrape as the OpenTelemetry SDK has them, so that Prometheus gives them the same names again
 * (OpenTelemetry's "Prometheus and OpenMetrics Compatibility"). Pure.
 */
import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { Family, FamilyValue } from '../metrics.ts';

/** When counting began, and when it was read; ms since the epoch. */
export interface Span {
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
  switch (type) {
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points(0) };
    case 'counter':
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points(span.from) };
    case 'histogram':
      return {
        ...base,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: histogramsOf(name, values, span),
      };
    default:
      throw new Error(`${name}: a ${type} has no form in OTLP here`);
  }
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
