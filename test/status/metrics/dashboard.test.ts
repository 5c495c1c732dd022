import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { dashboard, dashboardQueries } from '../../support/metric-queries.ts';
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

describeWithPromtool('the dashboard, judged by promtool', () => {
  it('asks only what Prometheus understands', async () => {
    const expressions = dashboardQueries().map(({ expr }) => expr);
    expect(expressions.length).toBeGreaterThan(20);
    const { code, output } = await judge(expressions);
    expect(output).toContain(`${expressions.length} rules found`);
    expect(code).toBe(0);
  });

  it('would not get away with a query that is none', async () => {
    expect(await judge(['sum by (outcome (rate(hostnode_reports_total[5m]))'])).toMatchObject({ code: 1 });
  });
});

describe('the dashboard', () => {
  const { panels, templating } = dashboard;
  const charts = panels.filter(({ type }) => type !== 'row');

  it('has panels with ids and titles of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });

  it('has a unit on every panel', () => {
    expect(charts.filter(({ fieldConfig }) => !fieldConfig?.defaults.unit)).toEqual([]);
  });

  it('reads from the data source that is chosen, and from the hosts that are chosen', () => {
    const asked = templating.list.map(({ name, type }) => [name, type]);
    expect(asked).toEqual([
      ['datasource', 'datasource'],
      ['job', 'query'],
      ['instance', 'query'],
    ]);
    expect(charts.filter(({ datasource }) => datasource?.uid !== '${' + 'datasource}')).toEqual([]);
    const unchosen = charts.flatMap(({ targets = [] }) =>
      targets.filter(({ expr }) => {
        const series = expr.match(/\b(?:hostnode|process)_\w+/g) ?? [];
        return series.length !== expr.split('instance=~"$instance"').length - 1;
      }),
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
