import { createServer as createProxy } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anyHost } from '../../src/base/environment.ts';
import { ConfigError } from '../../src/base/errors.ts';
import { proxyFor } from '../../src/cloud/proxy.ts';
import { Secret } from '../../src/config/secrets.ts';
import { performAll } from '../../src/doctor/check.ts';
import { cloudChecks } from '../../src/doctor/cloud.ts';
import { examine } from '../../src/doctor/examination.ts';
import { checkClock, checkHandshake, lookAtClock, lookAtConnection } from '../../src/doctor/network.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import { TestServer } from '../support/cloud-server.ts';
import { hostTree } from '../support/host-tree.ts';
import { freePort } from '../support/raw-server.ts';

const username = 'lab@example.com';
const apiKey = 'k3y-that-nobody-may-see';
const noSignal = new AbortController().signal;

const settings = (baseUrl: string) => ({
  baseUrl,
  username,
  allowInsecure: true,
  connectTimeoutSeconds: 1,
  requestTimeoutSeconds: 1,
  refusedRetries: 0,
});

/** All that is found about the cloud at this address. */
async function found(baseUrl: string, key = apiKey, env: Record<string, string> = {}) {
  const cloud = { ...settings(baseUrl), apiKey: new Secret(key) };
  const findings = await performAll(cloudChecks(cloud, env, anyHost));
  return Object.fromEntries(findings.map((finding) => [finding.name, finding]));
}

async function sandbox(): Promise<Sandbox> {
  const cloud = await Sandbox.start({ seed: seedOfOneUser({ username, apiKey }) });
  onTestFinished(() => cloud.stop().catch(() => {}));
  return cloud;
}

