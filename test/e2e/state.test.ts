import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { SandboxCloud } from '../../src/demo/sandbox-cloud.ts';
import {
  phoneOf,
  poco,
  report,
  smartron,
  startAdb,
  startCloud,
  temporaryFolder,
  toAdb,
  toCloud,
} from './lab.ts';
import { Daemon, type Environment, hostnode } from './program.ts';

let adb: SimulatedAdbServer;
let cloud: SandboxCloud;
let stateDir: string;
let env: Environment;

beforeEach(async () => {
  adb = await startAdb(phoneOf(poco), phoneOf(smartron));
  cloud = await startCloud();
  stateDir = join(await temporaryFolder(), 'state');
  env = { ...toAdb(adb.port, stateDir), ...toCloud(cloud) };
});

const statusOf = ({ devices = [] }: { devices?: { udid: string; status: string }[] }) =>
  Object.fromEntries(devices.map(({ udid, status }) => [udid, status]));

describe('the state directory', () => {
  it('is its owner’s alone, and so are its files', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    await daemon.end();
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(stateDir, 'roster.json'))).mode & 0o777).toBe(0o600);
  });

  it('is one agent’s: a second one says who has it, and ends', async () => {
    const daemon = new Daemon(env);
    await daemon.says('hostnode starts');
    const { code, stderr } = await hostnode(['run'], env);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `hostnode: another agent (process ${daemon.child.pid}) is using ${stateDir}; give this one another directory (HOSTNODE_STATE_DIR)\n`,
    });
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('keeps the phones over a SIGKILL: one that was pulled meanwhile is reported as unplugged', async () => {
    const killed = new Daemon(env);
    await killed.says('round');
    expect(await killed.end('SIGKILL')).toMatchObject({ code: null });
    adb.unplug(poco);

    const daemon = new Daemon(env);
    expect(statusOf(await report(cloud))).toEqual({ [poco]: 'UNPLUGGED', [smartron]: 'PLUGGED' });
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('that is damaged is set aside with a message, and the agent runs', async () => {
    const before = new Daemon(env);
    await before.says('round');
    await before.end();
    await writeFile(join(stateDir, 'roster.json'), '{"version":1,"devices":[{"ud');

    const daemon = new Daemon(env);
    expect(statusOf(await report(cloud))).toEqual({ [poco]: 'PLUGGED', [smartron]: 'PLUGGED' });
    await daemon.says('round');
    const [trouble, ...more] = daemon.log.filter(({ level }) => level === 'error');
    expect(trouble?.msg).toMatch(/roster\.json is damaged \(not JSON\); it was set aside as /);
    expect(more).toEqual([]);
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect((await readdir(stateDir)).filter((name) => name.startsWith('roster.json')).sort()).toEqual([
      'roster.json',
      expect.stringMatching(/^roster\.json\.damaged-/),
    ]);
  });

  it('that cannot be made is said, and is no reason not to run', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    const daemon = new Daemon({ ...env, HOSTNODE_STATE_DIR: join(file, 'state') });
    expect(
      await daemon.says('the state directory cannot be used: a restart will forget the unplugged phones'),
    ).toMatchObject({ level: 'error', err: { code: 'STATE_UNWRITABLE' } });
    expect(statusOf(await report(cloud))).toEqual({ [poco]: 'PLUGGED', [smartron]: 'PLUGGED' });
    await daemon.says('round');
    expect(await daemon.end()).toMatchObject({ code: 0 });
  });

  it('is neither needed nor touched by hostnode inventory while an agent has it', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    const before = await readdir(stateDir);
    expect(await hostnode(['inventory'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(stateDir)).toEqual(before);
  });
});
