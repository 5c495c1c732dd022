import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { StatusConfig } from '../../src/config/status.ts';

let dir: string;
let passwordFile: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'hostnode-config-status-'));
  passwordFile = write('password', 'open sesame\n');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function write(name: string, text: string, mode = 0o600): string {
  const file = join(dir, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

async function status(env: Record<string, string>): Promise<StatusConfig> {
  const { config } = await loadConfig({ env: { HOSTNODE_STATE_DIR: dir, ...env }, defaultFile: '' });
  return config.status;
}

const problems = (env: Record<string, string>, file?: string): Promise<readonly string[]> =>
  loadConfig({ env, defaultFile: '', ...(file !== undefined && { file }) }).then(
    () => [],
    (error: unknown) => {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    },
  );

const listen = (...listeners: unknown[]) => ({ HOSTNODE_STATUS_LISTEN: JSON.stringify(listeners) });
const all = ['page', 'metrics', 'health'];

describe('status', () => {
  it('is on loopback with all parts unless told otherwise', async () => {
    expect(await status({ HOSTNODE_STATUS_PORT: '0' })).toEqual({
      listeners: [{ address: '127.0.0.1', port: 0, parts: all }],
      hostNames: [],
    });
    expect(await status({ HOSTNODE_STATUS_ENABLED: 'false' })).toEqual({ listeners: [], hostNames: [] });
  });

  it('listens where the list says, which fills in what it leaves out', async () => {
    const env = listen(
      {},
      { address: '::1', port: 80, parts: ['page'] },
      { address: '0.0.0.0', parts: ['health'] },
    );
    expect((await status({ ...env, HOSTNODE_STATUS_PORT: '9000' })).listeners).toEqual([
      { address: '127.0.0.1', port: 9000, parts: all },
      { address: '::1', port: 80, parts: ['page'] },
      { address: '0.0.0.0', port: 9000, parts: ['health'] },
    ]);
  });

  it('listens once on an address and port, and as often as it likes on any free one', async () => {
    const twice = { address: '::1', port: 80 };
    expect(await problems(listen({}, twice, { port: 9477, parts: ['health'] }, twice))).toEqual([
      'status.listen.3 (HOSTNODE_STATUS_LISTEN): status.listen.1 already has 127.0.0.1 port 9477; list each address and port once, with all its parts',
      expect.stringMatching(/^status\.listen\.4 .* status\.listen\.2 already has ::1 port 80/),
    ]);
    expect(await problems(listen({ port: 0 }, { port: 0 }, { port: 80 }, { ...twice, port: 80 }))).toEqual(
      [],
    );
  });

  it('gives the page to a network only with a password, and says where that was written', async () => {
    const open = listen({}, { address: '192.168.1.7', parts: ['page', 'health'] });
    expect(await problems(open)).toEqual([
      'status.listen.2 (HOSTNODE_STATUS_LISTEN): anyone who reaches 192.168.1.7 could open the page; set status.passwordFile, or leave out the part page',
    ]);
    const file = write('hostnode.yaml', 'status:\n  listen:\n    - { address: "::" }\n');
    expect(await problems({}, file)).toEqual([expect.stringContaining(`status.listen.1 (${file}:3)`)]);
    const { password } = await status({ ...open, HOSTNODE_STATUS_PASSWORD_FILE: passwordFile });
    expect(password?.reveal()).toBe('open sesame');
  });

  it('refuses a password file that others may read, that is not there, or that holds no line', async () => {
    const of = (file: string) => problems({ HOSTNODE_STATUS_PASSWORD_FILE: file });
    const open = write('open', 'x', 0o644);
    expect(await of(open)).toEqual([
      `status.passwordFile: ${open}: other users can read it (mode 0644); run: chmod 600 ${open} (its owner must be the agent’s user)`,
    ]);
    expect(await of(join(dir, 'none'))).toEqual([`status.passwordFile: ${join(dir, 'none')}: no such file`]);
    const two = write('two', 'x\ny\n');
    expect(await of(two)).toEqual([`status.passwordFile: ${two}: must contain one line of text`]);
    const large = write('large', 'x'.repeat(65_537));
    expect(await of(large)).toEqual([`status.passwordFile: ${large}: too large (65537 bytes)`]);
  });

  it('refuses what is no listener and no host name', async () => {
    expect(await problems(listen({ address: '[::1]', port: -1, parts: ['pages'], color: 'red' }))).toEqual([
      expect.stringContaining('status.listen.1.address = "[::1]"'),
      expect.stringContaining('status.listen.1.port = -1'),
      expect.stringContaining('status.listen.1.parts'),
      expect.stringContaining('status.listen.1.color'),
    ]);
    expect(await problems({ HOSTNODE_STATUS_HOST_NAMES: '["http://x"]' })).toHaveLength(1);
  });
});