describe('the cloud', () => {
  it('that knows the account is fine, and is only read from', async () => {
    const cloud = await sandbox();
    const findings = await found(cloud.baseUrl);
    expect(Object.values(findings).map(({ name, status }) => [name, status])).toEqual([
      ['connection', 'ok'],
      ['TLS', 'skipped'],
      ['clock', 'ok'],
      ['credentials', 'ok'],
    ]);
    expect(cloud.requests.map(({ method }) => method).toSorted()).toEqual(['GET', 'HEAD']);
    expect(cloud.devices()).toEqual([]);
  });

  it('whose address lacks its version is named with it', async () => {
    const { baseUrl } = await sandbox();
    const root = baseUrl.replace(/\/v1$/, '');
    for (const address of [root, `${root}/v2`, `${baseUrl}/devices`])
      expect((await found(address)).credentials).toMatchObject({
        status: 'failed',
        remedy: `Did you mean ${baseUrl}?`,
      });
    await using other = await TestServer.listen((_, response) => response.writeHead(404).end());
    const { credentials } = await found(`http://127.0.0.1:${other.port}`);
    expect(credentials?.remedy).toBe('Check the base URL');
  });

  it('that does not know the key says what to check, and not the key', async () => {
    const cloud = await sandbox();
    const findings = await found(cloud.baseUrl, 'wr0ng-key');
    expect(findings.credentials).toMatchObject({
      status: 'failed',
      seen: expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:\d+\/v1\/devices: 401 Unauthorized$/),
      said: 'the user name or the API key is wrong',
      remedy: 'Check the user name and the API key, and that the key was not revoked',
    });
    expect(JSON.stringify(findings)).not.toMatch(/wr0ng-key|k3y/);
  });

  it('whose words hold the key as a common word has them left out', async () => {
    const cloud = await sandbox();
    const { credentials } = await found(cloud.baseUrl, 'wrong');
    expect(credentials).toEqual({
      name: 'credentials',
      status: 'failed',
      seen: `GET ${cloud.baseUrl}/devices: 401 Unauthorized`,
      remedy: 'Check the user name and the API key, and that the key was not revoked',
    });
  });

  it('that is not there is a failure of the connection', async () => {
    const port = await freePort();
    const findings = await found(`http://127.0.0.1:${port}/v1`);
    expect(findings).toMatchObject({
      connection: {
        status: 'failed',
        seen: `127.0.0.1:${port}: nothing listens there (ECONNREFUSED)`,
        remedy: 'Check the base URL and the firewall',
      },
      clock: { status: 'skipped', seen: 'not checked: connection failed' },
      credentials: { status: 'skipped', seen: 'not checked: connection failed' },
    });
  });

  it('whose name is unknown is one failure: the rest is not checked because of it', async () => {
    const findings = await found('https://nowhere.invalid/v1');
    const { connection, ...others } = findings;
    expect(connection).toMatchObject({
      status: 'failed',
      seen: expect.stringMatching(/^nowhere\.invalid:443: /),
      remedy: expect.stringMatching(/DNS of this host/),
    });
    expect(Object.values(others)).toEqual(
      ['TLS', 'clock', 'credentials'].map((name) => ({
        ...{ name, status: 'skipped', seen: 'not checked: connection failed' },
      })),
    );
  });

  it('whose certificate is not trusted still tells the time: a wrong clock may be the reason', () => {
    const cloud = { ...settings('https://cloud.example.com/v1'), apiKey: new Secret(apiKey) };
    const needs = cloudChecks(cloud, {}, anyHost).map((check) => [check.name, check.needs]);
    expect(Object.fromEntries(needs)).toEqual({
      ...{ connection: undefined, TLS: 'connection', clock: 'connection', credentials: 'TLS' },
    });
  });

  it('that hangs is given up', async () => {
    const cloud = await sandbox();
    cloud.faults.next({ kind: 'hang' }, 2);
    const { clock, credentials } = await found(cloud.baseUrl);
    expect(clock).toEqual({ name: 'clock', status: 'skipped', seen: 'the cloud sends no time' });
    expect(credentials).toMatchObject({
      status: 'failed',
      seen: expect.stringContaining('no answer within 1 s'),
    });
  });

  it('whose key cannot be read is not asked for the account', async () => {
    const cloud = await sandbox();
    const config = { ...settings(cloud.baseUrl), apiKey: new Secret('') };
    const findings = await performAll(cloudChecks(config, {}, anyHost));
    expect(findings.at(-1)).toMatchObject({ name: 'credentials', status: 'skipped' });
    expect(cloud.requests.map(({ method }) => method)).toEqual(['HEAD']);
  });

  it('no cloud is configured: hostnode reports nothing, and that is no failure', async () => {
    const env = { HOSTNODE_ADB_PORT: String(await freePort()) };
    const groups = await examine({ env, root: await hostTree({}), uid: 0 });
    expect(groups.find(({ title }) => title === 'Cloud')?.findings).toEqual([
      { name: 'cloud', status: 'skipped', seen: 'no cloud is configured: hostnode reports nothing' },
    ]);
  });

  it('behind a proxy is looked for there, and the proxy’s password is not shown', async () => {
    await using proxy = await TestServer.listen(
      (_, response) => response.writeHead(407).end(),
      createProxy(),
    );
    const findings = await found('http://cloud.example.com/v1', apiKey, {
      HTTP_PROXY: `http://lab:s3cret@127.0.0.1:${proxy.port}`,
    });
    expect(findings).toMatchObject({
      connection: {
        status: 'ok',
        seen: expect.stringContaining(`the proxy 127.0.0.1:${proxy.port} (HTTP_PROXY) accepts connections`),
      },
      credentials: {
        status: 'failed',
        remedy: expect.stringContaining('Check the user name and password in'),
      },
    });
    expect(JSON.stringify(findings)).not.toContain('s3cret');
  });

  it('behind a proxy that is not there is not blamed: the proxy is named, and its variable', async () => {
    const port = await freePort();
    const findings = await found('http://cloud.example.com/v1', apiKey, { http_proxy: `127.0.0.1:${port}` });
    const seen = `the proxy 127.0.0.1:${port} (http_proxy): nothing listens there (ECONNREFUSED)`;
    const remedy = 'Check http_proxy and the firewall';
    expect(findings).toMatchObject({
      connection: { status: 'failed', seen, remedy },
      credentials: { status: 'skipped', seen: 'not checked: connection failed' },
    });
    const nowhere = { host: 'nowhere.invalid', port, variable: 'http_proxy' };
    expect(await lookAtConnection(nowhere, noSignal)).toMatchObject({
      seen: expect.stringContaining(`the proxy nowhere.invalid:${port} (http_proxy): `),
    });
  });

  it('is asked for all of it through the proxy that only the service knows of', async () => {
    const seen: string[] = [];
    await using proxy = await TestServer.listen(({ method, url }, response) => {
      seen.push(`${method} ${url?.split('?')[0]}`);
      response.end('{"privateDevices":[],"favoriteDevices":[],"cloudDevices":[]}');
    });
    const env = {
      HOSTNODE_ADB_PORT: String(await freePort()),
      HOSTNODE_CLOUD_BASE_URL: 'http://cloud.example.com/v1',
      HOSTNODE_CLOUD_ALLOW_INSECURE: 'true',
      HOSTNODE_CLOUD_USERNAME: username,
      HOSTNODE_CLOUD_API_KEY: apiKey,
      HTTP_PROXY: `127.0.0.1:${proxy.port}`,
    };
    const groups = await examine({ env, root: await hostTree({}), uid: process.getuid?.() ?? 0 });
    const findings = groups.find(({ title }) => title === 'Cloud')?.findings ?? [];
    expect(findings.map(({ name, status }) => [name, status])).toEqual([
      ['connection', 'ok'],
      ['TLS', 'skipped'],
      ['clock', 'ok'],
      ['credentials', 'ok'],
    ]);
    expect(seen.toSorted()).toEqual([
      'GET http://cloud.example.com/v1/devices',
      'HEAD http://cloud.example.com/v1',
    ]);
  });
});

