import { describe, expect, it } from 'vitest';
import { HOT_CELSIUS } from '../../../src/diagnosis/rules/battery.ts';
import { FULL_RATIO } from '../../../src/diagnosis/rules/storage.ts';
import { codeSpans, rows, section } from '../../docs/pages.ts';
import {
  alerts,
  alertsOf,
  dashboardQueries,
  inhibitedAndInhibiting,
  namesIn,
  recordings,
  ruleFiles,
  rulesFolder,
  testedAlerts,
} from '../../support/metric-queries.ts';
import { describeWithPromtool, promtool } from '../../support/promtool.ts';

describeWithPromtool('the rules, judged by promtool', () => {
  it.each(ruleFiles)('of $name are valid', async ({ name, groups }) => {
    const { code, output } = await promtool(['check', 'rules', `${rulesFolder}${name}.rules.yml`]);
    expect(output).toContain(`${groups.flatMap(({ rules }) => rules).length} rules found`);
    expect(code).toBe(0);
  });

  it.each(ruleFiles)('of $name fire when they should, and not when they should not', async ({ name }) => {
    const { code, output } = await promtool(['test', 'rules', `${rulesFolder}${name}.test.yml`]);
    expect(output).toContain('SUCCESS');
    expect(code).toBe(0);
  });

  it('come with a scrape configuration that Prometheus takes', async () => {
    const args = ['check', 'config', '--syntax-only', `${rulesFolder}scrape.yml`];
    expect(await promtool(args)).toMatchObject({ code: 0 });
  });
});

describe('the alert rules', () => {
  it('have each a unit test in which they fire', () => {
    expect(testedAlerts()).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });

  it('are silent, each that is about a phone, while it is in maintenance', () => {
    const silence = 'unless on (job, instance, udid) hostnode_device_maintenance == 1';
    for (const { alert, expr } of ['hostnode-phones', 'hostnode-batteries'].flatMap(alertsOf)) {
      expect({ alert, expr }).toEqual({ alert, expr: expect.stringContaining(silence) });
    }
  });

  it('are those that Alertmanager is to inhibit, and those that inhibit them', () => {
    expect(inhibitedAndInhibiting.length).toBeGreaterThan(15);
    const known = new Set(alerts.map(({ alert }) => alert));
    expect(inhibitedAndInhibiting.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are critical for the findings that are', () => {
    const table = rows(section('docs/findings.md', '## All codes'));
    const critical = table
      .filter(([, severity = '']) => /\bcritical\b/.test(severity))
      .map(([code = '']) => codeSpans(code)[0]);
    expect(critical.length).toBeGreaterThan(2);
    const listed = alertsOf('hostnode-findings').map(({ expr }) =>
      /code[=!]~"([^"]+)"/.exec(expr)?.[1]?.split('|').toSorted(),
    );
    expect(listed).toEqual([critical.toSorted(), critical.toSorted()]);
  });

  it('call hot and full what the page calls so', () => {
    const limits = (metric: string) =>
      alerts.flatMap(({ expr }) =>
        [...expr.matchAll(new RegExp(`[^(]\\b${metric} >= ([\\d.]+)`, 'g'))].map(([, limit]) =>
          Number(limit),
        ),
      );
    expect(limits('hostnode_device_temperature_celsius')).toEqual([HOT_CELSIUS, HOT_CELSIUS]);
    expect(limits('hostnode_device_storage_total_bytes')).toEqual([FULL_RATIO, FULL_RATIO]);
  });
});

describe('the recorded series', () => {
  it('are read, each by a rule or a dashboard', () => {
    const read = new Set(
      [...alerts, ...recordings, ...dashboardQueries()].flatMap(({ expr }) => namesIn(expr)),
    );
    expect(recordings.filter(({ record }) => !read.has(record))).toEqual([]);
  });
});
