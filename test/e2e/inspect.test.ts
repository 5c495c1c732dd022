import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import type { RosterDevice } from '../../src/roster/device.ts';
import { writeRoster } from '../../src/roster/store.ts';
import { type Ended, type Environment, hostnode, programFile } from '../support/program.ts';

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

const inventory = (...options: string[]) => inventoryWith({}, ...options);

const inventoryWith = (more: Environment, ...options: string[]): Promise<Ended> =>
  hostnode(['inventory', ...options], {
    HOSTNODE_ADB_PORT: String(server.port),
    HOSTNODE_STATE_DIR: join(directory, 'state'),
    ...more,
  });

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
    expect(stdout).toContain('read the files before you share them');
  });

  it('--capture says what is in the way, and fails', async () => {
    const { code, stdout, stderr } = await inventory('--capture', join(programFile(), 'captured'));
    expect(code).toBe(1);
    expect(stdout).toBe('Nothing was written.\n');
    expect(stderr).toMatch(/^hostnode: cannot write the capture: ENOTDIR/);
  });

  it('--capture does not go with --json', async () => {
    expect((await inventory('--capture', directory, '--json')).code).toBe(2);
  });
});

/** A phone that an agent knew. */
const gone = (udid: string, more: Partial<RosterDevice>): RosterDevice => ({
  udid,
  serial: udid,
  connection: 'usb',
  attached: false,
  state: 'disconnected',
  lastSeenAt: 1_700_000_000_000,
  goneAt: 1_700_000_000_000,
  ...more,
});

describe('hostnode inventory --explain, of phones that give no answer', () => {
  const alice = {
    givenName: 'Phone of Alice Miller',
    identity: { serialNumber: 'R58N40ABCBC', model: 'SM-A525F', isEmulator: false },
  };
  const xiaomi = { model: '2112123AC', marketingName: 'Xiaomi 12X', isEmulator: false };
  const known = [
    gone('R58N40ABCBC', alice),
    gone('ZY22KXYZ99@1-4.2', { serial: 'ZY22KXYZ99', devpath: '1-4.2' }),
    gone('ffb01234', { identity: xiaomi }),
    gone('3-2', { serial: '', devpath: '3-2' }),
  ];
  const waiting = {
    serial: '9c2ad7e1',
    givenName: "Bob Smith's Pixel",
    attached: true,
    state: 'unauthorized',
  };
  const secrets = ['R58N40ABCBC', 'Alice', 'Miller', 'ZY22KXYZ99', 'ffb01234', '9c2ad7e1', 'Bob', 'Smith'];

  let env: Record<string, string>;
  beforeAll(async () => {
    env = { HOSTNODE_STATE_DIR: join(directory, 'known') };
    const devices = [...known, gone('9c2ad7e1', waiting)];
    await writeRoster(join(directory, 'known'), { devices, sharedSerials: [], partedPlaces: [] });
  });

  it('masks what the roster knows of them, but no USB path and no name of a model', async () => {
    const names = [...known.map(({ udid }) => udid), '9c2ad7e1'].flatMap((udid) => ['-s', udid]);
    const { code, stdout, stderr } = await inventoryWith(env, '--explain', ...names);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.match(/^\S.*$/gm)?.sort()).toEqual([
      'Bo*************el (******e1)',
      'Ph*****************er (*********BC)',
      'Phone (********99@1-4.2)',
      'Phone (3-2)',
      'Xiaomi 12X (******34)',
    ]);
    expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);

    const asJson = await inventoryWith(env, '--explain', '--json');
    expect(secrets.filter((secret) => asJson.stdout.includes(secret))).toEqual([]);
    const shown = await inventoryWith(env, '--show-identifiers');
    expect(secrets.filter((secret) => !shown.stdout.includes(secret))).toEqual([]);
  });

  it('masks the name that the configuration gives a phone', async () => {
    const rule = { match: { udid: 'ffb01234' }, deviceName: "Carol's test phone" };
    const more = { ...env, HOSTNODE_DEVICES: JSON.stringify([rule]) };
    const { stdout } = await inventoryWith(more, '--explain', '-s', 'ffb01234');
    expect(stdout).toMatch(/^Ca\*+ne \(\*{6}34\)$/m);
    expect(stdout).not.toContain('Carol');
  });

  it('masks who could not be read', async () => {
    const recording = recordings.find(({ state }) => state === 'device');
    if (recording === undefined) throw new Error('no recording of a phone that is online');
    const phone = new SimulatedPhone({ ...recording, serial: 'R58N40ABCBC', devpath: '9-9' });
    phone.disturb('*', { kind: 'rubbish' });
    server.plug(phone);
    const { code, stderr } = await inventoryWith(env, '--explain', '-s', 'R58N40ABCBC');
    server.unplug('R58N40ABCBC');
    expect([code, stderr]).toEqual([1, 'hostnode: cannot collect *********BC: no answer could be parsed\n']);
  });
});
