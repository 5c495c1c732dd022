/**
 * Writes the metrics as OTLP's protobuf messages, by the OpenTelemetry SDK. A bundle of its own (dist/otlp.cjs), so that
 * an agent that pushes nothing does not hold the SDK in memory: see packaging/bundle.ts.
 */
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  DataPointType,
  MeterProvider,
  type MetricProducer,
  MetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { MetricsView } from '../metrics.ts';
import { metricDataOf } from './conversion.ts';
import { endedSeries, type Series } from './ended-series.ts';

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

export interface Encoded {
  /** An ExportMetricsServiceRequest. */
  readonly body: Uint8Array;
  /** The endpoint has taken it: what is in it and not in the next one has ended. */
  taken(): void;
}

export interface OtlpEncoder {
  /** All metrics as they are now, and which series have ended since the endpoint took the last ones. */
  encode(): Promise<Encoded>;
}

const SCOPE = 'hostnode';

export function otlpEncoder(metrics: MetricsView, { nodeId, hostName, version }: Origin): OtlpEncoder {
  const attributes = {
    'service.name': 'hostnode',
    'service.instance.id': nodeId,
    'service.version': version,
    'host.name': hostName,
  };
  const resource = resourceFromAttributes(attributes);
  const producer: MetricProducer = {
    async collect() {
      const families = await metrics.families();
      const span = (name: string) => ({ from: metrics.countsSince(name), to: Date.now() });
      const told = families.filter(({ values }) => values.length > 0);
      const data = told.map((family) => metricDataOf(family, span(family.name)));
      return {
        resourceMetrics: {
          resource,
          scopeMetrics: [{ scope: { name: SCOPE, version }, metrics: data }],
        },
        errors: [],
      };
    },
  };
  const reader = new Reader({ metricProducers: [producer] });
  new MeterProvider({ resource, readers: [reader] });
  let known: ReadonlyMap<string, Series> = new Map();
  return {
    async encode() {
      const { resourceMetrics, errors } = await reader.collect();
      if (errors.length > 0) throw errors[0];
      const present = gaugesIn(resourceMetrics);
      const ended = [...known].flatMap(([key, series]) => (present.has(key) ? [] : [series]));
      const all = ProtobufMetricsSerializer.serializeRequest(resourceMetrics) ?? new Uint8Array();
      return {
        body: Buffer.concat([all, endedSeries(attributes, ended, Date.now())]),
        taken() {
          known = present;
        },
      };
    },
  };
}

/** All series that may end: counters and histograms stay for as long as the process. */
function gaugesIn({ scopeMetrics }: ResourceMetrics): Map<string, Series> {
  const gauges = scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .filter(({ dataPointType }) => dataPointType === DataPointType.GAUGE);
  return new Map(
    gauges.flatMap(({ descriptor: { name, unit }, dataPoints }) =>
      dataPoints.map(({ attributes: labels }) => [JSON.stringify([name, labels]), { name, unit, labels }]),
    ),
  );
}

/** Reads when it is asked to: nothing is to be flushed or shut down. */
class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
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
