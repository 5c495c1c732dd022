import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RosterDevice } from '../../src/roster/device.ts';
import { writeRoster } from '../../src/roster/store.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Environment, hostnode } from '../support/program.ts';
import { temporaryFolder } from '../support/program-lab.ts';

let sandbox: Sandbox;
let stateDir: string;
let env: Environment;
beforeEach(async () => {
  sandbox = await Sandbox.start();
  onTestFinished(() => sandbox.stop());
  stateDir = await temporaryFolder();
  env = {
    HOSTNODE_CLOUD_BASE_URL: sandbox.baseUrl,
    HOSTNODE_CLOUD_USERNAME: 'admin',
    HOSTNODE_CLOUD_API_KEY: 'admin-key',
    HOSTNODE_STATE_DIR: stateDir,
  };
});

const phone = (
  udid: string,
  model: string,
  androidRelease: string,
  more: Partial<RosterDevice> = {},
): RosterDevice => ({
  ...{ udid, serial: udid, connection: 'usb', attached: true, state: 'device', lastSeenAt: 1 },
  identity: { model, androidRelease, isEmulator: false },
  ...more,
});
const unplugged = { attached: false, state: 'disconnected' };

/** The phones that the sandbox's host rack-1 and rack-2 reported. */
const pixel = () => phone('9B281FFAZ00AB1', 'Pixel 7', '14');
const galaxy = (more?: Partial<RosterDevice>) => phone('R5CT40TB77X', 'Galaxy S23', '15', more);
const xiaomi = (more: Partial<RosterDevice> = unplugged) => phone('f12ab8c9', 'Xiaomi 12', '13', more);

const remember = (...devices: RosterDevice[]) =>
  writeRoster(stateDir, { devices, sharedSerials: [], partedPlaces: [] });

const diff = (...args: string[]) => hostnode(['cloud', 'devices', 'diff', ...args], env);

describe('hostnode cloud devices diff', () => {
  it('finds no difference where host and cloud agree, and never reads the whole list', async () => {
    await remember(pixel(), galaxy(), xiaomi());
    expect(await diff()).toEqual({
      code: 0,
      stdout: '',
      stderr: 'hostnode: no difference: 3 phones compared\n',
    });
    const paths = sandbox.requests.map(({ path }) => path).toSorted();
    expect(paths).toEqual([
      '/v1/devices/9B281FFAZ00AB1',
      '/v1/devices/R5CT40TB77X',
      '/v1/devices/f12ab8c9',
      '/v1/devices?udid=f12ab8c9&isPlugged=true',
    ]);
  });

  it('lists what differs, one line each, and ends with 1', async () => {
    const renamed = phone('9B281FFAZ00AB1', 'Kiosk', '15');
    await remember(
      renamed,
      galaxy(unplugged),
      xiaomi({ attached: true, state: 'unauthorized' }),
      phone('NEW1', 'New', '14'),
    );
    const { code, stdout, stderr } = await diff();
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.slice(0, -1).split('\n')).toEqual([
      '9B281FFAZ00AB1\tKiosk\tname\tKiosk\tPixel 7',
      '9B281FFAZ00AB1\tKiosk\tversion\t15\t14',
      'R5CT40TB77X\tGalaxy S23\tonline\toffline\tonline',
      'f12ab8c9\tXiaomi 12\tplugged\tplugged in\tunplugged',
      'NEW1\tNew\tmissing there\tonline\t',
    ]);
    expect(JSON.parse((await diff('NEW1', '-o', 'json')).stdout)).toEqual([
      { udid: 'NEW1', name: 'New', difference: 'missing there', here: 'online' },
    ]);
  });

  it('says of a udid that only the cloud knows, or nobody', async () => {
    await remember(pixel());
    expect(await diff('R5CT40TB77X', 'nobody')).toEqual({
      code: 1,
      stdout: 'R5CT40TB77X\tGalaxy S23\tunknown here\t\tonline\n',
      stderr: 'hostnode: neither this host nor the cloud knows a phone nobody\n',
    });
  });

  it('says where it looked for phones', async () => {
    expect(await diff()).toEqual({
      code: 1,
      stdout: '',
      stderr: `hostnode: no phones known yet: no agent has run with state directory ${stateDir}\n`,
    });
  });
});
