import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config/schema.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { scenesOf } from '../../src/demo/scenes.ts';
import { openStage } from '../../src/demo/stage.ts';
import { Daemon, hostnode, Program, programFile } from '../support/program.ts';
import {
  never,
  phoneOf,
  poco,
  smartron,
  startAdb,
  startHost,
  temporaryFolder,
} from '../support/program-lab.ts';
import { freePort } from '../support/raw-server.ts';

describe('hostnode demo', () => {
  it('with --phones runs with the phones that inventory --capture saved', async () => {
    const { env } = await startHost(phoneOf(poco), phoneOf(smartron));
    const folder = await temporaryFolder();
    expect(await hostnode(['inventory', '--capture', folder], env)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await hostnode(['demo', '--once', '--phones', folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, table = ''] = stdout.split('What the cloud knows');
    const [, ...lines] = table.trim().split('\n').slice(0, 3);
    expect(lines.map((line) => / (8\.1\.0|15) +device /.exec(line)?.[1]).sort()).toEqual(['15', '8.1.0']);
    expect(stdout).toContain('2 simulated phones');
    expect(stdout).not.toMatch(/f12a8ec9|RE47644423|payments|five makers|waits for its prompt/);
    const none = join(folder, 'none');
    expect(await hostnode(['demo', '--phones', none])).toEqual({
      code: 2,
      stdout: '',
      stderr: `hostnode: ${none}: cannot be read (no such file or directory); give the folder of inventory --capture\n`,
    });
  });

  it('with --once shows all its phones as the cloud knows them, and ends', async () => {
    const [folder, port] = [await temporaryFolder(), await freePort()];
    const file = join(folder, 'demo.yaml');
    const ports = ['--port', String(port), '--write-config', file];
    const { code, stdout, stderr } = await hostnode(['demo', '--once', ...ports]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const written = parse(await readFile(file, 'utf8'));
    expect(settings.safeParse(written).error).toBeUndefined();
    expect(written).toMatchObject({
      adb: { port },
      cloud: { baseUrl: `http://127.0.0.1:${port + 1}/v1`, apiKey: 'demo-key' },
      state: { dir: join(folder, 'demo-state') },
    });
    const [, table = ''] = stdout.split('What the cloud knows');
    const [title, ...lines] = table
      .trim()
      .split('\n')
      .slice(0, recordings.length + 1);
    expect(title).toMatch(/^UDID +NAME +ANDROID/);
    const shown = lines.map((line) => line.trim().split(/[@ ]/)[0]);
    expect(shown.sort()).toEqual(recordings.map(({ serial }) => serial).sort());
    expect(lines.find((line) => line.includes('unauthorized'))).toContain('Accept the USB debugging prompt');
    expect(stdout).not.toMatch(/demo-key|undefined/);
  });

  it('overwrites no file of somebody else, and names who has its port', async () => {
    const file = join(await temporaryFolder(), 'mine.yaml');
    await writeFile(file, 'nodeId: mine\n');
    expect(await hostnode(['demo', '--write-config', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `hostnode: ${file} already exists, and no demo wrote it; name another file\n`,
    });
    expect(await readFile(file, 'utf8')).toBe('nodeId: mine\n');
    const taken = await startAdb();
    expect(await hostnode(['demo', '--port', String(taken.port)])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(`^hostnode: port ${taken.port} is taken.*; use another --port\n$`),
    });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'runs until %s, ends well and leaves nothing behind',
    async (signal) => {
      const folder = await temporaryFolder();
      const demo = new Program([process.execPath, programFile(), 'demo'], { TMPDIR: folder });
      await expect.poll(() => demo.stdout).toContain('cloud: PUT /v1/devices with');
      const [state = ''] = await readdir(folder);
      const socket = join(folder, state, 'hostnode.sock');
      expect((await hostnode(['status', '--all', '--socket', socket])).stdout).toContain('Xiaomi 12X');
      const noted = await hostnode(['note', 'Xiaomi 12X', 'swapped the cable', '--socket', socket]);
      expect(noted).toMatchObject({ code: 0, stderr: '' });
      const { stdout: why } = await hostnode(['why', 'Xiaomi 12X', '--socket', socket]);
      expect(why).toMatch(/note( by \S+)?: swapped the cable/);
      demo.signal(signal);
      expect({ code: await demo.ended, stderr: demo.stderr }).toEqual({ code: 0, stderr: '' });
      expect(demo.stdout).toContain('Ctrl-C ends');
      expect(demo.stdout).toMatch(/status page: http:\/\/127\.0\.0\.1:\d+\/\n/);
      expect(await readdir(folder)).toEqual([]);
    },
  );
});

it('the scenes of the demo reach the cloud through the real agent, one after the other', async () => {
  const stage = await openStage(never);
  onTestFinished(() => stage.close());
  const { adb, cloud, phones } = stage;
  const { latecomer = '', scenes } = scenesOf(stage);
  for (const phone of phones) if (phone.serial !== latecomer) adb.plug(phone);
  const daemon = new Daemon(stage.env);
  await daemon.says('round');

  const statuses = () => new Map(cloud.devices().map(({ info }) => [info.udid, info.status]));
  const [comes, refused, pulled, taken, back, dropped] = scenes;
  const [first = '', second = ''] = phones.map(({ serial }) => serial);

  comes?.play();
  await expect.poll(() => statuses().get(latecomer)).toBe('PLUGGED');
  refused?.play();
  adb.unplug(second);
  expect(await daemon.says('the cloud refused a device; it will be sent again')).toMatchObject({
    udid: second,
  });
  pulled?.play();
  await expect.poll(() => statuses().get(first)).toBe('UNPLUGGED');
  taken?.play();
  expect(await daemon.says('the cloud stored a device that it had refused')).toMatchObject({ udid: second });
  back?.play();
  await expect.poll(() => statuses().get(first)).toBe('PLUGGED');
  dropped?.play();
  adb.unplug(first);
  await expect.poll(() => statuses().get(first)).toBe('UNPLUGGED');
  expect(await daemon.end()).toMatchObject({ code: 0 });
});
