import { describe, expect, it } from 'vitest';
import { findingCodes } from '../../../src/diagnosis/rules/index.ts';
import type { HostStatus, PhoneStatus } from '../../../src/status/host-status.ts';
import { Metrics, MOST_PHONES } from '../../../src/status/metrics/metrics.ts';
import { type Sample, samplesOf, typesOf } from '../../support/exposition.ts';
import { shippedScrape } from '../../support/metric-queries.ts';
import { finding } from '../../support/sample-finding.ts';

const phone = (changes: Partial<PhoneStatus> = {}): PhoneStatus => ({
  udid: 'R58M1',
  serial: 'R58M1',
  name: 'Kiosk of Ada',
  connection: 'usb',
  attached: true,
  state: 'device',
  since: 1_700_000_000_000,
  condition: 'fine',
  sign: '',
  message: '',
  ...changes,
});

const host = (phones: PhoneStatus[], changes: Partial<HostStatus> = {}): HostStatus => ({
  takenAt: 1_700_000_000_000,
  host: { name: 'lab-07', nodeId: 'lab', version: '1.2.3', startedAt: 1_699_999_000_000 },
  adb: { address: '127.0.0.1:5037', state: 'listed', since: 1_699_999_000_000 },
  reports: {},
  counts: { phones: phones.length, fine: phones.length, needsAttention: 0, maintenance: 0, unknown: 0 },
  causes: [],
  notices: [],
  bands: [],
  phones,
  ...changes,
});

/** Metrics of a host whose status can be exchanged. */
function metricsOf(status?: HostStatus) {
  const source = {
    current: status,
    isProgressing: true,
    status: () => source.current,
    phone: async () => undefined,
    onChange: () => () => {},
  };
  const metrics = new Metrics(source);
  return { metrics, source, samples: async () => samplesOf(await metrics.text()) };
}

/** Of one metric, as `labels value`. */
const told = (samples: readonly Sample[], name: string) =>
  samples.filter((sample) => sample.name === name).map(({ labels, value }) => [labels, value]);

const names = (samples: readonly Sample[]) => new Set(samples.map(({ name }) => name));

