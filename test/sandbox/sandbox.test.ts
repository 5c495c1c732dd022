import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceInfo, DevicesBody } from '../../src/cloud/contract/report.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import { outlasts } from '../support/outlasts.ts';

const pixel: DeviceInfo = {
  udid: 'PIXEL',
  status: 'PLUGGED',
  state: 'device',
  message: '',
  platformName: 'ANDROID',
  platformVersion: '11',
  modelName: 'Pixel 5',
  deviceName: 'Lab 1',
  addedToCloud: true,
  isHidden: false,
  isAndroid: true,
  isIos: false,
  installedBrowsers: [{ name: 'chrome' }],
  resolution: { width: 1080, height: 2340, projection: 2340 },
  support: {
    appiumDisabled: false,
    networkTrafficCapturingDisabled: false,
    unlockPasscodeDisabled: false,
    setTimeZoneDisabled: false,
    networkPayloadCaptureDisabled: false,
  },
};
const gone: DeviceInfo = {
  ...pixel,
  udid: 'GONE',
  status: 'UNPLUGGED',
  state: 'disconnected',
  deviceName: 'Lab 2',
  platformVersion: '14',
  installedBrowsers: [{ name: 'firefox' }],
  support: { ...pixel.support, appiumDisabled: true },
};
const machine: DevicesBody['machine'] = {
  hostname: 'lab',
  arch: 'x64',
  freemem: 1,
  totalmem: 2,
  platform: 'linux',
  type: 'Linux',
  uptime: 3,
  version: '#1',
  buildNumber: '2601.01',
};
const body = (...devices: DeviceInfo[]): DevicesBody => ({ nodeId: 'node-1', machine, devices });

let cloud: Sandbox;
beforeEach(async () => {
  cloud = await Sandbox.start({
    seed: seedOfOneUser({ username: 'lab', email: 'lab@example.com', apiKey: 'secret' }),
  });
});
afterEach(() => cloud.stop());

const basic = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`;

async function ask(
  method: string,
  path: string,
  { user = 'lab:secret', send }: { user?: string; send?: unknown } = {},
) {
  const response = await fetch(`${cloud.baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: basic(user),
      ...(send !== undefined && { 'content-type': 'application/json' }),
    },
    ...(send !== undefined && { body: JSON.stringify(send) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    answer: text === '' ? undefined : JSON.parse(text),
  };
}
const put = (...devices: DeviceInfo[]) => ask('PUT', '/devices', { send: body(...devices) });
const udids = async (query: string) =>
  (await ask('GET', `/devices${query}`)).answer.privateDevices.map(({ udid }: { udid: string }) => udid);

