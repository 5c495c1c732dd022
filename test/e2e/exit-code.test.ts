import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DevicesBody } from '../../src/cloud/contract/report.ts';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { SimulatedPhone } from '../../src/demo/phone.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Environment, hostnode } from '../support/program.ts';
import { phoneOf, poco, startHost, temporaryFolder, toAdb } from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

const unauthorized = '9c2ad7e1';
const udids = (json: string) => DevicesBody.parse(JSON.parse(json)).devices?.map(({ udid }) => udid);

let adb: SimulatedAdbServer;
let cloud: Sandbox;
let phone: SimulatedPhone;
let env: Environment;
let reporting: Environment;

beforeEach(async () => {
  phone = phoneOf(poco);
  const host = await startHost(phone, phoneOf(unauthorized), phoneOf('emulator-5554'));
  ({ adb, cloud, env: reporting } = host);
  env = toAdb(adb.port, host.stateDir);
});

describe('the exit code of hostnode inventory', () => {
  it('is 1 for a device that the cloud refuses, and the others are stored', async () => {
    cloud.refuse(poco, 'missing required capability: rack');
    const { code, stderr } = await hostnode(['inventory', '--report'], reporting);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `hostnode: the cloud rejected ${poco}: missing required capability: rack\n`,
    });
    expect(
      cloud
        .devices()
        .map(({ info }) => info.udid)
        .sort(),
    ).toEqual([unauthorized, 'emulator-5554@rack-2']);
  });

  it('is 1 for a phone that could not be read, which is printed without facts', async () => {
    phone.disturb('*', { kind: 'stuck' });
    const { code, stdout, stderr } = await hostnode(['inventory', '--json'], {
      ...env,
      HOSTNODE_PROBE_DEADLINE_SECONDS: '5',
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^hostnode: cannot collect ${poco}: .+\n$`)),
    });
    expect(udids(stdout)).toContain(poco);
  });

  it('is 1 for a phone of which no answer makes sense', async () => {
    phone.disturb('*', { kind: 'rubbish' });
    const { code, stdout, stderr } = await hostnode(['inventory', '--json'], env);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `hostnode: cannot collect ${poco}: no answer could be parsed\n`,
    });
    expect(udids(stdout)).toContain(poco);
  });

  it('is 2 for a command line that it does not understand', async () => {
    const attempts = [
      ['inventory', '--jsno'],
      ['invent'],
      ['inventory', '--serial'],
      ['inventory', 'all'],
      [],
      ['inventory', '--write-expected', ''],
      ['help', 'invent'],
    ];
    const ends = await Promise.all(attempts.map((args) => hostnode(args, env)));
    expect(ends.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      attempts.map(() => ({ code: 2, stdout: '' })),
    );
    expect(ends[0]?.stderr).toContain("unknown option '--jsno'");
    expect(ends.at(-2)?.stderr).toContain('It is empty: give a path.');
    expect(ends.at(-1)?.stderr).toBe(
      "error: unknown command 'invent'\n(hostnode --help lists the commands)\n",
    );
    const hints = ends.map(({ stderr }) => /^\(hostnode.*\)$/m.exec(stderr)?.[0]);
    expect(hints.slice(0, 2)).toEqual([
      '(hostnode inventory --help lists the options)',
      '(hostnode --help lists the commands)',
    ]);
    const { stderr } = await hostnode(['config', 'check', '--loud'], env);
    expect(stderr).toContain('(hostnode config check --help lists the options)');
  });

  it('is 3 when the cloud cannot be reached, and the phones are printed nevertheless', async () => {
    await cloud.stop();
    const { code, stdout, stderr } = await hostnode(['inventory', '--json', '--report'], {
      ...reporting,
      HOSTNODE_CLOUD_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`,
    });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('nothing listens there') });
    expect(udids(stdout)).toContain(poco);
  });

  it('is 3 when the cloud does not know the key, which is not shown', async () => {
    const { code, stderr } = await hostnode(['inventory', '--report'], {
      ...reporting,
      HOSTNODE_CLOUD_API_KEY: 'wr0ng-key',
    });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr:
        `hostnode: PUT ${cloud.baseUrl}/devices: 401 Unauthorized\n` +
        '  the cloud says: the user name or the API key is wrong\n' +
        '  → Check the user name and the API key, and that the key was not revoked\n',
    });
  });

  it('is 4 when no adb server listens and none may be started', async () => {
    const port = await freePort();
    const { code, stdout, stderr } = await hostnode(['inventory'], {
      ...toAdb(port, await temporaryFolder()),
      HOSTNODE_ADB_START: 'false',
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^hostnode: no adb server at 127\\.0\\.0\\.1:${port}\n {2}→ Start .*adb\\.port\n$`),
      ),
    });
  });

  it('is 4 when there is no adb to start a server with', async () => {
    const port = await freePort();
    const { code, stderr } = await hostnode(['inventory'], {
      ...toAdb(port, await temporaryFolder()),
      HOSTNODE_ADB_BIN: '/nonexistent/adb',
    });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr:
        `hostnode: no adb server at 127.0.0.1:${port}, and no program "/nonexistent/adb" to start one\n` +
        '  → Install adb (Debian: apt-get install adb), or set adb.bin to the program\n',
    });
  });

  it('is 78 for a wrong configuration, and every problem is listed at once', async () => {
    const { code, stdout, stderr } = await hostnode(['inventory'], {
      ...env,
      HOSTNODE_ADB_PORT: '99999',
      HOSTNODE_LOG_LEVEL: 'loud',
      HOSTNODE_REPORT_SCHEDULE: 'sometimes',
      HOSTNODE_CLOUD_BASE_URL: 'http://cloud.example.com/v1',
    });
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    const [title, ...problems] = stderr.trimEnd().split('\n');
    expect(title).toBe('hostnode: the configuration is wrong:');
    expect(problems.sort()).toEqual([
      expect.stringMatching(/^ {2}adb\.port = 99999 \(HOSTNODE_ADB_PORT\): must be /),
      expect.stringMatching(/^ {2}cloud\.apiKey: missing; set /),
      expect.stringMatching(/^ {2}cloud\.baseUrl = "http:\/\/cloud\.example\.com\/v1" .*must be https:/),
      expect.stringMatching(/^ {2}cloud\.username: missing; set /),
      expect.stringMatching(/^ {2}log\.level = "loud" \(HOSTNODE_LOG_LEVEL\): must be /),
      expect.stringMatching(/^ {2}report\.schedule = "sometimes" \(HOSTNODE_REPORT_SCHEDULE\): must be /),
    ]);
  });

  it('is 0 without the key of a cloud to which nothing is reported', async () => {
    const { HOSTNODE_CLOUD_API_KEY: _, ...keyless } = reporting;
    const { code, stdout, stderr } = await hostnode(['inventory', '--json'], keyless);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(udids(stdout)).toContain(poco);
    const report = await hostnode(['inventory', '--report'], keyless);
    expect({ code: report.code, stderr: report.stderr }).toEqual({
      code: 78,
      stderr: expect.stringContaining('cloud.apiKey: missing'),
    });
  });

  it('is 78 for a file that is not there, and for --report without a cloud', async () => {
    const missing = await hostnode(['inventory', '--config', '/nonexistent/hostnode.yaml'], env);
    expect({ code: missing.code, stderr: missing.stderr }).toEqual({
      code: 78,
      stderr: expect.stringContaining(
        '/nonexistent/hostnode.yaml: cannot be read (no such file or directory)',
      ),
    });
    const cloudless = await hostnode(['inventory', '--report'], env);
    expect({ code: cloudless.code, stderr: cloudless.stderr }).toEqual({
      code: 78,
      stderr: expect.stringMatching(
        /no cloud is configured; run hostnode config init, or set .*cloud\.apiKeyFile/,
      ),
    });
  });

  it('is 78 for a proxy that is no address', async () => {
    const { code, stdout, stderr } = await hostnode(['inventory', '--report'], {
      ...reporting,
      HTTP_PROXY: 'socks5://proxy.example:1080',
    });
    expect({ code, stdout, stderr }).toEqual({
      code: 78,
      stdout: '',
      stderr:
        'hostnode: the configuration is wrong:\n' +
        '  HTTP_PROXY: must be an address like http://proxy.example:3128\n',
    });
  });

  it('is 78 for a key file that others can read, with the command that mends it', async () => {
    const file = join(await temporaryFolder(), 'key');
    await writeFile(file, 'k3y\n', { mode: 0o644 });
    const { HOSTNODE_CLOUD_API_KEY: _, ...keyless } = reporting;
    const withFile = { ...keyless, HOSTNODE_CLOUD_API_KEY_FILE: file };

    const refused = await hostnode(['inventory', '--report'], withFile);
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 78,
      stderr: expect.stringContaining(`other users can read it (mode 0644); run: chmod 600 ${file}`),
    });
    await chmod(file, 0o600);
    const { code, stderr } = await hostnode(['inventory', '--report'], withFile);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('401 Unauthorized') });
  });
});
