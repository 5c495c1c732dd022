import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { dashboardQueries, dashboards } from '../../support/metric-queries.ts';
import { describeWithPromtool, promtool } from '../../support/promtool.ts';

/** What promtool says of these queries, each the expression of a rule. */
async function judge(expressions: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-dashboard-'));
  try {
    const rules = expressions.map((expr, index) => ({ record: `panel:query:${index}`, expr }));
    const file = join(folder, 'rules.yml');
    await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    return await promtool(['check', 'rules', file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describeWithPromtool('the dashboards, judged by promtool', () => {
  it('ask only what Prometheus understands', async () => {
    const expressions = dashboardQueries().map(({ expr }) => expr);
    expect(expressions.length).toBeGreaterThan(60);
    const { code, output } = await judge(expressions);
    expect(output).toContain(`${expressions.length} rules found`);
    expect(code).toBe(0);
  });

  it('would not get away with a query that is none', async () => {
    expect(await judge(['sum by (outcome (rate(hostnode_reports_total[5m]))'])).toMatchObject({ code: 1 });
  });
});

/** Those that our panels use. Source: Grafana, packages/grafana-data/src/valueFormats/categories.ts */
const units = ['none', 'short', 'percentunit', 'celsius', 's', 'bytes', 'opm', 'dateTimeFromNow'];

/** What limits the series of a dashboard to those that are chosen. */
const chosen: Readonly<Record<string, { labels: string[]; variables: string[][] }>> = {
  hostnode: {
    labels: ['job="$job"', 'instance=~"$instance"'],
    variables: [
      ['datasource', 'datasource'],
      ['job', 'query'],
      ['instance', 'query'],
    ],
  },
  'hostnode-fleet': {
    labels: ['job="$job"', 'site=~"$site"', 'rack=~"$rack"'],
    variables: [
      ['datasource', 'datasource'],
      ['job', 'query'],
      ['site', 'query'],
      ['rack', 'query'],
      ['ago', 'custom'],
    ],
  },
};

describe.each(dashboards)('the dashboard $uid', ({ uid, panels, templating }) => {
  const charts = panels.filter(({ type }) => type !== 'row');
  const queries = charts.flatMap(({ targets = [] }) => targets);

  it('has panels with ids and titles of their own, each with a query', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    expect(charts.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
  });

  it('has a unit of Grafana on every panel', () => {
    const used = charts.flatMap(({ fieldConfig }) => [
      fieldConfig?.defaults.unit,
      ...(fieldConfig?.overrides ?? [])
        .flatMap(({ properties }) => properties)
        .filter(({ id }) => id === 'unit')
        .map(({ value }) => value),
    ]);
    expect(used.filter((unit) => !units.includes(String(unit)))).toEqual([]);
  });

  it('reads from the data source that is chosen, and from the hosts that are chosen', () => {
    const { labels = [], variables = [] } = chosen[uid] ?? {};
    expect(templating.list.map(({ name, type }) => [name, type])).toEqual(variables);
    expect(charts.filter(({ datasource }) => datasource?.uid !== '${' + 'datasource}')).toEqual([]);
    // versions and alerts are those of all hosts
    const selectors = queries.flatMap(
      ({ expr }) =>
        expr.match(/(?<![\w:])(?:\w+:)?(?:hostnode|process|scrape|up)[\w:]*\b(?:\{[^}]*\})?/g) ?? [],
    );
    expect(selectors.length).toBeGreaterThan(charts.length);
    const unchosen = selectors.filter(
      (selector) => !selector.startsWith('version:') && labels.some((label) => !selector.includes(label)),
    );
    expect(unchosen).toEqual([]);
  });

  it('has no panel over another', () => {
    const covered = new Set<string>();
    for (const { title, gridPos } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(x, title).toBeLessThan(24);
          expect(covered, title).not.toContain(`${x},${y}`);
          covered.add(`${x},${y}`);
        }
      }
    }
  });
});

describe('the dashboard of many hosts', () => {
  const [ofHost, ofFleet] = dashboards;

  it('asks for no series of a single phone: there are too many of them', () => {
    const fleet = dashboardQueries().filter(({ dashboard }) => dashboard === ofFleet?.uid);
    expect(fleet.length).toBeGreaterThan(30);
    expect(fleet.filter(({ expr }) => /(?<![\w:])hostnode_device_/.test(expr))).toEqual([]);
  });

  it('has no name of a metric in a table of several queries: rows with different names are not one', () => {
    const several = ofFleet?.panels.filter(
      ({ type, targets = [] }) => type === 'table' && targets.length > 1,
    );
    expect(several?.length).toBeGreaterThan(2);
    const queries = several?.flatMap(({ targets = [] }) => targets) ?? [];
    expect(queries.filter(({ expr }) => !/^(?:sum|max) by \(/.test(expr))).toEqual([]);
  });

  it('leads from each table of hosts to the dashboard of that host', () => {
    const tables = ofFleet?.panels.filter(
      ({ type, targets = [] }) =>
        type === 'table' &&
        targets.some(({ expr }) => /instance:|hostnode_shelf|hostnode_devices\{|process_/.test(expr)),
    );
    expect(tables?.length).toBeGreaterThan(6);
    for (const { title, fieldConfig } of tables ?? []) {
      const links = (fieldConfig?.overrides ?? []).flatMap(({ matcher, properties }) =>
        matcher.options === 'instance' ? properties.filter(({ id }) => id === 'links') : [],
      );
      expect(JSON.stringify(links), title).toContain(`"/d/${ofHost?.uid}?`);
      expect(JSON.stringify(links), title).toContain('&var-instance=${' + '__data.fields.instance}');
    }
  });
});
