import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Environment } from '../../src/base/environment.ts';
import { ConfigError } from '../../src/base/errors.ts';
import { effectiveSettings } from '../../src/config/effective.ts';
import { type LoadOptions, loadConfig } from '../../src/config/load.ts';
import { parseHeaders } from '../../src/config/metrics.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostnode-config-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const endpoint = 'https://prometheus.example.com/api/v1/otlp/v1/metrics';
const toEndpoint = { HOSTNODE_METRICS_OTLP_ENDPOINT: endpoint };
const secret = 'Bearer t0ken-that-nobody-may-see';

/** Writes a file that only its owner may read. */
function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

const options = (env: Environment): LoadOptions => ({
  env: { HOME: folder, ...env },
  defaultFile: '',
  credential: join(folder, 'hostnode.cloud-api-key'),
});

const load = async (env: Environment) => (await loadConfig(options(env))).config.metrics.otlp;

async function problems(env: Environment): Promise<readonly string[]> {
  const error = await loadConfig(options(env)).catch((error: unknown) => error);
  if (!(error instanceof ConfigError)) throw new Error('no ConfigError', { cause: error });
  return error.problems.map((line) => line.replaceAll(`${folder}/`, ''));
}

describe('the push of the metrics', () => {
  it('is off where no endpoint is set, whatever else is', async () => {
    expect(await load({ HOSTNODE_METRICS_OTLP_HEADERS_FILE: '/nowhere' })).toBeUndefined();
  });

  it('takes the whole address, a minute and ten seconds', async () => {
    expect(await load(toEndpoint)).toEqual({ endpoint, everySeconds: 60, timeoutSeconds: 10 });
  });

  it.each([
    ['ftp://x.example/', 'an https:// address'],
    ['prometheus.example.com:9090', 'an https:// address'],
    [
      'http://10.0.0.7:9090/v1/metrics',
      'https://, or metrics.otlp.allowInsecure true: the metrics and their headers would cross the network unencrypted',
    ],
    ['https://x.example/v1/metrics?token=s3cret', 'an address without query ("?…") and fragment ("#…")'],
    [
      'https://lab:s3cret@x.example/v1/metrics',
      'an address without user and password (metrics.otlp.headersFile hold them)',
    ],
  ])('refuses %s, and shows no secret in it', async (address, mustBe) => {
    const [problem = '', ...others] = await problems({ HOSTNODE_METRICS_OTLP_ENDPOINT: address });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^metrics\.otlp\.endpoint.* \(HOSTNODE_METRICS_OTLP_ENDPOINT\): must be /);
    expect(problem).toContain(mustBe);
    expect(problem).not.toContain('s3cret');
  });

  it('goes in plain text to this host, and elsewhere where that is allowed', async () => {
    const plain = 'http://10.0.0.7:9090/v1/metrics';
    const env = { HOSTNODE_METRICS_OTLP_ENDPOINT: plain, HOSTNODE_METRICS_OTLP_ALLOW_INSECURE: 'true' };
    expect(await load(env)).toMatchObject({ endpoint: plain });
    const own = 'http://127.0.0.1:4318/v1/metrics';
    expect(await load({ HOSTNODE_METRICS_OTLP_ENDPOINT: own })).toMatchObject({ endpoint: own });
  });

  it('takes its headers from the file, else from the credential of systemd, else it has none', async () => {
    const file = write('headers', `Authorization: ${secret}\nX-Scope-OrgID: lab\n`);
    const named = await load({ ...toEndpoint, HOSTNODE_METRICS_OTLP_HEADERS_FILE: file });
    expect(named?.headers?.authorization?.reveal()).toBe(secret);
    expect(named?.headers?.['x-scope-orgid']?.reveal()).toBe('lab');
    expect(JSON.stringify(named)).not.toContain(secret);

    const CREDENTIALS_DIRECTORY = join(folder, 'credentials');
    mkdirSync(CREDENTIALS_DIRECTORY);
    expect(await load({ ...toEndpoint, CREDENTIALS_DIRECTORY })).not.toHaveProperty('headers');
    chmodSync(write('credentials/otlp-headers', `Authorization: ${secret}`), 0o444); // as the kubelet has it
    const given = await load({ ...toEndpoint, CREDENTIALS_DIRECTORY });
    expect(given?.headers?.authorization?.reveal()).toBe(secret);
  });

  it('says why the encrypted headers of the store cannot be read', async () => {
    mkdirSync(`${folder}.encrypted`);
    onTestFinished(() => rmSync(`${folder}.encrypted`, { recursive: true }));
    writeFileSync(join(`${folder}.encrypted`, 'hostnode.otlp-headers'), 'x');
    expect(await problems({ ...toEndpoint, PATH: folder })).toEqual([
      expect.stringMatching(
        /^metrics\.otlp\.headersFile: .*\.encrypted\/hostnode\.otlp-headers: systemd-creds cannot decrypt it/,
      ),
    ]);
  });

  it('takes its headers in a shell from where the service gets them', async () => {
    write('hostnode.otlp-headers', `Authorization: ${secret}`);
    expect((await load(toEndpoint))?.headers?.authorization?.reveal()).toBe(secret);
  });

  it('refuses headers that others can read, that are none, or that are not there', async () => {
    const named = (file: string) => problems({ ...toEndpoint, HOSTNODE_METRICS_OTLP_HEADERS_FILE: file });
    const open = write('open', `Authorization: ${secret}`);
    chmodSync(open, 0o644);
    const [problem = ''] = await named(open);
    expect(problem).toMatch(/^metrics\.otlp\.headersFile: open: other users can read it \(mode 0644\)/);
    expect(await named(write('wrong', secret))).toEqual([
      'metrics.otlp.headersFile: wrong: line 1 must be "Name: value" in ASCII',
    ]);
    expect(await named(join(folder, 'none'))).toEqual(['metrics.otlp.headersFile: none: no such file']);
    expect(await named(secret)).toEqual(['metrics.otlp.headersFile: no such file; give a path']);
  });

  it('refuses an own CA that is none, a wrong proxy, and what would print the headers', async () => {
    const ca = { HOSTNODE_METRICS_OTLP_CA_FILE: write('ca.pem', 'x') };
    expect(await problems({ ...toEndpoint, ...ca })).toEqual([
      'metrics.otlp.caFile (HOSTNODE_METRICS_OTLP_CA_FILE): ca.pem: contains no PEM certificate',
    ]);
    expect(await problems({ ...toEndpoint, HTTPS_PROXY: 'socks://x', NODE_DEBUG: 'http' })).toEqual([
      expect.stringMatching(/^NODE_DEBUG: must not be set/),
      'HTTPS_PROXY: must be an address like http://proxy.example:3128',
    ]);
  });

  it('names once what is wrong for the cloud too', async () => {
    const cloud = { HOSTNODE_CLOUD_BASE_URL: 'https://c.example/v1', HOSTNODE_CLOUD_USERNAME: 'lab' };
    const env = { ...toEndpoint, ...cloud, HOSTNODE_CLOUD_API_KEY: 'k', HTTPS_PROXY: 'socks://x' };
    expect(await problems(env)).toEqual(['HTTPS_PROXY: must be an address like http://proxy.example:3128']);
  });

  it('is shown without its headers, and with where they come from', async () => {
    const file = write('hostnode.otlp-headers', `Authorization: ${secret}`);
    const loaded = await loadConfig(options(toEndpoint));
    const shown = await effectiveSettings(options(toEndpoint), loaded);
    expect(shown.find(({ key }) => key === 'metrics.otlp.headersFile')).toEqual({
      key: 'metrics.otlp.headersFile',
      value: '***',
      from: `credential ${file}`,
    });
    expect(JSON.stringify(shown)).not.toContain(secret);
  });
});

