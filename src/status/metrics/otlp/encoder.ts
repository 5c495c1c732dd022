/**
 * Writes the metrics as an ExportMetricsServiceRequest of OTLP, so that Prometheus gives them the same names again
 * (OpenTelemetry's "Prometheus and OpenMetrics Compatibility"), and says which series have ended. The numbers of the fields:
 * opentelemetry/proto/metrics/v1/metrics.proto, …/common.proto, …/resource.proto.
 */
import { PbfReader, PbfWriter } from 'pbf';
import type { Durations, Family, Labels, Metrics } from '../metrics.ts';

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

interface Point {
  readonly labels: Labels;
  /** ms since the epoch; absent of a gauge, which counts from nowhere. */
  readonly from?: number;
  readonly to: number;
  /** Absent of a series that has ended: Prometheus makes a staleness marker of it. */
  readonly value?: number | Durations;
}

type Metric = Pick<Family, 'name' | 'help' | 'kind'> & { readonly points: readonly Point[] };

/**
 * Writes all metrics as they are then, and which series have ended since the endpoint took the last ones.
 *
 * @returns `body`; `taken`: the endpoint has taken it, so what is in it and not in the next one has ended
 */
export function otlpEncoder(
  source: Pick<Metrics, 'families'>,
  { nodeId, hostName, version }: Origin,
): () => { body: Uint8Array; taken(): void } {
  const origin = {
    'service.name': 'hostnode',
    'service.instance.id': nodeId,
    'service.version': version,
    'host.name': hostName,
  };
  /** Labels as JSON of the series that the endpoint knows, by the name of their gauge. The others end with the process. */
  let known = new Map<string, readonly string[]>();
  return () => {
    const to = Date.now();
    const present = new Map<string, readonly string[]>();
    const metrics = source.families().map(({ name, help, kind, since, series }): Metric => {
      // after `to` where the clock was set back since
      const from = kind === 'gauge' ? {} : { from: Math.min(since, to) };
      const points = series.map(([labels, value]): Point => ({ labels, ...from, to, value }));
      if (kind !== 'gauge') return { name, help, kind, points };
      const keys = series.map(([labels]) => JSON.stringify(labels));
      present.set(name, keys);
      const ended = (known.get(name) ?? []).filter((key) => !keys.includes(key));
      return {
        name,
        help,
        kind,
        points: [...points, ...ended.map((key) => ({ labels: JSON.parse(key), to }))],
      };
    });
    const scope = message(1, [text(1, 'hostnode'), text(2, version)]);
    const told = metrics.filter(({ points }) => points.length > 0).map(metricOf);
    const out = new PbfWriter();
    message(1, [message(1, attributes(1, origin)), message(2, [scope, ...told])])(out);
    const taken = () => {
      known = present;
    };
    return { body: out.finish(), taken };
  };
}

/** A field, or a message of them. */
type Part = (out: PbfWriter) => void;

const text =
  (field: number, value: string): Part =>
  (out) =>
    out.writeStringField(field, value);

const message =
  (field: number, parts: readonly Part[]): Part =>
  (out) =>
    out.writeMessage(field, (_, inner) => parts.forEach((part) => void part(inner)), undefined);

const CUMULATIVE = 2;

function metricOf({ name, help, kind, points }: Metric): Part {
  const field = { gauge: 5, counter: 7, histogram: 9 }[kind];
  const parts = points.map((point) => message(1, [(out) => writePoint(point, out)]));
  if (kind !== 'gauge') parts.push((out) => out.writeVarintField(2, CUMULATIVE));
  if (kind === 'counter') parts.push((out) => out.writeBooleanField(3, true));
  return message(2, [text(1, name), text(2, help), message(field, parts)]);
}

const NO_RECORDED_VALUE = 1;

function writePoint({ labels, from, to, value }: Point, out: PbfWriter): void {
  if (from !== undefined) out.writeFixed64Field(2, from * 1e6);
  out.writeFixed64Field(3, to * 1e6);
  const isHistogram = typeof value === 'object';
  if (isHistogram) {
    out.writeFixed64Field(4, value.count);
    out.writeDoubleField(5, value.sumSeconds);
    out.writePackedFixed64(6, [...value.counts.values()]);
    out.writePackedDouble(7, [...value.counts.keys()].filter(Number.isFinite)); // the last bucket has no bound
  } else if (value === undefined) out.writeVarintField(8, NO_RECORDED_VALUE);
  else out.writeDoubleField(4, value);
  for (const attribute of attributes(isHistogram ? 9 : 7, labels)) attribute(out);
}

/** To Prometheus an empty label is none; in OTLP it would be one. */
const attributes = (field: number, labels: Labels): Part[] =>
  Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => message(field, [text(1, key), message(2, [text(1, value)])]));

/**
 * What an ExportMetricsServiceResponse says of points that were not taken.
 *
 * @returns undefined if all were
 * @throws {Error} it is no such message
 */
export function rejectionIn(answer: Uint8Array): Rejection | undefined {
  const said = { points: 0, message: '' };
  const readPartialSuccess = (field: number, _: unknown, from: PbfReader) => {
    if (field === 1) said.points = from.readVarint();
    if (field === 2) said.message = from.readString();
  };
  new PbfReader(answer).readFields((field, _, from) => {
    if (field === 1) from.readMessage(readPartialSuccess, said);
  }, said);
  const { points, message } = said;
  if (points === 0) return undefined; // a message alone is a warning of the endpoint to its own people
  return { ...(Number.isSafeInteger(points) && { points }), message };
}
