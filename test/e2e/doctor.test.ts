import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Group } from '../../src/doctor/examination.ts';
import { type Environment, hostnode } from '../support/program.ts';
import {
  apiKey,
  phoneOf,
  poco,
  startAdb,
  startCloud,
  temporaryFolder,
  toAdb,
  toCloud,
} from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

const unauthorized = '9c2ad7e1';

/** What the doctor finds, as the lines of each status, and its exit code. */
async function examined(env: Environment) {
  const { code, stdout, stderr } = await hostnode(['doctor', '--json'], env);
  const { groups, exitCode } = JSON.parse(stdout) as { groups: Group[]; exitCode: number };
  const findings = groups.flatMap((group) => group.findings);
  const named = (status: string) => findings.filter((finding) => finding.status === status);
  return { code, exitCode, stdout, stderr, findings, failed: named('failed'), warnings: named('warning') };
}

describe('hostnode doctor', () => {
  it('finds a good host good, touches nothing, and shows neither key nor IMEI', async () => {
    const adb = await startAdb(phoneOf(poco), phoneOf(unauthorized));
    const cloud = await startCloud();
    const stateDir = await temporaryFolder();
    const found = await examined({ ...toAdb(adb.port, stateDir), ...toCloud(cloud) });
    expect({
      code: found.code,
      exitCode: found.exitCode,
      stderr: found.stderr,
      failed: found.failed,
    }).toEqual({
      code: 0,
      exitCode: 0,
      stderr: '',
      failed: [],
    });
    expect(found.findings).toContainEqual({ name: poco, status: 'ok', seen: 'ready: POCO F6, Android 15' });
    expect(found.warnings).toContainEqual({
      name: unauthorized,
      status: 'warning',
      seen: 'unauthorized',
      remedy: expect.stringContaining('Accept the USB debugging prompt on the phone'),
    });
    expect(await readdir(stateDir)).toEqual([]);
    expect(cloud.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
    const imposing = adb.requests.filter(({ request }) =>
      /^host:(?:kill|reconnect|connect|disconnect)/.test(request),
    );
    expect(imposing).toEqual([]);
    expect(adb.requests.filter(({ request }) => request.includes('iphonesubinfo'))).toEqual([]);
    expect(found.stdout).not.toContain(apiKey);
  });

  it('prints the same for a person, with words beside the signs', async () => {
    const adb = await startAdb(phoneOf(poco));
    const { code, stdout } = await hostnode(['doctor'], toAdb(adb.port, await temporaryFolder()));
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^ ✔ ok {7}${poco} +ready: POCO F6, Android 15$`, 'm'));
    expect(stdout).toMatch(/\n0 failed, \d+ warnings?, \d+ ok, \d+ skipped\n$/);
  });

  it('says of phones that are all unauthorized that the key is another one: 4', async () => {
    const [one, other] = [phoneOf(poco), phoneOf(unauthorized)];
    one.state = 'unauthorized';
    const adb = await startAdb(one, other);
    const { code, failed } = await examined(toAdb(adb.port, await temporaryFolder()));
    expect({ code, names: failed.map(({ name }) => name) }).toEqual({ code: 4, names: ['adb key'] });
  });

  it('says which phone does not answer, and waits for it no longer than that takes', async () => {
    const silent = phoneOf(poco);
    silent.disturb('*', { kind: 'stuck' });
    const adb = await startAdb(silent);
    const env = { ...toAdb(adb.port, await temporaryFolder()), HOSTNODE_PROBE_DEADLINE_SECONDS: '5' };
    const { warnings } = await examined(env);
    expect(warnings).toContainEqual({
      name: poco,
      status: 'warning',
      seen: 'no answer',
      remedy: expect.stringContaining('The phone does not answer: '),
    });
  });

  it('ends with 4 without an adb server, and starts none', async () => {
    const port = await freePort();
    const env = { ...toAdb(port, await temporaryFolder()), HOSTNODE_ADB_START: 'true' };
    const first = await examined(env);
    expect({ code: first.code, seen: first.failed[0]?.seen }).toEqual({
      code: 4,
      seen: `no adb server at 127.0.0.1:${port}`,
    });
    expect((await examined(env)).code).toBe(4);
  });

  it('ends with 3 for a cloud that does not know the key', async () => {
    const adb = await startAdb(phoneOf(poco));
    const cloud = await startCloud();
    const env = {
      ...toAdb(adb.port, await temporaryFolder()),
      ...toCloud(cloud),
      HOSTNODE_CLOUD_API_KEY: 'wr0ng',
    };
    const { code, failed, stdout } = await examined(env);
    expect({ code, names: failed.map(({ name }) => name) }).toEqual({ code: 3, names: ['credentials'] });
    expect(stdout).not.toContain('wr0ng');
  });

  it('ends with 78 for a wrong configuration, and looks at the rest all the same', async () => {
    const env = { ...toAdb(await freePort(), await temporaryFolder()), HOSTNODE_LOG_LEVEL: 'loud' };
    const { code, failed, findings } = await examined(env);
    expect(code).toBe(78);
    expect(failed[0]?.seen).toMatch(/^log\.level = "loud" \(HOSTNODE_LOG_LEVEL\): must be /);
    expect(findings.map(({ name }) => name)).toContain('adb programs');
  });

  it('invents no failure beside a wrong base URL', async () => {
    const adb = await startAdb(phoneOf(poco));
    const env = {
      ...toAdb(adb.port, await temporaryFolder()),
      HOSTNODE_NODE_ID: 'rack-2',
      HOSTNODE_CLOUD_BASE_URL: 'cloud.example.com/v1',
    };
    const { code, failed, findings } = await examined(env);
    expect({ code, seen: failed.map(({ seen }) => seen) }).toEqual({
      code: 78,
      seen: [
        expect.stringMatching(/^cloud\.baseUrl \(HOSTNODE_CLOUD_BASE_URL\): must be /),
        expect.stringMatching(/^cloud\.username: missing/),
        expect.stringMatching(/^cloud\.apiKey: missing/),
      ],
    });
    expect(findings).toContainEqual({
      name: 'node id',
      status: 'ok',
      seen: 'rack-2, from the configuration',
    });
    expect(findings).toContainEqual({ name: poco, status: 'ok', seen: 'ready: POCO F6, Android 15' });
  });

  it('ends although a disk does not: with its report, and its exit code', async () => {
    const sdk = await temporaryFolder();
    await mkdir(join(sdk, 'platform-tools'));
    await writeFile(join(sdk, 'platform-tools', 'adb'), '');
    // to open it takes as long as nobody writes
    execFileSync('mkfifo', [join(sdk, 'platform-tools', 'source.properties')]);
    const adb = await startAdb();
    const env = { ...toAdb(adb.port, await temporaryFolder()), ANDROID_HOME: sdk };
    const { code, exitCode, stderr, failed } = await examined(env);
    expect({ code, exitCode, stderr, failed }).toEqual({
      code: 4,
      exitCode: 4,
      stderr: '',
      failed: [
        { name: 'adb programs', status: 'failed', seen: expect.stringMatching(/: no result within 5 s$/) },
      ],
    });
  });
});