describe('a file with headers', () => {
  it('has one a line, with names in any case, and empty lines', () => {
    const text = 'Authorization: Bearer a:b=\r\n\n X-Scope-OrgID :  lab-7 \n';
    const headers = { authorization: 'Bearer a:b=', 'x-scope-orgid': 'lab-7' };
    expect(parseHeaders(text)).toEqual({ headers });
  });

  it.each([
    ['', 'must contain "Name: value", one a line'],
    ['Bearer s3cret', 'line 1 must be "Name: value" in ASCII'],
    ['x: 1\nAuthorization:', 'line 2 must be "Name: value" in ASCII'],
    [': s3cret', 'line 1 must be "Name: value" in ASCII'],
    ['bad name: s3cret', 'line 1 must be "Name: value" in ASCII'],
    ['x: s3cret\u0007', 'line 1 must be "Name: value" in ASCII'],
    ['x: s3crét', 'line 1 must be "Name: value" in ASCII'],
    [`x: ${'s'.repeat(8193)}`, 'line 1 must be "Name: value" in ASCII'],
    ['Content-Length: 5', 'line 1: hostnode sets content-length itself'],
    ['Host: elsewhere', 'line 1: hostnode sets host itself'],
    ['x: s3cret\nX: s3cret', 'line 2: x is there twice'],
    [Array.from({ length: 21 }, (_, index) => `x-${index}: s3cret`).join('\n'), 'more than 20 headers'],
  ])('%j is refused, without what may be a secret', (text, problem) => {
    expect(parseHeaders(text)).toEqual({ problem });
  });

  it('keeps a name that JavaScript gives a meaning', () => {
    expect(parseHeaders('__proto__: x')).toEqual({ headers: Object.fromEntries([['__proto__', 'x']]) });
  });
});
