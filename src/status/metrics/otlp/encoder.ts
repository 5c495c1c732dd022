/**
 * Writes the metrics as OTLP's protobuf messages, by the OpenTelemetry SDK. A bundle of its own (dist/otlp.cjs), so that
 * an agent that pushes nothing does not hold the SDK in memory: see packaging/bundle.ts.
 */
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import type { Metrics } from '../metrics.ts';
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

const SCOPE = 'hostnode';

export class OtlpEncoder {
  readonly #metrics: Pick<Metrics, 'families' | 'countsSince'>;
  readonly #version: string;
  readonly #resource: ReturnType<typeof resourceFromAttributes>;
  /** Of the last metrics that the endpoint took. */
  #known: ReadonlyMap<string, Series> = new Map();

  constructor(metrics: Pick<Metrics, 'families' | 'countsSince'>, { nodeId, hostName, version }: Origin) {
    this.#metrics = metrics;
    this.#version = version;
    this.#resource = resourceFromAttributes({
      'service.name': 'hostnode',
      'service.instance.id': nodeId,
      'service.version': version,
      'host.name': hostName,
    });
  }

  /**
   * All metrics as they are now, and which series have ended since the endpoint took the last ones.
   *
   * @returns `body`: an ExportMetricsServiceRequest; `taken`: the endpoint has taken it, so what is in it and not in the
   *   next one has ended
   */
  async encode(): Promise<{ body: Uint8Array; taken(): void }> {
    const families = await this.#metrics.families();
    const now = Date.now();
    const metrics = families
      .filter(({ values }) => values.length > 0)
      .map((family) => metricDataOf(family, { from: this.#metrics.countsSince(family.name), to: now }));
    const resource = this.#resource;
    const scope = { name: SCOPE, version: this.#version };
    const all = ProtobufMetricsSerializer.serializeRequest({ resource, scopeMetrics: [{ scope, metrics }] });
    const present = gaugesIn(metrics);
    const ended = [...this.#known].flatMap(([key, series]) => (present.has(key) ? [] : [series]));
    return {
      body: Buffer.concat([all ?? new Uint8Array(), endedSeries(resource.attributes, ended, now)]),
      taken: () => {
        this.#known = present;
      },
    };
  }
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
