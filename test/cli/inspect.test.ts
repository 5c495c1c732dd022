import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

let server: SimulatedAdbServer;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hostnode-inspect-'));
  server = await SimulatedAdbServer.start();
  for (const recording of recordings) server.plug(new SimulatedPhone(recording));
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

/** Runs `hostnode inventory` as a process. */
function inventory(...options: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    HOSTNODE_ADB_PORT: String(server.port),
    HOSTNODE_STATE_DIR: join(directory, 'state'),
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, 'inventory', ...options],
      { env, timeout: 15_000 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('hostnode inventory', () => {
  it('--explain explains one phone, its identifiers masked', async () => {
    const { code, stdout, stderr } = await inventory('--explain', '--serial', '50dc3516');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Xiaomi 12X, Android 12 \(\*{6}16\)$/m);
    expect(stdout).toContain('battery.temperature             331\n      │   temperature: 331\n');
    expect(stdout).not.toContain('50dc3516');
    expect(stdout.match(/^\S.*\)$/gm)).toHaveLength(1);
  });

  it('--explain --show-identifiers shows them', async () => {
    const { stdout } = await inventory('--show-identifiers', '--serial', '50dc3516');
    expect(stdout).toContain('[ro.serialno]: [50dc3516]');
  });

  it('--explain --json explains all phones to a program', async () => {
    const { stdout } = await inventory('--explain', '--json');
    const explained = JSON.parse(stdout) as { fields: { field: string; value: unknown }[] }[];
    const states = explained.map(({ fields }) => fields.find(({ field }) => field === 'state')?.value);
    expect(states.sort()).toEqual(recordings.map(({ state }) => state).sort());
  });

  it('--capture writes a folder for each phone that is online, and asks to look through them', async () => {
    const folder = join(directory, 'captured');
    const { code, stdout } = await inventory('--capture', folder);
    expect(code).toBe(0);
    const written = stdout.split('\n').filter((line) => line.startsWith('wrote '));
    expect(written.sort()).toEqual(
      readdirSync(folder)
        .map((name) => `wrote ${join(folder, name)}`)
        .sort(),
    );
    expect(written).toHaveLength(recordings.filter(({ state }) => state === 'device').length);
    expect(stdout).toContain('look through the files before you share them');
  });

  it('--capture says what is in the way, and fails', async () => {
    const { code, stdout, stderr } = await inventory('--capture', join(main, 'captured'));
    expect(code).toBe(1);
    expect(stdout).toBe('Nothing was written.\n');
    expect(stderr).toMatch(/^hostnode: the capture cannot be written: ENOTDIR/);
  });

  it('--capture does not go with --json', async () => {
    expect((await inventory('--capture', directory, '--json')).code).toBe(2);
  });
});
