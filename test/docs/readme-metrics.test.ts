import { describe, expect, it } from 'vitest';
import { Metrics } from '../../src/status/metrics.ts';
import { alerts } from '../metrics/queries.ts';
import { rows, section } from './readme.ts';

describe('the README on the metrics', () => {
  const text = section('### Metrics');

  it('lists every metric with its type and meaning, as the scrape explains it', async () => {
    const source = {
      status: () => undefined,
      phone: () => undefined,
      onChange: () => () => {},
      isProgressing: true,
    };
    const scrape = await new Metrics(source).text();
    const explained = [...scrape.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$/gm)];
    expect(rows(text)).toEqual(explained.map(([, name, meaning, type]) => [`\`${name}\``, type, meaning]));
  });

  it('lists every alert', () => {
    const named = [...text.matchAll(/^\| `(Hostnode\w+)` /gm)].map(([, name]) => name);
    expect(named).toEqual(alerts.map(({ alert }) => alert));
  });
});
