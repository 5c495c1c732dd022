import { describe, expect, it } from 'vitest';
import { anyHost } from '../../../src/base/environment.ts';
import { SimulatedPhone } from '../../../src/demo/phone.ts';
import { recordings } from '../../../src/demo/phones/index.ts';
import { Metrics } from '../../../src/status/metrics/metrics.ts';
import { newTimes, StatusModel } from '../../../src/status/status-model.ts';
import { queryableNames, type Sample, samplesOf } from '../../support/exposition.ts';
import { Lab } from '../../support/lab.ts';
import {
  alerts,
  dashboardQueries,
  namesIn,
  recordings as recordingRules,
} from '../../support/metric-queries.ts';
import { describeWithPromtool, promtool } from '../../support/promtool.ts';

/** Of one phone, for an hour. */
const plan = (reason: string) => ({
  of: (udid: string) => (udid === '50dc3516' ? { until: Date.now() + 3_600_000, reason } : undefined),
});

const setting = {
  adbAt: { host: '127.0.0.1', port: 5037, hostKind: anyHost },
  slots: [],
  times: newTimes(),
  findings: {},
  past: { samples: async () => undefined },
  history: {},
  page: () => ({ pageUrl: undefined, pageProblem: undefined }),
  plans: { maintenance: plan('new battery'), drain: plan('') },
};

/**
 * A scrape of an agent at work: eight phones, of which one waits for its prompt, one is refused, one is in maintenance
 * and one is gone.
 */
async function scrape(lab: Lab): Promise<string> {
  for (const recording of recordings) lab.adb.plug(new SimulatedPhone(recording));
  lab.cloud.refuse('f12a8ec9', 'missing required capability: rack position');
  const agent = await lab.agent();
  const statusModel = new StatusModel({ agent, hostName: 'lab-07', ...setting });
  const metrics = new Metrics(statusModel);
  agent.observe(statusModel);
  agent.observe(metrics.counts);
  agent.start();
  await lab.until(() => lab.said('round').length > 0);
  lab.adb.unplug('RE47644423');
  await lab.untilState('RE47644423', 'disconnected');
  statusModel.changed();
  return metrics.text();
}

const find = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );

describe('the scrape of an agent at work', () => {
  it('tells how the phones are', async () => {
    await using lab = await Lab.open();
    const samples = samplesOf(await scrape(lab));
    const value = (name: string, labels?: Record<string, string>) =>
      find(samples, name, labels).map((sample) => sample.value);
    expect(value('hostnode_devices', { condition: 'maintenance' })).toEqual([1]);
    expect(value('hostnode_devices', { condition: 'needs_attention' })).toEqual([
      value('hostnode_device_needs_attention').filter((needs) => needs === 1).length,
    ]);
    expect(value('hostnode_device_info')).toEqual(recordings.map(() => 1));
    expect(find(samples, 'hostnode_device_info', { udid: 'f12a8ec9' })[0]?.labels).toMatchObject({
      android: '15',
      brand: 'POCO',
    });
    expect(value('hostnode_device_refused', { udid: 'f12a8ec9' })).toEqual([1]);
    expect(value('hostnode_device_maintenance', { udid: '50dc3516' })).toEqual([1]);
    expect(value('hostnode_device_drained', { udid: '50dc3516' })).toEqual([1]);
    expect(value('hostnode_device_battery_level_ratio', { udid: '50dc3516' })).toEqual([0.63]);
    expect(value('hostnode_device_state', { udid: '9c2ad7e1', state: 'unauthorized' })).toEqual([1]);
    expect(value('hostnode_device_needs_attention', { udid: '9c2ad7e1' })).toEqual([1]);
  });

  it('tells of a phone that is gone no more than that', async () => {
    await using lab = await Lab.open();
    const samples = samplesOf(await scrape(lab));
    const told = samples.filter(({ labels }) => labels.udid === 'RE47644423');
    expect(told.map(({ name, value }) => [name, value])).toEqual([
      ['hostnode_device_info', 1],
      ['hostnode_device_state', 1],
      ['hostnode_device_needs_attention', 1],
      ['hostnode_device_maintenance', 0],
      ['hostnode_device_refused', 0],
    ]);
    expect(told[1]?.labels.state).toBe('disconnected');
  });

  it('tells how the agent works', async () => {
    const startedAt = Date.now();
    await using lab = await Lab.open();
    const samples = samplesOf(await scrape(lab));
    const value = (name: string, labels?: Record<string, string>) =>
      find(samples, name, labels).map((sample) => sample.value);
    expect(value('hostnode_round_duration_seconds_count')).toEqual([1]);
    expect(value('hostnode_probes_total', { outcome: 'failed' })).toEqual([0]);
    const [answered = 0] = value('hostnode_probes_total', { outcome: 'answered' });
    expect(answered).toBeGreaterThanOrEqual(7);
    expect(value('hostnode_probe_duration_seconds_count')).toEqual([answered]);
    const [stored = 0] = value('hostnode_reports_total', { outcome: 'stored' });
    expect(stored).toBeGreaterThanOrEqual(1);
    expect(value('hostnode_report_duration_seconds_count')).toEqual([stored]);
    expect(value('hostnode_adb_up')).toEqual([1]);
    expect(value('hostnode_reporting')).toEqual([1]);
    expect(value('hostnode_report_failing')).toEqual([0]);
    expect(value('hostnode_progressing')).toEqual([1]);
    const [reportedAt = 0] = value('hostnode_last_report_timestamp_seconds');
    expect(reportedAt * 1000).toBeGreaterThanOrEqual(startedAt);
  });

  it('has nothing personal: no name that an owner gave, no identifier, no address', async () => {
    await using lab = await Lab.open();
    const text = await scrape(lab);
    const known = lab.cloud
      .devices()
      .flatMap(({ info }) => [
        info.deviceName === info.modelName ? undefined : info.deviceName,
        info.networkReachability?.ipAddress,
        ...(info.telephony?.carriersInfo ?? []).flatMap(({ imei, meid, iccid }) => [imei, meid, iccid]),
      ]);
    const personal = known.filter((told) => told !== undefined);
    expect(personal.length).toBeGreaterThan(8);
    expect(personal.filter((told) => text.includes(told))).toEqual([]);
  });

  it('has every metric that a rule or a dashboard asks for, beside what rules record', async () => {
    await using lab = await Lab.open();
    const exported = queryableNames(await scrape(lab));
    for (const { record } of recordingRules) exported.add(record);
    const asked = [
      ...alerts.flatMap(({ alert, expr }) => namesIn(expr).map((name) => ({ by: alert, name }))),
      ...recordingRules.flatMap(({ record, expr }) => namesIn(expr).map((name) => ({ by: record, name }))),
      ...dashboardQueries().flatMap(({ panel, expr }) => namesIn(expr).map((name) => ({ by: panel, name }))),
    ];
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter(({ name }) => !exported.has(name))).toEqual([]);
  });
});

describeWithPromtool('the scrape of an agent at work, judged by promtool', () => {
  it('follows the conventions for names, units and types', async () => {
    await using lab = await Lab.open();
    expect(await promtool(['check', 'metrics'], await scrape(lab))).toEqual({ code: 0, output: '' });
  });

  it('would not get away with a counter without its ending', async () => {
    const text = '# HELP rounds Rounds.\n# TYPE rounds counter\nrounds 1\n';
    expect(await promtool(['check', 'metrics'], text)).toMatchObject({ code: 3 });
  });
});
