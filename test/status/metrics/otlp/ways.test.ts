import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { OtlpConfig } from '../../../../src/config/metrics.ts';
import { Secret } from '../../../../src/config/secrets.ts';
import { otlpEndpoint, sendOtlp } from '../../../../src/status/metrics/otlp/push.ts';
import { ConnectProxy } from '../../../faults/connect-proxy.ts';
import { describeWhere, without } from '../../../support/machine-needs.ts';
import { OtlpEndpoint } from '../../../support/otlp-endpoint.ts';
import { freePort } from '../../../support/raw-server.ts';

const noSignal = new AbortController().signal;

const configOf = (endpoint: string, more: Partial<OtlpConfig> = {}): OtlpConfig => ({
  ...{ endpoint, everySeconds: 60, timeoutSeconds: 5 },
  ...more,
});

/** What came of an empty push: `taken`, or the error's message. */
const push = (config: OtlpConfig, env: Record<string, string> = {}): Promise<string> =>
  sendOtlp(otlpEndpoint(config, env), new Uint8Array(), () => 'taken', noSignal).catch(
    (error: Error) => error.message,
  );

describe('a push', () => {
  it.each([
    ['Bearer t0ken:1234', ['t0ken:1234']],
    ['Bearer   t0ken:1234', ['t0ken:1234']],
    [`Basic ${Buffer.from('lab:pa55:word').toString('base64')}`, ['pa55:word']],
    ['plain-k3y', ['plain-k3y']],
  ])('hides %s in the endpoint’s words, whole and in part', async (value, secrets) => {
    const endpoint = await OtlpEndpoint.start();
    onTestFinished(() => endpoint.shut());
    const body = `no ${value}, no ${secrets.join()}`;
    endpoint.manner = { status: 403, headers: { 'content-type': 'text/plain' }, body };
    const said = await push(configOf(endpoint.url, { headers: { authorization: new Secret(value) } }));
    expect(said).toContain('403 Forbidden ("no ');
    for (const secret of [value, ...secrets]) expect(said).not.toContain(secret);
  });

  it('names the proxy that does not answer', async () => {
    const proxy = `127.0.0.1:${await freePort()}`;
    const said = await push(configOf('http://prometheus.example/v1/metrics'), { http_proxy: proxy });
    expect(said).toContain(
      `the proxy ${proxy} (http_proxy): nothing listens there (ECONNREFUSED); check http_proxy`,
    );
  });
});

describeWhere('a push over TLS', { missing: without(['openssl']) }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hostnode-otlp-'));
  let pair = { key: '', cert: '' };

  beforeAll(() => {
    const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const named = ['-subj', '/CN=endpoint', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const written = ['-keyout', files.key, '-out', files.cert];
    execFileSync('openssl', ['req', '-x509', ...made, ...named, ...written], { stdio: 'ignore' });
    pair = { key: readFileSync(files.key, 'utf8'), cert: readFileSync(files.cert, 'utf8') };
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** @returns its address, and how many pushes it has got */
  async function secureEndpoint() {
    const seen = { pushes: 0 };
    const server = createServer(pair, (request, response) => {
      seen.pushes += 1;
      request.resume().on('end', () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`, seen };
  }

  it('trusts the own CA, and nobody without it', async () => {
    const { url, seen } = await secureEndpoint();
    expect(await push(configOf(url, { ca: pair.cert }))).toBe('taken');
    expect(await push(configOf(url))).toMatch(
      /self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\); if it is yours, name its file in metrics\.otlp\.caFile, and reload/,
    );
    expect(seen.pushes).toBe(1);
  });

  it('goes through the proxy, but not where NO_PROXY names the endpoint', async () => {
    const { url, seen } = await secureEndpoint();
    const proxy = new ConnectProxy();
    await proxy.open();
    onTestFinished(() => proxy.shut());
    const config = configOf(url, { ca: pair.cert });
    expect(await push(config, { HTTPS_PROXY: proxy.url })).toBe('taken');
    proxy.wantsLogin = true;
    expect(await push(config, { HTTPS_PROXY: proxy.url })).toMatch(/the proxy requires a login; check/);
    expect(await push(config, { HTTPS_PROXY: proxy.url, NO_PROXY: '127.0.0.1' })).toBe('taken');
    expect(seen.pushes).toBe(2);
  });
});
