import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import type { SandboxCloud } from '../../src/demo/sandbox-cloud.ts';
import {
  everySecond,
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

  it('that is removed while it runs is made anew, and held again', async () => {
    const daemon = new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: everySecond });
    await daemon.says('round');
    await rm(stateDir, { recursive: true });
    await daemon.says('the state directory is held again');
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    await daemon.says('round');
    await daemon.says('round');
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 0 });
    expect(await hostnode(['run'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`another agent (process ${daemon.child.pid}) is using ${stateDir}`),
    });
    expect(await readFile(join(stateDir, 'roster.json'), 'utf8')).toContain(poco);
    expect(await daemon.end()).toMatchObject({ code: 0 });
    expect(daemon.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('that another agent has taken meanwhile ends the one that has lost it', async () => {
    const daemon = new Daemon(env);
    await daemon.says('round');
    await hostnode(['status', '--check'], env); // it looks after its state when the round has ended
    await rm(stateDir, { recursive: true });
    const other = new Daemon(env);
    await other.says('round');
    daemon.signal('SIGHUP');
    expect(await daemon.ended).toBe(1);
    expect(daemon.stderr).toContain(`another agent (process ${other.child.pid}) is using ${stateDir}`);
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 0 });
    expect(await other.end()).toMatchObject({ code: 0 });
  });

  it('that could not be used is held once it can be', async () => {
    await writeFile(stateDir, '');
    const daemon = new Daemon({ ...env, HOSTNODE_REPORT_SCHEDULE: everySecond });
    await daemon.says('round');
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 1 });
    await rm(stateDir);
    await daemon.says('the state directory is held again');
    await daemon.says('round');
    expect(await hostnode(['status', '--check'], env)).toMatchObject({ code: 0 });
    expect(await hostnode(['run'], env)).toMatchObject({ code: 1 });
    expect(await daemon.end()).toMatchObject({ code: 0 });
    const errors = daemon.log.filter(({ level }) => level === 'error').map(({ msg }) => msg);
    expect(errors).toEqual([...new Set(errors)]); // each once
  });

  it('holds the phones after the end although somebody has removed what was in it', async () => {
    for (const removed of [
      () => rm(join(stateDir, 'roster.json')),
      () => rm(stateDir, { recursive: true }),
    ]) {
      const daemon = new Daemon(env);
      await daemon.says('round');
      await removed();
      expect(await daemon.end()).toMatchObject({ code: 0 });
      expect(await readFile(join(stateDir, 'roster.json'), 'utf8')).toContain(poco);
    }
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
