/** Several hosts on one screen by the built program: one with a password, one that is dead, and one that is anybody. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Daemon, hostnode } from '../support/program.ts';
import { phoneOf, poco, startAdb, temporaryFolder, toAdb } from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

const password = 's3cret-of-the-page';

/** An agent with one phone. @returns where its page is */
async function agent(nodeId: string, more: Record<string, string> = {}): Promise<string> {
  const adb = await startAdb(phoneOf(poco));
  const env = toAdb(adb.port, await temporaryFolder());
  const daemon = new Daemon({ ...env, HOSTNODE_NODE_ID: nodeId, ...more });
  const { url } = await daemon.says('status page');
  await daemon.says('round');
  return new URL(String(url)).host;
}

/** Answers 50 MB to each request. */
async function endless(): Promise<string> {
  const server = createServer((_, response) => response.end(Buffer.alloc(50_000_000, '[')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('hostnode status --hosts', () => {
  it('shows each host in a row, and why one has no status', async () => {
    const home = await temporaryFolder();
    const file = join(home, 'page-password');
    await writeFile(file, password, { mode: 0o600 });
    const [open, locked, anybody] = await Promise.all([
      agent('rack-1'),
      agent('rack-2', { HOSTNODE_STATUS_PASSWORD_FILE: file }),
      endless(),
    ]);
    const dead = `127.0.0.1:${await freePort()}`;
    const hosts = [open, locked, dead, anybody].join();
    const env = { HOME: home };
    const shown = await hostnode(['status', '--hosts', hosts], env);
    expect(shown.stderr).toBe('');
    const lines = shown.stdout.split('\n');
    const row = (host: string) => lines.find((line) => line.startsWith(host));
    expect(row(open)).toMatch(/fine +1 +no +0\.1\.\d+/);
    expect(row(locked)).toContain('needs its password');
    expect(row(dead)).toContain('nothing listens there (ECONNREFUSED)');
    expect(row(anybody)).toContain('the answer is too large');
    expect(shown.code).toBe(1);
    const json = await hostnode(['status', '--hosts', hosts, '--json'], {
      ...env,
      HOSTNODE_HOSTS_PASSWORD: password,
    });
    expect(JSON.parse(json.stdout)).toMatchObject({
      hosts: [
        { name: open, status: { host: { name: 'rack-1' }, counts: { phones: 1 } } },
        { name: locked, status: { host: { name: 'rack-2' } } },
        { failure: { kind: 'unreachable' } },
        { failure: { kind: 'tooLarge' } },
      ],
    });
    // those of the user's own file
    await mkdir(join(home, '.config', 'hostnode'), { recursive: true });
    const yaml = `hosts: ["${open}", "http://${locked}"]\n`;
    await writeFile(join(home, '.config', 'hostnode', 'hosts.yaml'), yaml, { mode: 0o600 });
    const ofFile = await hostnode(['status', '--hosts'], { ...env, HOSTNODE_HOSTS_PASSWORD: password });
    expect(ofFile).toMatchObject({ code: 0, stderr: '' });
    expect(ofFile.stdout.match(/^127\S+ +fine/gm)).toHaveLength(2);
    expect(ofFile.stdout).toContain('Nothing needs attention');
  });

  it('says what is wrong on the command line', async () => {
    const env = { HOME: await temporaryFolder() };
    const none = await hostnode(['status', '--hosts'], env);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('name the hosts: --hosts rack-1,rack-2'),
    ]);
    const secret = await hostnode(['status', '--hosts', `lab:${password}@rack-1`], env);
    expect([secret.code, secret.stderr]).toEqual([2, expect.not.stringContaining(password)]);
  });
});