describe('the sandbox cloud', () => {
  it('lets the user in by name and by email, and nobody else', async () => {
    expect((await ask('GET', '/devices', { user: 'lab@example.com:secret' })).status).toBe(200);
    const { status, headers } = await ask('GET', '/devices', { user: 'lab:wrong' });
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="sandbox cloud", charset="UTF-8"',
    ]);
  });

  it('stores devices, and leaves those that a later report does not name as they are', async () => {
    expect(await put(pixel, gone)).toMatchObject({ status: 200, answer: { failedDevices: [] } });
    await put({ ...pixel, deviceName: 'Lab 9' });
    expect(cloud.devices()).toEqual([
      {
        ...{ id: 1, organizationId: 1, nodeId: 'node-1', isCloud: false, ownerId: 1 },
        info: { ...pixel, deviceName: 'Lab 9' },
      },
      { id: 2, organizationId: 1, nodeId: 'node-1', isCloud: false, ownerId: 1, info: gone },
    ]);
    expect(cloud.machine('node-1')).toEqual(machine);
  });

  it('takes a heartbeat without devices, and a PUT without a body', async () => {
    expect((await ask('PUT', '/devices', { send: { nodeId: 'node-1', machine } })).answer).toEqual({
      failedDevices: [],
    });
    expect((await ask('PUT', '/devices')).answer).toEqual({ failedDevices: [] });
  });

  it('names every place where a body departs from the contract, and stores nothing of it', async () => {
    const { status, answer } = await ask('PUT', '/devices', {
      send: { nodeId: '', machine: { ...machine, uptime: null }, devices: [pixel] },
    });
    expect(status).toBe(400);
    expect(answer.problems.map(({ path }: { path: string }) => path)).toEqual(['nodeId', 'machine.uptime']);
    expect(cloud.devices()).toEqual([]);
  });

  it('stores what it can of a report, and names the rest with the reason', async () => {
    const odd = [{ ...pixel, udid: 'ODD', uptime: null, colour: 'red' }, { udid: 'BARE' }, {}, 7];
    const { status, answer } = await ask('PUT', '/devices', {
      send: { nodeId: 'node-1', machine: {}, devices: [...odd, pixel] },
    });
    expect(status).toBe(200);
    expect(answer.failedDevices).toEqual([
      { udid: 'ODD', message: expect.stringMatching(/^uptime: .*; the device: .*"colour"$/) },
      { udid: 'BARE', message: 'required capabilities are missing: status, platformName' },
      { udid: '', message: expect.stringContaining('udid') },
      { udid: '', message: expect.stringContaining('the device') },
    ]);
    expect(cloud.devices().map(({ info }) => info.udid)).toEqual(['PIXEL']);
  });

  it('refuses a body that is not JSON or does not say that it is', async () => {
    const send = (type: string, text: string) =>
      fetch(`${cloud.baseUrl}/devices`, {
        method: 'PUT',
        headers: { authorization: basic('lab:secret'), 'content-type': type },
        body: text,
      }).then(({ status }) => status);
    expect(await send('application/json', '{')).toBe(400);
    expect(await send('text/plain', JSON.stringify(body()))).toBe(415);
    expect(await send('application/json; charset=utf-8', JSON.stringify(body()))).toBe(200);
  });

  it('names a device that it refuses, stores the others, and takes it again later', async () => {
    cloud.refuse('GONE', 'no capability');
    expect((await put(pixel, gone, pixel)).answer).toEqual({
      failedDevices: [
        { udid: 'GONE', message: 'no capability' },
        { udid: 'PIXEL', message: 'the report names this device twice' },
      ],
    });
    expect(cloud.devices().map(({ info }) => info.udid)).toEqual(['PIXEL']);
    cloud.accept('GONE');
    expect((await put(gone)).answer).toEqual({ failedDevices: [] });
  });

  it('shows a device in the shape of the API', async () => {
    await put(pixel);
    const expected = {
      id: 1,
      udid: 'PIXEL',
      isBooked: false,
      isOnline: true,
      modelName: 'Pixel 5',
      deviceName: 'Lab 1',
      resolution: { width: 1080, height: 2340 },
      platformName: 'ANDROID',
      platformVersion: '11',
      installedBrowsers: [{ name: 'chrome' }],
      deviceImageUrl: '',
      isFavorite: false,
      isCloud: false,
      isMyOrg: true,
      isMyOwn: true,
    };
    expect((await ask('GET', '/devices/PIXEL')).answer).toEqual(expected);
    expect((await ask('GET', '/devices')).answer).toEqual({
      privateDevices: [expected],
      favoriteDevices: [],
      cloudDevices: [],
    });
  });

  it('finds a udid that must be escaped in an address', async () => {
    await put({ ...pixel, udid: 'emulator-5554@node/1 ä' });
    expect((await ask('GET', `/devices/${encodeURIComponent('emulator-5554@node/1 ä')}`)).answer.id).toBe(1);
  });

  it('answers the status by the id, not by a udid that looks like the id of another', async () => {
    await put(pixel, gone, { ...gone, udid: '1' });
    cloud.book('PIXEL');
    expect((await ask('GET', '/devices/PIXEL/status')).status).toBe(404);
    expect((await ask('GET', '/devices/1/status')).answer).toEqual({ isBooked: true, isOnline: true });
    expect((await ask('GET', '/devices/2/status')).answer).toEqual({ isBooked: false, isOnline: false });
  });

  it('lists favorites without their udid', async () => {
    await put(pixel);
    expect((await ask('POST', '/devices/1/favorite')).status).toBe(200);
    const { favoriteDevices } = (await ask('GET', '/devices')).answer;
    expect(favoriteDevices).toMatchObject([{ id: 1, isFavorite: true }]);
    expect(favoriteDevices[0]).not.toHaveProperty('udid');
    await ask('DELETE', '/devices/1/favorite');
    expect((await ask('GET', '/devices')).answer.favoriteDevices).toEqual([]);
  });

  it.each([
    ['', ['PIXEL', 'GONE']],
    ['?udid=GONE', ['GONE']],
    ['?isBooked=true', ['PIXEL']],
    ['?isOnline=false', ['GONE']],
    ['?modelName=Pixel%205', ['PIXEL', 'GONE']],
    ['?deviceName=Lab%201', ['PIXEL']],
    ['?deviceName=Lab%202,Lab%201', ['PIXEL', 'GONE']],
    ['?platformName=IOS', []],
    ['?platformVersion=14', ['GONE']],
    ['?platformVersion=11,14', ['PIXEL', 'GONE']],
    ['?browserName=firefox', ['GONE']],
    ['?appiumDisabled=true', ['GONE']],
    ['?isPlugged=true', ['PIXEL']],
    ['?isPlugged=false&browserName=chrome', []],
    ['?groupId=1', ['PIXEL', 'GONE']],
    ['?groupId=2', []],
  ])('lists by the filter %s', async (query, expected) => {
    await put(pixel, gone);
    cloud.book('PIXEL');
    expect(await udids(query)).toEqual(expected);
  });

  it('leaves out of the lists what is hidden or was not added to the cloud', async () => {
    await put({ ...pixel, isHidden: true }, { ...gone, addedToCloud: false });
    expect(await udids('')).toEqual([]);
    expect((await ask('GET', '/devices/PIXEL')).status).toBe(200);
  });

  it.each([
    ['GET', '/devices?isBooked=yes', 400],
    ['GET', '/devices?colour=red', 400],
    ['GET', '/devices/NOBODY', 404],
    ['GET', '/devices/NOBODY/status', 404],
    ['GET', '/colours', 404],
    ['GET', '/devices/%E0%A4%A', 404],
    ['DELETE', '/devices', 405],
    ['PUT', '/devices/PIXEL', 405],
  ])('answers %s %s with %i and a reason', async (method, path, expected) => {
    const { status, answer } = await ask(method, path);
    expect([status, typeof answer.message]).toEqual([expected, 'string']);
  });

  it('remembers requests with their answers, never with credentials', async () => {
    const answered = once(cloud, 'answered');
    await put(pixel);
    await answered;
    expect(cloud.requests).toEqual([
      { method: 'PUT', path: '/v1/devices', body: body(pixel), status: 200, answer: { failedDevices: [] } },
    ]);
    expect(JSON.stringify(cloud.requests)).not.toContain(basic('lab:secret'));
  });

  it('refuses a body above its limit', async () => {
    cloud.bodyLimitBytes = 1000;
    expect((await put(pixel, gone)).status).toBe(413);
    expect((await put()).status).toBe(200);
  });
});