describe('Metrics of phones', () => {
  it('have no reading of a phone while adb cannot be reached, as page and terminal have none', async () => {
    const hot = phone({ battery: { temperatureCelsius: 46 }, slot: 'rack 2, bay 4', answeredAt: 1 });
    const { samples, source } = metricsOf(host([hot]));
    expect(told(await samples(), 'hostnode_device_temperature_celsius')).toHaveLength(1);
    source.current = host([hot], { adb: { address: 'a', state: 'unreachable', since: 0 } });
    const found = await samples();
    expect(names(found)).not.toContain('hostnode_device_temperature_celsius');
    expect(names(found)).not.toContain('hostnode_shelf_temperature_highest_celsius');
    expect(names(found)).toContain('hostnode_device_last_answer_timestamp_seconds');
  });

  it('tell what a phone said, in base units', async () => {
    const { samples } = metricsOf(
      host([
        phone({
          slot: 'rack 2, bay 4',
          model: 'Pixel 8',
          brand: 'google',
          android: '14',
          answeredAt: 1_700_000_000_500,
          battery: { levelRatio: 0.63, isCharging: false, temperatureCelsius: 28.4, voltageVolts: 3.91 },
          storage: { totalBytes: 64e9, usedBytes: 16e9 },
          memory: { totalBytes: 8e9, usedBytes: 6e9 },
        }),
      ]),
    );
    const ofPhone = (await samples()).filter(({ labels }) => labels.udid === 'R58M1');
    const info = {
      udid: 'R58M1',
      slot: 'rack 2, bay 4',
      model: 'Pixel 8',
      brand: 'google',
      android: '14',
    };
    expect(ofPhone.shift()).toEqual({ name: 'hostnode_device_info', labels: info, value: 1 });
    expect(ofPhone.shift()?.labels).toEqual({ udid: 'R58M1', state: 'device' });
    expect(Object.fromEntries(ofPhone.map(({ name, value }) => [name, value]))).toEqual({
      hostnode_device_needs_attention: 0,
      hostnode_device_maintenance: 0,
      hostnode_device_refused: 0,
      hostnode_device_last_answer_timestamp_seconds: 1_700_000_000.5,
      hostnode_device_battery_level_ratio: 0.63,
      hostnode_device_battery_charging: 0,
      hostnode_device_battery_voltage_volts: 3.91,
      hostnode_device_temperature_celsius: 28.4,
      hostnode_device_storage_total_bytes: 64e9,
      hostnode_device_storage_used_bytes: 16e9,
      hostnode_device_memory_total_bytes: 8e9,
      hostnode_device_memory_used_bytes: 6e9,
    });
  });

  it('leave out what a phone did not say', async () => {
    const { samples } = metricsOf(
      host([phone({ battery: { levelRatio: 0 }, storage: { totalBytes: 64e9 } })]),
    );
    const ofPhone = (await samples()).filter(({ labels }) => labels.udid === 'R58M1');
    expect(ofPhone.map(({ name, value }) => [name, value])).toEqual([
      ['hostnode_device_info', 1],
      ['hostnode_device_state', 1],
      ['hostnode_device_needs_attention', 0],
      ['hostnode_device_maintenance', 0],
      ['hostnode_device_refused', 0],
      ['hostnode_device_battery_level_ratio', 0],
      ['hostnode_device_storage_total_bytes', 64e9],
    ]);
  });

  it('forget what a phone says no more, and a phone that is forgotten', async () => {
    const hot = phone({ battery: { temperatureCelsius: 47 } });
    const { samples, source } = metricsOf(host([hot, phone({ udid: 'other' })]));
    expect(told(await samples(), 'hostnode_device_temperature_celsius')).toEqual([[{ udid: 'R58M1' }, 47]]);
    source.current = host([phone({ state: 'unauthorized', condition: 'needsAttention' })]);
    const after = await samples();
    expect(told(after, 'hostnode_device_temperature_celsius')).toEqual([]);
    expect(told(after, 'hostnode_device_state')).toEqual([[{ udid: 'R58M1', state: 'unauthorized' }, 1]]);
    expect(told(after, 'hostnode_device_needs_attention')).toEqual([[{ udid: 'R58M1' }, 1]]);
  });

  it('count a phone in maintenance apart, whatever ails it', async () => {
    const { samples } = metricsOf(
      host([phone({ condition: 'maintenance', refused: 'no', maintenance: { until: 1, reason: 'x' } })], {
        counts: { phones: 1, fine: 0, needsAttention: 0, maintenance: 1, unknown: 0 },
      }),
    );
    const all = await samples();
    expect(told(all, 'hostnode_device_needs_attention')).toEqual([[{ udid: 'R58M1' }, 0]]);
    expect(told(all, 'hostnode_device_maintenance')).toEqual([[{ udid: 'R58M1' }, 1]]);
    expect(told(all, 'hostnode_device_refused')).toEqual([[{ udid: 'R58M1' }, 1]]);
    expect(told(all, 'hostnode_devices')).toEqual([
      [{ condition: 'fine' }, 0],
      [{ condition: 'needs_attention' }, 0],
      [{ condition: 'maintenance' }, 1],
      [{ condition: 'unknown' }, 0],
    ]);
  });

  it('keep what a phone calls itself within its label', async () => {
    const model = `a "quoted\\" one\n# TYPE evil counter\nevil{x="1"} 1\r\u001b[31m${'x'.repeat(10_000)}`;
    const { samples } = metricsOf(host([phone({ model, brand: '\u202e\ud800', android: '\0' })]));
    const all = await samples();
    const [info] = all.filter(({ name }) => name === 'hostnode_device_info');
    expect(info?.labels.model).toMatch(/^a "quoted\\" one # TYPE evil counter evil\{x="1"\} 1 \[31mx+$/);
    expect(info?.labels.model).toHaveLength(128);
    expect(Object.keys(info?.labels ?? {})).toEqual(['udid', 'slot', 'model', 'brand', 'android']);
    expect(names(all)).not.toContain('evil');
  });

  it('have none of what is only for people to see', async () => {
    const { metrics } = metricsOf(
      host([phone({ serial: '192.168.7.7:5555', message: 'ask Ada', refused: 'IMEI 350123451234560' })]),
    );
    const text = await metrics.text();
    expect(text).not.toMatch(/Ada|192\.168\.7\.7|350123451234560|lab-07/);
  });

  it('do not grow without bound', async () => {
    const phones = Array.from({ length: MOST_PHONES + 100 }, (_, index) =>
      phone({
        udid: `phone ${index}`,
        slot: `shelf ${index}, bay 1`,
        answeredAt: 1,
        battery: { levelRatio: 1, isCharging: true, temperatureCelsius: 30, voltageVolts: 4 },
        storage: { totalBytes: 2, usedBytes: 1 },
        memory: { totalBytes: 2, usedBytes: 1 },
      }),
    );
    const all = await metricsOf(host(phones, { findings: [] })).samples();
    expect(all.length).toBeLessThan(shippedScrape.scrape_configs[0]?.sample_limit ?? 0);
    expect(told(all, 'hostnode_device_info')).toHaveLength(MOST_PHONES);
    expect(told(all, 'hostnode_devices')[0]).toEqual([{ condition: 'fine' }, MOST_PHONES + 100]);
  });
});

describe('Metrics of shelves', () => {
  const at = (udid: string, slot: string, celsius: number, changes: Partial<PhoneStatus> = {}) =>
    phone({ udid, slot, battery: { temperatureCelsius: celsius }, ...changes });

  it('count phones by condition, and tell how warm they are', async () => {
    const phones = [
      at('A', 'rack 2, shelf 3, bay 1', 30),
      at('B', 'rack 2, shelf 3, bay 2', 41, { condition: 'needsAttention' }),
      at('C', 'rack 2, shelf 4, bay 1', 25, { condition: 'maintenance' }),
      at('D', 'rack 2, shelf 4, bay 2', 50, { attached: false, condition: 'unknown' }),
      phone({ udid: 'E' }),
    ];
    const all = await metricsOf(host(phones)).samples();
    const [third, fourth] = [{ shelf: 'rack 2, shelf 3' }, { shelf: 'rack 2, shelf 4' }];
    expect(told(all, 'hostnode_shelf_devices')).toEqual([
      [{ ...third, condition: 'fine' }, 1],
      [{ ...third, condition: 'needs_attention' }, 1],
      [{ ...fourth, condition: 'maintenance' }, 1],
      [{ ...fourth, condition: 'unknown' }, 1],
      [{ shelf: '', condition: 'fine' }, 1],
    ]);
    expect(told(all, 'hostnode_shelf_temperature_average_celsius')).toEqual([
      [third, 35.5],
      [fourth, 25],
    ]);
    expect(told(all, 'hostnode_shelf_temperature_highest_celsius')).toEqual([
      [third, 41],
      [fourth, 25],
    ]);
  });
});

describe('Metrics of the host', () => {
  it('have no value while none is known', async () => {
    const all = names(
      await metricsOf(host([], { adb: { address: 'a', state: 'unknown', since: 0 } })).samples(),
    );
    expect(all).not.toContain('hostnode_adb_up');
    expect(all).not.toContain('hostnode_last_report_timestamp_seconds');
  });

  it('tell while no agent is in force only what the process knows', async () => {
    const { samples, source } = metricsOf(host([phone()]));
    await samples();
    source.current = undefined;
    source.isProgressing = false;
    const all = await samples();
    expect(told(all, 'hostnode_progressing')).toEqual([[{}, 0]]);
    const gone = ['hostnode_adb_up', 'hostnode_devices', 'hostnode_reporting', 'hostnode_device_info'];
    expect(gone.filter((name) => names(all).has(name))).toEqual([]);
    expect(names(all)).toContain('process_resident_memory_bytes');
  });

  it('tell that adb is lost and the cloud does not take the reports', async () => {
    const { samples } = metricsOf(
      host([], {
        adb: { address: 'a', state: 'unreachable', since: 0 },
        reports: { storedAt: 1_700_000_000_000, failure: 'HTTP 503', failingSince: 1 },
      }),
    );
    const all = await samples();
    expect(told(all, 'hostnode_adb_up')).toEqual([[{}, 0]]);
    expect(told(all, 'hostnode_report_failing')).toEqual([[{}, 1]]);
    expect(told(all, 'hostnode_last_report_timestamp_seconds')).toEqual([[{}, 1_700_000_000]]);
  });

  it('do not call it a failure where nothing is to be reported', async () => {
    const all = await metricsOf(host([], { reports: { notReporting: 'no cloud configured' } })).samples();
    expect(told(all, 'hostnode_reporting')).toEqual([[{}, 0]]);
    expect(told(all, 'hostnode_report_failing')).toEqual([]);
  });

  it('count the findings of each code, also where there are none', async () => {
    const findings = [finding('HUB_LOST'), finding('FLAPPING'), finding('FLAPPING', { severity: 'minor' })];
    const { samples, source } = metricsOf(host([], { findings }));
    const all = told(await samples(), 'hostnode_finding');
    expect(all).toHaveLength(findingCodes.length);
    expect(all.filter(([, value]) => value !== 0)).toEqual([
      [{ code: 'HUB_LOST' }, 1],
      [{ code: 'FLAPPING' }, 2],
    ]);
    expect(told(await samples(), 'hostnode_finding_urgent').filter(([, value]) => value !== 0)).toEqual([
      [{ code: 'HUB_LOST' }, 1],
      [{ code: 'FLAPPING' }, 1],
    ]);
    source.current = host([], { findings: [] });
    expect(told(await samples(), 'hostnode_finding').map(([, value]) => value)).toEqual(
      findingCodes.map(() => 0),
    );
    source.current = host([]); // not judged yet
    expect(told(await samples(), 'hostnode_finding')).toEqual([]);
  });

  it('name the versions', async () => {
    const all = await metricsOf().samples();
    const versions = { version: '0.0.0-source', node: process.versions.node };
    expect(told(all, 'hostnode_build_info')).toEqual([[versions, 1]]);
  });
});

describe('Metrics of the work', () => {
  it('count what comes of each conversation, round and report, and how long they take', async () => {
    const { metrics, samples } = metricsOf();
    metrics.counts.collected('A', { outcome: 'answered', durationMs: 80 });
    metrics.counts.collected('B', { outcome: 'answered', durationMs: 120 });
    metrics.counts.collected('C', { outcome: 'broken', durationMs: 3000 });
    metrics.counts.round({ attached: 3, known: 3, collected: 3, failed: 1, durationMs: 3400 });
    metrics.counts.sent({ outcome: 'stored', devices: 3, refused: 0, durationMs: 40 });
    metrics.counts.sent({ outcome: 'CLOUD_UNAVAILABLE', devices: 3, refused: 0, durationMs: 20_000 });
    metrics.counts.sent({ outcome: 'no "code" at all', devices: 3, refused: 0, durationMs: 10 });
    const all = await samples();
    expect(told(all, 'hostnode_probes_total')).toEqual([
      [{ outcome: 'answered' }, 2],
      [{ outcome: 'broken' }, 1],
      [{ outcome: 'failed' }, 0],
    ]);
    expect(told(all, 'hostnode_reports_total')).toEqual([
      [{ outcome: 'stored' }, 1],
      [{ outcome: 'cloud_unavailable' }, 1],
      [{ outcome: 'other' }, 1],
    ]);
    expect(told(all, 'hostnode_probe_duration_seconds_sum')).toEqual([[{}, expect.closeTo(3.2, 9)]]);
    expect(told(all, 'hostnode_round_duration_seconds_sum')).toEqual([[{}, 3.4]]);
    expect(told(all, 'hostnode_round_duration_seconds_count')).toEqual([[{}, 1]]);
    const quick = all.find(
      ({ name, labels }) => name === 'hostnode_probe_duration_seconds_bucket' && labels.le === '0.1',
    );
    expect(quick?.value).toBe(1);
  });

  it('go on where they were after a scrape', async () => {
    const { metrics, samples } = metricsOf();
    metrics.counts.round({ attached: 0, known: 0, collected: 0, failed: 0, durationMs: 1 });
    await samples();
    metrics.counts.round({ attached: 0, known: 0, collected: 0, failed: 0, durationMs: 1 });
    expect(told(await samples(), 'hostnode_round_duration_seconds_count')).toEqual([[{}, 2]]);
  });

  it('tell what the process costs', async () => {
    const { samples } = metricsOf();
    const of = async (name: string) => Number(told(await samples(), name)[0]?.[1]);
    const before = await of('process_cpu_seconds_total');
    expect(before).toBeGreaterThan(0);
    const cpu = process.cpuUsage();
    while (process.cpuUsage(cpu).user < 20_000);
    expect(await of('process_cpu_seconds_total')).toBeGreaterThanOrEqual(before + 0.02);
    expect(await of('process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(await of('process_open_fds')).toBeGreaterThan(3);
    const startedAt = await of('process_start_time_seconds');
    expect(startedAt).toBeCloseTo(Date.now() / 1000 - process.uptime(), 0);
  });
});

describe('the text of the metrics', () => {
  it('explains each, and is its own in each of several agents of one process', async () => {
    const [one, two] = [metricsOf(), metricsOf()];
    one.metrics.counts.round({ attached: 0, known: 0, collected: 0, failed: 0, durationMs: 1 });
    expect(told(await two.samples(), 'hostnode_round_duration_seconds_count')).toEqual([[{}, 0]]);
    const text = await one.metrics.text();
    const helped = [...text.matchAll(/^# HELP (\S+) \S.*\.$/gm)].map(([, name]) => name);
    expect(helped).toEqual([...typesOf(text).keys()]);
    expect(one.metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  });
});
