import { describe, expect, it } from 'vitest';
import { Metrics } from '../../src/status/metrics/metrics.ts';
import { alerts, recordings } from '../support/metric-queries.ts';
import { codeSpans, readText, rows, section } from './pages.ts';

describe('docs/metrics.md', () => {
  const page = 'docs/metrics.md';

  it('lists every metric with its meaning, and says how to know its type, as the scrape explains it', async () => {
    const source = {
      status: () => undefined,
      phone: async () => undefined,
      onChange: () => () => {},
      isProgressing: true,
    };
    const scrape = await new Metrics(source).text();
    const explained = [...scrape.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)];
    expect(rows(section(page, '## All metrics'))).toEqual(
      explained.map(([, name, meaning]) => [`\`${name}\``, meaning]),
    );
    const endings = { counter: '_total', histogram: '_duration_seconds' };
    for (const [, name = '', , type] of explained) {
      const [told = 'gauge'] = Object.entries(endings).find(([, ending]) => name.endsWith(ending)) ?? [];
      expect([name, type]).toEqual([name, told]);
    }
  });

  it('lists every alert', () => {
    const named = [...readText(page).matchAll(/^\| `(Hostnode\w+)` /gm)].map(([, name]) => name);
    expect(named).toEqual(alerts.map(({ alert }) => alert));
  });

  it('lists every state of report', () => {
    const listed = rows(section(page, '### State of report')).flatMap(([name = '']) => codeSpans(name));
    const states = recordings.flatMap(({ labels }) => labels?.state ?? []);
    expect(states.length).toBeGreaterThan(5);
    expect(listed).toEqual(states);
  });
});
