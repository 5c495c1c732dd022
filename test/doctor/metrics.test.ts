import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/config/secrets.ts';
import { performAll, shown } from '../../src/doctor/check.ts';
import { examine } from '../../src/doctor/examination.ts';
import { metricsChecks } from '../../src/doctor/metrics.ts';
import { hostTree } from '../support/host-tree.ts';
import { type Manner, OtlpEndpoint } from '../support/otlp-endpoint.ts';

const secret = 't0ken-that-nobody-may-see';

async function endpointThat(manner?: Manner): Promise<OtlpEndpoint> {
  const endpoint = await OtlpEndpoint.start();
  onTestFinished(() => endpoint.shut());
  if (manner !== undefined) endpoint.manner = manner;
  return endpoint;
}

const found = async (endpoint: string, areHeadersHidden = false) => {
  const headers = areHeadersHidden ? {} : { authorization: new Secret(`Bearer ${secret}`) };
  const otlp = { endpoint, headers, everySeconds: 60, timeoutSeconds: 1 };
  return (await performAll(metricsChecks(otlp, {}))).map(shown);
};

describe('the endpoint of the metrics', () => {
  it('is not looked at where there is none', () => {
    expect(metricsChecks(undefined, {})).toEqual([]);
  });

  it('is fine if it takes an empty push with the headers', async () => {
    const endpoint = await endpointThat();
    expect(await found(endpoint.url)).toEqual([
      { name: 'push', status: 'ok', seen: `${endpoint.url} takes metrics` },
    ]);
    const [{ headers, body } = {}] = endpoint.pushes;
    expect([headers?.authorization, body?.length]).toEqual([`Bearer ${secret}`, 0]);
  });

  it.each<[string, Manner, string, RegExp]>([
    [
      'refuses',
      { status: 401, headers: { 'content-type': 'text/plain' }, body: `not ${secret}` },
      '401 Unauthorized ("not [redacted]")',
      /^Check the headers \(metrics\.otlp\.headersFile\)$/,
    ],
    ['is not there', { status: 404 }, '404 Not Found', /^Check metrics\.otlp\.endpoint, with its path/],
    [
      'hangs',
      'silent',
      'no answer within 1 s',
      /^Check metrics\.otlp\.endpoint, the firewall and the proxy$/,
    ],
  ])('that %s has failed, with the remedy', async (_, manner, seen, remedy) => {
    const endpoint = await endpointThat(manner);
    expect(await found(endpoint.url)).toEqual([
      {
        ...{ name: 'push', status: 'failed', seen: `POST ${endpoint.url}: ${seen}` },
        remedy: expect.stringMatching(remedy),
      },
    ]);
  });

  it('is not asked without the headers that this user cannot read', async () => {
    const endpoint = await endpointThat();
    expect(await found(endpoint.url, true)).toMatchObject([{ status: 'skipped', remedy: 'Run as root' }]);
    expect(endpoint.pushes).toEqual([]);
  });

  it('has a group of its own in the report, only where it is set', async () => {
    const endpoint = await endpointThat();
    const examined = async (yaml: string) => {
      const root = await hostTree({ 'etc/hostnode/hostnode.yaml': yaml });
      const groups = await examine({ env: { HOME: root }, root, uid: 0 });
      return groups.find(({ title }) => title === 'Metrics');
    };
    const set = await examined(`metrics: { otlp: { endpoint: "${endpoint.url}" } }\nadb: { port: 9 }\n`);
    expect(set?.findings).toMatchObject([{ name: 'push', status: 'ok' }]);
    expect(await examined('adb: { port: 9 }\n')).toBeUndefined();
  });
});