describe('a sandbox cloud that misbehaves', () => {
  const send = (signal?: AbortSignal) =>
    fetch(`${cloud.baseUrl}/devices`, {
      method: 'PUT',
      redirect: 'manual',
      headers: { authorization: basic('lab:secret'), 'content-type': 'application/json' },
      body: JSON.stringify(body(pixel)),
      ...(signal && { signal }),
    });

  it('answers a status as often as it was told, then well', async () => {
    cloud.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': '7' } }, 2);
    const first = await send();
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '7']);
    expect((await send()).status).toBe(503);
    expect(cloud.devices()).toEqual([]);
    expect((await send()).status).toBe(200);
    expect(cloud.devices()).toHaveLength(1);
  });

  it.each([
    [{ kind: 'answer', status: 200 }, ''],
    [{ kind: 'huge', bytes: 300_000 }, ' '.repeat(300_000)],
  ] as const)('answers 200 with something else: %o', async (fault, expected) => {
    cloud.faults.next(fault);
    const response = await send();
    expect([response.status, await response.text()]).toEqual([200, expected]);
  });

  it('answers wrongly until it is mended, and exactly as it was told', async () => {
    const body = Buffer.from('{"failedDevices":[');
    cloud.faults.always({ kind: 'answer', status: 202, headers: { 'x-told': 'yes' }, body });
    for (let times = 0; times < 3; times += 1) {
      const response = await send();
      const told = [response.status, response.headers.get('x-told'), await response.text()];
      expect(told).toEqual([202, 'yes', body.toString()]);
    }
    cloud.faults.clear();
    expect((await send()).status).toBe(200);
  });

  it('sends less than it promises', async () => {
    cloud.faults.next({ kind: 'cut' });
    await expect(send().then((response) => response.text())).rejects.toThrow('terminated');
  });

  it('breaks the connection', async () => {
    cloud.faults.next({ kind: 'reset' });
    await expect(send()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  it('hangs, before the answer or in it', async () => {
    const given = new AbortController();
    cloud.faults.next({ kind: 'hang' });
    cloud.once('received', () => given.abort());
    await expect(send(given.signal)).rejects.toMatchObject({ name: 'AbortError' });
    cloud.faults.next({ kind: 'hang-in-body' });
    const response = await send();
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"failedDevices":[');
    await reader?.cancel();
    expect(cloud.devices()).toEqual([]);
  });

  it('answers late, but well', async () => {
    cloud.faults.next({ kind: 'slow', ms: 60 });
    const late = async () => expect((await send()).status).toBe(200);
    expect(await outlasts(55, late)).toBe(true);
  });
});

it('answers a path that is no part of a URL', async () => {
  const { hostname: host, port } = new URL(cloud.baseUrl);
  const [response] = await once(request({ host, port, path: '//' }).end(), 'response');
  response.resume();
  expect(response.statusCode).toBe(400);
});
