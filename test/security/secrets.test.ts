import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lookAtUnits } from '../../src/doctor/host.ts';
import { OtlpEndpoint } from '../support/otlp-endpoint.ts';
import { Daemon, type Environment, hostnode } from '../support/program.ts';
import {
  apiKey,
  identifiersOf,
  phoneOf,
  poco,
  smartron,
  startAdb,
  startCloud,
  temporaryFolder,
  textsOf,
  toAdb,
  toCloud,
  username,
} from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

const password = 'open sesame';
const proxyPassword = 'pr0xy-that-nobody-may-see';
const token = 't0ken-that-nobody-may-see';
const proxy = {
  HTTPS_PROXY: `http://lab:${proxyPassword}@127.0.0.1:9`,
  http_proxy: `http://lab:${proxyPassword}@127.0.0.1:9`,
  NO_PROXY: '127.0.0.1',
};

/** As they are, and as HTTP and addresses spell them. */
const secrets = [
  apiKey,
  Buffer.from(`${username}:${apiKey}`).toString('base64'),
  password,
  Buffer.from(`lab:${password}`).toString('base64'),
  proxyPassword,
  token,
];

/** A host with two phones, a cloud, and all the secrets that there can be. */
async function secretiveHost() {
  const adb = await startAdb(phoneOf(poco), phoneOf(smartron));
  const cloud = await startCloud();
  const stateDir = join(await temporaryFolder(), 'state');
  const passwordFile = join(await temporaryFolder(), 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  const headersFile = join(await temporaryFolder(), 'headers');
  await writeFile(headersFile, `Authorization: Bearer ${token}\n`, { mode: 0o600 });
  const endpoint = await OtlpEndpoint.start();
  onTestFinished(() => endpoint.shut());
  const body = `no such token: Bearer ${token}`;
  endpoint.manner = { status: 401, headers: { 'content-type': 'text/plain' }, body };
  const env: Environment = {
    ...toAdb(adb.port, stateDir),
    ...toCloud(cloud),
    ...proxy,
    HOSTNODE_STATUS_PASSWORD_FILE: passwordFile,
    HOSTNODE_METRICS_OTLP_ENDPOINT: endpoint.url,
    HOSTNODE_METRICS_OTLP_EVERY_SECONDS: '1',
    HOSTNODE_METRICS_OTLP_HEADERS_FILE: headersFile,
    HOSTNODE_NOTIFY: JSON.stringify([{ url: `${endpoint.url}/${token}?sig=${token}`, headersFile }]),
    HOSTNODE_HOSTS_PASSWORD: password,
    HOSTNODE_LOG_LEVEL: 'trace',
  };
  return { adb, cloud, stateDir, env };
}

/** A module that Node loads before the program. */
async function preload(code: string): Promise<Environment> {
  const file = join(await temporaryFolder(), 'preload.mjs');
  await writeFile(file, code);
  return { NODE_OPTIONS: `--import=${file}` };
}

/** A program that writes its arguments and its environment down, and fails. */
async function recorder(name: string): Promise<{ bin: string; heard(): Promise<string> }> {
  const folder = await temporaryFolder();
  const bin = join(folder, name);
  await writeFile(bin, `#!/bin/sh\n{ echo "$@"; env; } >'${folder}/heard'\nexit 1\n`);
  await chmod(bin, 0o755);
  return { bin, heard: () => readFile(join(folder, 'heard'), 'utf8') };
}

describe('API key, passwords and telephony identifiers', { timeout: 60_000 }, () => {
  it('are in no argument, log, error, state file, status, metric, check or doctor’s report', async () => {
    const { cloud, stateDir, env } = await secretiveHost();
    const daemon = new Daemon(env);
    const url = String((await daemon.says('status page')).url);
    await daemon.says('round');
    await expect.poll(() => daemon.logged('the metrics are not pushed')).toHaveLength(1);
    const identifiers = identifiersOf(cloud);
    expect(identifiers.length).toBeGreaterThan(2);
    const headers = { authorization: `Basic ${Buffer.from(`lab:${password}`).toString('base64')}` };
    const get = async (path: string) => {
      const response = await fetch(url + path, { headers });
      expect([path, response.status]).toEqual([path, 200]);
      return response.text();
    };
    const events = await fetch(`${url}api/events`, { headers });
    const firstEvent = await events.body?.getReader().read();
    const wrongKey = { ...env, HOSTNODE_CLOUD_USERNAME: 'nobody@example.com' };
    const wrong = { ...env, HOSTNODE_CLOUD_BASE_URL: 'ftp://x', HOSTNODE_PROBE_CONCURRENCY: '0' };
    const commands: [string[], Environment][] = [
      [['config', 'check'], env],
      [['config', 'check', '--json'], env],
      [['config', 'check'], wrong],
      [['config', 'show'], env],
      [['run'], wrong],
      [['doctor'], env],
      [['doctor', '--json'], env],
      [['doctor'], wrongKey],
      [['inventory'], env],
      [['inventory', '--explain'], env],
      [['inventory', '--report'], wrongKey],
      [['status', '--json'], env],
      [['maintenance'], env],
      [['config', 'show', '--json'], env],
      [['notify'], env],
      [['notify', '--test'], env],
      [['status', '--hosts', new URL(url).host, '--json'], env],
    ];
    const said: Record<string, string> = {
      arguments: await readFile(`/proc/${daemon.child.pid}/cmdline`, 'utf8'),
      events: Buffer.from(firstEvent?.value ?? []).toString(),
    };
    for (const path of ['', 'api/status', `api/phones/${poco}`, 'metrics', 'healthz', 'readyz'])
      said[`/${path}`] = await get(path);
    for (const [args, theirs] of commands) {
      const { stdout, stderr } = await hostnode(args, theirs);
      said[args.join(' ')] = (said[args.join(' ')] ?? '') + stdout + stderr;
    }
    await daemon.end();
    said.log = daemon.stdout + daemon.stderr;
    said.state = await textsOf(stateDir);
    for (const [place, text] of Object.entries(said)) {
      expect(text, place).not.toBe('');
      for (const secret of [...secrets, ...identifiers]) expect(text, place).not.toContain(secret);
    }
  });

  it('are not given to the adb server that is started, which lives on', async () => {
    const { bin, heard } = await recorder('adb');
    const port = await freePort();
    const { env } = await secretiveHost();
    const given = {
      ...env,
      HOSTNODE_ADB_PORT: String(port),
      HOSTNODE_ADB_BIN: bin,
      CREDENTIALS_DIRECTORY: '/run/x',
    };
    expect((await hostnode(['inventory'], { ...given, HOSTNODE_ADB_START: 'true' })).code).toBe(4);
    const [args, ...variables] = (await heard()).trimEnd().split('\n');
    expect(args).toBe(`-L tcp:localhost:${port} server nodaemon`);
    const names = variables.map((line) => line.split('=', 1)[0] ?? '');
    expect(names).toContain('PATH');
    expect(
      names.filter((name) => /^HOSTNODE|^CREDENTIALS|proxy$/i.test(name) && name !== 'NO_PROXY'),
    ).toEqual([]);
    for (const secret of secrets) expect(variables.join('\n')).not.toContain(secret);
  });

  it('are not given to systemctl either, which the doctor asks', async () => {
    const { bin, heard } = await recorder('systemctl');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const path = `${join(bin, '..')}${delimiter}${process.env.PATH}`;
    for (const [name, value] of Object.entries({ ...proxy, ...toCloud(await startCloud()), PATH: path }))
      vi.stubEnv(name, value);
    await lookAtUnits({ hasSystemd: true }, undefined);
    const text = await heard();
    expect(text).toMatch(/^show hostnode\.service hostnode-adb\.service --property=/);
    for (const secret of secrets) expect(text).not.toContain(secret);
  });

  it('are not shown by a crash, whatever hangs on the error', async () => {
    const { env } = await secretiveHost();
    const code = `process.once('SIGUSR2', () => {
      const authorization = process.env.HOSTNODE_CLOUD_API_KEY;
      throw Object.assign(new Error('a bug \\u001b[2J'), { request: { headers: { authorization } } });
    });`;
    const daemon = new Daemon({ ...env, ...(await preload(code)) });
    await daemon.says('round');
    expect(await daemon.end('SIGUSR2')).toMatchObject({ code: 70 });
    expect(daemon.stderr).toMatch(/^hostnode: Error: a bug \\u001b\[2J\n {4}at /);
    expect(daemon.stdout + daemon.stderr).not.toContain(apiKey);
  });
});

describe('Node’s own windows into a process', { timeout: 60_000 }, () => {
  it('no signal opens its debugger', async () => {
    const { env } = await secretiveHost();
    const daemon = new Daemon({ ...env, NODE_OPTIONS: '--inspect-port=0' });
    await daemon.says('round');
    daemon.signal('SIGUSR1');
    expect((await hostnode(['status', '--check'], env)).code).toBe(0);
    await daemon.end();
    expect(daemon.stderr).toBe('');
  });

  it('its report of a crash has no environment', async () => {
    const { env } = await secretiveHost();
    const folder = await temporaryFolder();
    const options = `--report-on-signal --report-signal=SIGUSR2 --report-directory=${folder} --report-filename=report.json`;
    const daemon = new Daemon({ ...env, NODE_OPTIONS: options });
    await daemon.says('round');
    daemon.signal('SIGUSR2');
    while (!daemon.stderr.includes('report completed'))
      await once(daemon.child.stderr ?? daemon.child, 'data', { signal: AbortSignal.timeout(10_000) });
    await daemon.end();
    const report = await readFile(join(folder, 'report.json'), 'utf8');
    expect(JSON.parse(report)).toHaveProperty('javascriptHeap');
    expect(JSON.parse(report).workers).not.toEqual([]); // the history's thread has a report too
    expect(JSON.parse(report)).not.toHaveProperty('environmentVariables');
    for (const secret of secrets) expect(report).not.toContain(secret);
  });

  it('its own debugging, which prints requests with their headers, is refused where a cloud is configured', async () => {
    const { env } = await secretiveHost();
    const { code, stdout, stderr } = await hostnode(['run'], { ...env, NODE_DEBUG: 'net' });
    expect([code, stderr]).toEqual([78, expect.stringContaining('NODE_DEBUG: must not be set')]);
    expect(stdout + stderr).not.toContain(apiKey);
  });
});

describe('other programs', { timeout: 60_000 }, () => {
  it('are not started at all where an adb server runs', async () => {
    const { env } = await secretiveHost();
    const file = join(await temporaryFolder(), 'started');
    const watched = {
      ...env,
      ...(await preload(`import { subscribe } from 'node:diagnostics_channel';
        import { appendFileSync } from 'node:fs';
        const note = (text) => appendFileSync(${JSON.stringify(file)}, text + '\\n');
        note('hostnode');
        subscribe('child_process', ({ process }) => process.once('spawn', () => note(process.spawnargs.join(' '))));`)),
    };
    const daemon = new Daemon(watched);
    await daemon.says('round');
    for (const args of [
      ['inventory', '--report'],
      ['inventory', '--explain'],
      ['config', 'check'],
      ['status'],
    ])
      expect((await hostnode(args, watched)).code, args.join(' ')).toBe(0);
    await daemon.end();
    const started = async () => (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(await started()).toEqual(Array(5).fill('hostnode'));
    const { bin } = await recorder('adb');
    const port = String(await freePort());
    await hostnode(['inventory'], { ...watched, HOSTNODE_ADB_PORT: port, HOSTNODE_ADB_BIN: bin });
    expect((await started()).slice(5)).toEqual([
      'hostnode',
      `${bin} -L tcp:localhost:${port} server nodaemon`,
    ]);
  });
});
