import { DataPointType } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import type { Family } from '../../../../src/status/metrics/metrics.ts';
import { metricDataOf } from '../../../../src/status/metrics/otlp/encoder.ts';

const span = { from: 1_700_000_000_250, to: 1_700_000_060_000 };

const family = (changes: Partial<Family>): Family => ({
  name: 'hostnode_devices',
  help: 'Phones.',
  type: 'gauge',
  values: [{ labels: {}, value: 1 }],
  ...changes,
});

const pointsOf = (changes: Partial<Family>) => metricDataOf(family(changes), span).dataPoints;

describe('a metric in OTLP’s form', () => {
  it.each([
    ['hostnode_device_temperature_celsius', 'Cel'],
    ['hostnode_device_battery_voltage_volts', 'V'],
    ['hostnode_device_battery_level_ratio', '1'],
    ['hostnode_device_storage_total_bytes', 'By'],
    ['process_cpu_seconds_total', 's'],
    ['hostnode_reports_total', ''],
    ['hostnode_devices', ''],
  ])('%s keeps its name, and has the unit %j', (name, unit) => {
    const { descriptor } = metricDataOf(family({ name }), span);
    expect(descriptor).toMatchObject({ name, unit, description: 'Phones.' });
  });

  it('is, for a gauge, a value now, which counts from nowhere', () => {
    const labels = { udid: 'R58M1', slot: '', model: 'Pixel 8' };
    expect(pointsOf({ values: [{ labels, value: 0.5 }] })).toEqual([
      {
        startTime: [0, 0],
        endTime: [1_700_000_060, 0],
        attributes: { udid: 'R58M1', model: 'Pixel 8' }, // to Prometheus an empty label is none
        value: 0.5,
      },
    ]);
  });

  it('is, for a counter, a sum that only grows, since it was 0', () => {
    const data = metricDataOf(family({ type: 'counter' }), span);
    expect(data).toMatchObject({ dataPointType: DataPointType.SUM, isMonotonic: true });
    expect(data.dataPoints[0]?.startTime).toEqual([1_700_000_000, 250_000_000]);
  });

  it('never begins after it ends, though the clock was set back', () => {
    const back = { from: 5000, to: 2000 };
    const [point] = metricDataOf(family({ type: 'counter' }), back).dataPoints;
    expect([point?.startTime, point?.endTime]).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });

  it('has, for a histogram, what each bucket has alone', () => {
    const bucket = (le: string | number, value: number, more = {}) => ({
      metricName: 'x_seconds_bucket',
      labels: { ...more, le },
      value,
    });
    const whole = (metricName: string, value: number, labels = {}) => ({ metricName, labels, value });
    const values = [
      ...[
        bucket(0.5, 2),
        bucket(1, 5),
        bucket('+Inf', 6),
        whole('x_seconds_sum', 7.5),
        whole('x_seconds_count', 6),
      ],
      ...[bucket(0.5, 0, { of: 'b' }), bucket(1, 0, { of: 'b' }), bucket('+Inf', 1, { of: 'b' })],
      ...[whole('x_seconds_sum', 9, { of: 'b' }), whole('x_seconds_count', 1, { of: 'b' })],
    ];
    const points = pointsOf({ name: 'x_seconds', type: 'histogram', values });
    expect(points.map(({ attributes, value }) => [attributes, value])).toEqual([
      [{}, { buckets: { boundaries: [0.5, 1], counts: [2, 3, 1] }, sum: 7.5, count: 6 }],
      [{ of: 'b' }, { buckets: { boundaries: [0.5, 1], counts: [0, 0, 1] }, sum: 9, count: 1 }],
    ]);
    expect(points[0]?.startTime).toEqual([1_700_000_000, 250_000_000]);
  });

  it('is an error for a type that no metric of ours has', () => {
    expect(() => metricDataOf(family({ type: 'summary' }), span)).toThrow('hostnode_devices: a summary');
  });
});
