import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { standardSeed } from '../../src/sandbox/seed.ts';
import { clientOf, startSandbox, statusOf } from './lab.ts';

async function startControlled() {
  const sandbox = await startSandbox({ control: true });
  const control = async (method: string, name: string, body?: unknown) => {
    const response = await fetch(`${sandbox.info.controlUrl}/${name}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, answer: text === '' ? undefined : JSON.parse(text) };
  };
  return { sandbox, control };
}

describe('the control side', () => {
  it('is off unless asked for', async () => {
    const sandbox = await startSandbox();
    expect(sandbox.info.controlUrl).toBeNull();
    const { origin } = new URL(sandbox.baseUrl);
    expect((await fetch(`${origin}/control/reset`, { method: 'POST' })).status).toBe(401);
  });

  it('shows requests without passwords, keys and pre-signed URLs', async () => {
    const { sandbox, control } = await startControlled();
    const client = clientOf(sandbox);
    await client.organization.createMember({ email: 'new@lab.example', password: 'correct horse' });
    const body = { email: 'b@lab.example', username: 'b', password: 'battery staple', newPwd: 'stapler' };
    await client.request('v2.createMember', undefined as never, { body });
    await client.apps.uploadUrl({ filename: 'shop.apk' });
    const wrongPlace = new URL('/v1/organizations/members', sandbox.baseUrl);
    await fetch(wrongPlace, { method: 'POST', body: '{"user":{"password":"elsewhere"}}' });
    const { answer } = await control('GET', 'requests');
    expect(answer[0]).toEqual({
      method: 'POST',
      path: '/v1/organizations/member',
      body: { email: 'new@lab.example', password: '***' },
      status: 200,
    });
    const text = JSON.stringify(answer);
    expect(text).not.toMatch(/correct horse|battery staple|stapler|elsewhere|admin-key|Signature|Basic/);
    expect(answer).toHaveLength(4); // none of its own
    await control('DELETE', 'requests');
    expect((await control('GET', 'requests')).answer).toEqual([]);
  });

  it('sets the clock', async () => {
    const { sandbox, control } = await startControlled();
    await control('PUT', 'clock', { now: '2031-05-06T07:08:09Z' });
    await control('PUT', 'clock', { advanceSeconds: 3600 });
    expect((await control('GET', 'clock')).answer.now).toMatch(/^2031-05-06T08:08:/);
    const { data } = await clientOf(sandbox).dataSets.createByCommand({ exploringSessionId: 1 });
    expect(data.createdAt).toMatch(/^2031-05-06T08:08:/);
  });

  it.each([{ advanceSeconds: 9e12 }, { advanceSeconds: -9e12 }, { now: '9999-12-31T23:59:59Z' }])(
    'leaves the clock where times can be written: %j',
    async (wanted) => {
      const { control } = await startControlled();
      expect((await control('PUT', 'clock', wanted)).status).toBe(400);
      expect((await control('GET', 'clock')).status).toBe(200);
    },
  );

  it.each([
    { kind: 'answer', status: 307, headers: { location: 'x\r\ny: z' } },
    { kind: 'status', status: 503, headers: { 'a b': 'c' } },
    { kind: 'answer', status: 200, headers: { a: 'b\n' } },
  ])('takes no fault that HTTP cannot say: %j', async (fault) => {
    const { control } = await startControlled();
    expect((await control('POST', 'faults', { fault })).status).toBe(400);
  });

  it('makes faults: for one operation, for some requests, until they are removed', async () => {
    const { sandbox, control } = await startControlled();
    const client = clientOf(sandbox);
    const fault = { kind: 'status', status: 503 };
    await control('POST', 'faults', { fault, times: 2, operation: 'gestures.list' });
    expect(await client.apps.list()).toEqual([]);
    expect(await statusOf(client.gestures.list())).toBe(503);
    expect(await statusOf(client.gestures.list())).toBe(503);
    expect(await client.gestures.list()).toEqual([]);
    await control('POST', 'faults', { fault: { kind: 'answer', status: 200, body: '[]' }, times: null });
    expect(await client.apps.list()).toEqual([]);
    await expect(client.devices.list()).rejects.toThrow('not one of this API');
    await control('DELETE', 'faults');
    expect((await client.devices.list()).privateDevices).toHaveLength(3);
  });

  it('makes faults of the storage', async () => {
    const { sandbox, control } = await startControlled();
    const fault = { kind: 'status', status: 503 };
    await control('POST', 'faults', { fault, operation: 'storage' });
    const apk = new URL('../fixtures/apk/hello.apk', import.meta.url).pathname;
    const upload = clientOf(sandbox).uploadApp(apk);
    await expect(upload).rejects.toMatchObject({ step: 'transfer', status: 503 });
    expect(await clientOf(sandbox).uploadApp(apk)).toEqual({ appId: null, versionId: 1 });
  });

  it('is not for web pages', async () => {
    const { sandbox, control } = await startControlled();
    const { hostname, port } = new URL(sandbox.baseUrl);
    const statusFrom = (headers: Record<string, string>) =>
      new Promise((resolve, reject) => {
        const asked = request(
          { hostname, port, path: '/control/reset', method: 'POST', headers },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        );
        asked.on('error', reject).end();
      });
    expect(await statusFrom({ origin: 'http://elsewhere.example' })).toBe(403);
    expect(await statusFrom({ host: 'elsewhere.example' })).toBe(403);
    expect((await control('POST', 'reset')).status).toBe(200);
  });

  it('books a device for a time, by its own clock', async () => {
    const { sandbox, control } = await startControlled();
    expect((await control('POST', 'bookings', { udid: 'R5CT40TB77X', seconds: 60 })).status).toBe(200);
    await control('PUT', 'clock', { advanceSeconds: 59 });
    expect(await clientOf(sandbox).devices.status({ deviceId: '2' })).toMatchObject({ isBooked: true });
    await control('PUT', 'clock', { advanceSeconds: 2 });
    expect(await clientOf(sandbox).devices.status({ deviceId: '2' })).toMatchObject({ isBooked: false });
    expect((await control('GET', 'bookings')).answer).toEqual([]);
  });

  it('books devices', async () => {
    const { sandbox, control } = await startControlled();
    const booking = { udid: 'R5CT40TB77X', username: 'member' };
    expect((await control('POST', 'bookings', booking)).answer).toEqual({ id: 1, ...booking });
    expect((await control('POST', 'bookings', booking)).status).toBe(409);
    const isBooked = async () => (await clientOf(sandbox).devices.status({ deviceId: '2' })).isBooked;
    expect(await isBooked()).toBe(true);
    expect((await control('GET', 'bookings')).answer).toEqual([{ id: 1, ...booking }]);
    await control('DELETE', 'bookings', { udid: booking.udid });
    expect(await isBooked()).toBe(false);
    expect((await control('DELETE', 'bookings', { udid: booking.udid })).status).toBe(404);
  });

  it('begins anew, with the seed of the start or another', async () => {
    const { sandbox, control } = await startControlled();
    const { info } = sandbox;
    await clientOf(sandbox).gestures.save({ name: 'tap', command: 'down' });
    await control('POST', 'reset');
    expect((await control('GET', 'info')).answer).toEqual(info);
    expect(await clientOf(sandbox).gestures.list()).toEqual([]);
    const seed = { organizations: [{ name: 'New', users: [{ username: 'eve', apiKey: 'k' }] }] };
    expect((await control('PUT', 'seed', seed)).status).toBe(200);
    expect((await control('GET', 'info')).answer).toMatchObject({
      users: [{ username: 'eve' }],
      teamIds: [],
    });
    await control('PUT', 'seed', standardSeed);
    expect((await control('GET', 'info')).answer).toEqual(info);
  });

  it.each([
    ['GET', 'colours', undefined, 404],
    ['GET', 'constructor', undefined, 404],
    ['PUT', 'reset', undefined, 405],
    ['PUT', 'clock', { now: 'noon' }, 400],
    ['POST', 'faults', { fault: { kind: 'rain' } }, 400],
    ['POST', 'faults', { fault: { kind: 'cut' }, operation: 'apps.cook' }, 400],
    ['POST', 'faults', undefined, 400],
    ['POST', 'bookings', { udid: 'NOBODY' }, 404],
    ['PUT', 'seed', { organizations: [] }, 400],
  ])('answers %s %s %o with %i and a reason', async (method, name, body, expected) => {
    const { control } = await startControlled();
    const { status, answer } = await control(method, name, body);
    expect([status, typeof answer.message]).toEqual([expected, 'string']);
  });
});
