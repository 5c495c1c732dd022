import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startServerIfNone } from '../../src/adb/server-start.ts';
import { anyHost } from '../../src/base/environment.ts';
import { AdbUnavailableError } from '../../src/base/errors.ts';
import { askAdb } from '../rig/smart-socket.ts';
import { describeWithRig } from '../support/describe-with.ts';
import { freePort, RawServer } from '../support/raw-server.ts';

const host = '127.0.0.1';

/** The processes that are told to serve adb on this port. */
function serversAt(port: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(`tcp:localhost:${port}\0server`))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return ''; // it has just ended
  }
}

describeWithRig('startServerIfNone with the real adb', () => {
  let port: number;

  beforeEach(async () => {
    const home = mkdtempSync(join(tmpdir(), 'hostnode-adb-'));
    // it shall find neither a phone nor an emulator of this machine
    for (const name of ['ADB_USB', 'ADB_EMU', 'ADB_MDNS']) vi.stubEnv(name, '0');
    for (const name of ['HOME', 'TMPDIR']) vi.stubEnv(name, home);
    port = await freePort();
    return async () => {
      vi.unstubAllEnvs();
      for (const pid of serversAt(port)) process.kill(pid, 'SIGKILL');
      await expect.poll(() => serversAt(port)).toEqual([]);
      rmSync(home, { recursive: true, force: true });
    };
  });

  it('starts a server where there is none, and it answers', async () => {
    const pid = await startServerIfNone({ host, port, bin: 'adb', env: process.env, hostKind: anyHost });

    expect(serversAt(port)).toEqual([pid]);
    expect(await askAdb(port, 'host:version')).toMatch(/^[0-9a-f]{4}$/);
    expect(await askAdb(port, 'host:devices')).toBe('');
  });

  it('starts no second one', async () => {
    const pid = await startServerIfNone({ host, port, bin: 'adb', env: process.env, hostKind: anyHost });

    expect(
      await startServerIfNone({ host, port, bin: 'adb', env: process.env, hostKind: anyHost }),
    ).toBeUndefined();
    expect(serversAt(port)).toEqual([pid]);
  });

  it('ends with one server when two agents start at once', async () => {
    const start = () => startServerIfNone({ host, port, bin: 'adb', env: process.env, hostKind: anyHost });

    const pids = await Promise.all([start(), start()]);

    expect(await askAdb(port, 'host:devices')).toBe('');
    await expect.poll(() => serversAt(port)).toHaveLength(1);
    expect(pids).toContain(serversAt(port)[0]);
    expect(await askAdb(port, 'host:devices')).toBe('');
  });

  it('leaves whoever listens on the port alone', async () => {
    const foreign = await RawServer.start();
    onTestFinished(() => foreign[Symbol.asyncDispose]());

    expect(
      await startServerIfNone({ host, port: foreign.port, bin: 'adb', env: process.env, hostKind: anyHost }),
    ).toBeUndefined();
    await foreign.quiet();
    expect(foreign.heard).toEqual(['']);
    expect(serversAt(foreign.port)).toEqual([]);
  });
});

describe('startServerIfNone for an address at which a server of its own would not listen', () => {
  it.each(['::1', '127.0.0.2', '192.0.2.1'])('starts none: %s', async (host) => {
    expect(
      await startServerIfNone({
        host,
        port: 1,
        bin: '/nonexistent/adb',
        env: process.env,
        hostKind: anyHost,
      }),
    ).toBeUndefined();
  });
});

describe('startServerIfNone', () => {
  it('starts none where the unit hostnode-adb is installed', async () => {
    const port = await freePort();
    const hostKind = { units: ['hostnode', 'hostnode-adb'] };
    const start = { host: '127.0.0.1', port, bin: '/nonexistent/adb', env: process.env, hostKind };
    expect(await startServerIfNone(start)).toBeUndefined();
  });

  it("starts nothing for another machine's address", async () => {
    expect(
      await startServerIfNone({
        host: '192.0.2.1',
        port: 5037,
        bin: '/nonexistent/adb',
        env: process.env,
        hostKind: anyHost,
      }),
    ).toBeUndefined();
  });

  it.each([
    [
      '/nonexistent/adb',
      (port: number) => `no adb server at 127.0.0.1:${port}, and no program "/nonexistent/adb" to start one`,
      () => 'Install adb (Debian: apt-get install adb), or set adb.bin to the program',
    ],
    [
      '/etc/passwd',
      () => '"/etc/passwd" cannot be started',
      () => 'Set adb.bin to an adb program that this user may run',
    ],
    [
      '/bin/false',
      () => '"/bin/false" ended at once (exit code 1) instead of serving',
      (port: number) => `Start it by hand to see why: /bin/false -L tcp:localhost:${port} server nodaemon`,
    ],
  ])('says why %s does not serve, and what to do', async (bin, words, remedy) => {
    const port = await freePort();

    await expect(startServerIfNone({ host, port, bin, env: process.env, hostKind: anyHost })).rejects.toThrow(
      new AdbUnavailableError('absent', words(port), { remedy: remedy(port) }),
    );
  });
});