describe('the clock', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const at = (date: string | undefined) => checkClock(date, now, anyHost);

  it('is judged by how far it is from the cloud’s', () => {
    expect(
      ['12:00:00', '11:59:40', '11:59:00', '12:06:00'].map((time) => at(`Sat, 21 Nov 2026 ${time} GMT`)),
    ).toEqual([
      { name: 'clock', status: 'ok', seen: 'agrees with the cloud’s' },
      { name: 'clock', status: 'ok', seen: '20 s ahead of the cloud’s' },
      { name: 'clock', status: 'warning', seen: '60 s ahead of the cloud’s', remedy: expect.any(String) },
      { name: 'clock', status: 'failed', seen: '360 s behind the cloud’s', remedy: expect.any(String) },
    ]);
    expect([at(undefined).status, at('yesterday').status]).toEqual(['skipped', 'skipped']);
  });

  it('is asked without credentials, of any answer', async () => {
    await using server = await TestServer.listen((_, response) =>
      response.writeHead(401, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end(),
    );
    const url = new URL(`http://127.0.0.1:${server.port}/v1`);
    expect(await lookAtClock(url, { proxyEnv: {}, tunnelMs: 1000 }, anyHost, noSignal)).toMatchObject({
      status: 'failed',
      seen: expect.stringMatching(/^(3599|3600|3601) s ahead of the cloud’s$/),
    });
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('is not waited for without end where the cloud wants to switch protocols', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
    await using server = await TestServer.listen(({ socket }) => socket.write(upgrade));
    const url = new URL(`http://127.0.0.1:${server.port}/v1`);
    expect(await lookAtClock(url, { proxyEnv: {}, tunnelMs: 1000 }, anyHost, noSignal)).toMatchObject({
      status: 'skipped',
    });
  });

  it('is not waited for without end behind a proxy that hangs: the connection is given up', async () => {
    const closed = Promise.withResolvers<void>();
    const proxy = createTcpServer((socket) => socket.on('close', () => closed.resolve()).resume());
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const way = { proxyEnv: { HTTPS_PROXY: `http://127.0.0.1:${port}` }, tunnelMs: 200 };
    const found = await lookAtClock(new URL('https://cloud.example/v1'), way, anyHost, noSignal);
    await closed.promise;
    proxy.close();
    expect(found).toMatchObject({ name: 'clock', status: 'skipped' });
  });
});

describe('the way to the cloud', () => {
  it('begins with a connection, to whatever address its name has', async () => {
    await using server = await TestServer.listen((_, response) => response.end());
    expect(await lookAtConnection({ host: 'localhost', port: server.port }, noSignal)).toMatchObject({
      status: 'ok',
      seen: expect.stringMatching(/^localhost:\d+ accepts connections at 127\.0\.0\.1, within \d+ ms$/),
    });
  });

  it('goes through the proxy that the environment names, but for the hosts that it excepts', () => {
    const url = new URL('https://cloud.example.com/v1');
    const through = (noProxy: string) =>
      proxyFor(url, { HTTPS_PROXY: 'http://u:p@proxy:3128', NO_PROXY: noProxy });
    const address = new URL('http://u:p@proxy:3128');
    const proxy = { host: 'proxy', port: 3128, variable: 'HTTPS_PROXY', address };
    expect(through('')).toEqual(proxy);
    expect(through('example.org, other.example.com')).toEqual(proxy);
    expect(through('example.com, *.cloud.example.com')).toEqual(proxy);
    for (const exempt of [
      '*',
      '.example.com',
      '.cloud.example.com',
      '*.example.com',
      'a,cloud.example.com',
      'cloud.example.com:443',
    ]) {
      expect(through(exempt)).toBeUndefined();
    }
    expect(proxyFor(url, { https_proxy: 'proxy:3128' })).toEqual({
      ...proxy,
      variable: 'https_proxy',
      address: new URL('http://proxy:3128'),
    });
    expect(() => proxyFor(url, { https_proxy: 'socks5://proxy' })).toThrow(ConfigError);
    expect(proxyFor(url, { HTTP_PROXY: 'http://proxy' })).toBeUndefined();
  });
});

describe('the certificate', () => {
  const judge = (days: number, problem?: string) => {
    const end = Date.now() + days * 24 * 60 * 60 * 1000 + 60_000;
    const certificate = { issuer: { CN: 'Lab CA' }, valid_to: new Date(end).toUTCString() };
    return checkHandshake('TLSv1.3', certificate as never, problem, false);
  };

  it('is fine for long, a warning when it ends soon, and a failure when it is not trusted', () => {
    expect([judge(60), judge(5), judge(-2, 'CERT_HAS_EXPIRED')]).toEqual([
      { name: 'TLS', status: 'ok', seen: 'TLSv1.3, certificate of "Lab CA" valid for 60 more days' },
      {
        name: 'TLS',
        status: 'warning',
        seen: 'TLSv1.3, certificate of "Lab CA" valid for 5 more days',
        remedy: 'Renew the certificate',
      },
      {
        name: 'TLS',
        status: 'failed',
        seen: 'TLSv1.3, certificate of "Lab CA" expired 2 days ago: the certificate has expired (CERT_HAS_EXPIRED)',
        remedy: "Renew it, or check this host's clock",
      },
    ]);
  });
});
