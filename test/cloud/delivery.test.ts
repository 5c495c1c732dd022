import { describe, expect, it } from 'vitest';
import type { DeviceInfo, DevicesBody } from '../../src/cloud/contract/report.ts';
import { Delivery } from '../../src/cloud/delivery.ts';
import { buildDeviceInfo } from '../../src/report/device-info.ts';
import { standardPolicy } from '../../src/report/policy.ts';
import { machine, TestServer } from '../support/cloud-server.ts';
import { clientOf } from './exchange.ts';

const signal = new AbortController().signal;

const device = (udid: string, givenName = udid): DeviceInfo =>
  buildDeviceInfo({
    device: {
      udid,
      serial: udid,
      connection: 'usb',
      attached: true,
      state: 'device',
      lastSeenAt: 0,
      givenName,
    },
    facts: {},
    policy: standardPolicy,
    adbHost: '127.0.0.1',
    adbPort: 5037,
  });

const devices = (count: number) => Array.from({ length: count }, (_, index) => device(`P${index}`));

/** A cloud that takes bodies for which `fits` holds, and stores all but the devices in `refused`. */
async function cloudThatTakes(fits: (body: DevicesBody, bytes: number) => boolean, refused: string[] = []) {
  const server = await TestServer.listen((_, response) => {
    const text = server.received.at(-1)?.body ?? '';
    const body: DevicesBody = JSON.parse(text);
    if (!fits(body, text.length)) return response.writeHead(413).end();
    const named = body.devices?.filter(({ udid }) => refused.includes(udid)) ?? [];
    return response.end(
      JSON.stringify({ failedDevices: named.map(({ udid }) => ({ udid, message: 'no' })) }),
    );
  });
  const client = clientOf(server);
  const delivery = new Delivery(client);
  return {
    delivery,
    /** How many devices each request named, since the last look. */
    sizes: () =>
      server.received.splice(0).map(({ body }) => (JSON.parse(body) as DevicesBody).devices?.length),
    [Symbol.asyncDispose]: () => {
      client.close();
      return server[Symbol.asyncDispose]();
    },
  };
}

describe('a report that is too large for the cloud', () => {
  it('goes in halves, and the size that worked is remembered', async () => {
    await using cloud = await cloudThatTakes(({ devices = [] }) => devices.length <= 3, ['P1', 'P9']);
    const answer = await cloud.delivery.putAll('n', machine, devices(10), signal);
    expect(answer).toEqual({
      failedDevices: [
        { udid: 'P1', message: 'no' },
        { udid: 'P9', message: 'no' },
      ],
    });
    expect(cloud.sizes()).toEqual([10, 5, 3, 2, 5, 3, 2]);
    await cloud.delivery.putAll('n', machine, devices(10), signal);
    expect(cloud.sizes()).toEqual([3, 3, 3, 1]);
  });

  it('by one device alone has that device failed, and all others stored', async () => {
    await using cloud = await cloudThatTakes((_, bytes) => bytes < 10_000);
    const large = { ...device('large'), installedBrowsers: [{ name: 'x'.repeat(20_000) }] };
    const all = [...devices(2), large, ...devices(2)];
    const { failedDevices } = await cloud.delivery.putAll('n', machine, all, signal);
    const bytes = JSON.stringify(large).length;
    expect(failedDevices).toEqual([
      { udid: 'large', message: `its report alone, ${bytes} bytes, is too large for the cloud` },
    ]);
    expect(cloud.sizes()).toEqual([5, 3, 2, 1, 2]);
    await cloud.delivery.putAll('n', machine, devices(5), signal);
    expect(cloud.sizes()).toEqual([5]);
  });

  it('however small it is, is given up after three devices, each alone', async () => {
    await using cloud = await cloudThatTakes(() => false);
    const put = cloud.delivery.putAll('n', machine, devices(200), signal);
    await expect(put).rejects.toMatchObject({ code: 'CLOUD_TOO_LARGE' });
    expect(cloud.sizes()).toEqual([200, 100, 50, 25, 13, 7, 4, 2, 1, 1, 2, 1]);
  });

  it('of one phone or two is an error too, where not even the host alone is taken', async () => {
    for (const count of [1, 2]) {
      await using cloud = await cloudThatTakes(() => false);
      const put = cloud.delivery.putAll('n', machine, devices(count), signal);
      await expect(put).rejects.toMatchObject({ code: 'CLOUD_TOO_LARGE' });
      expect(cloud.sizes().at(-1)).toBeUndefined();
    }
    await using cloud = await cloudThatTakes(({ devices }) => devices === undefined);
    const { failedDevices } = await cloud.delivery.putAll('n', machine, devices(2), signal);
    expect(failedDevices.map(({ udid }) => udid)).toEqual(['P0', 'P1']);
  });

  it('without any device is an error', async () => {
    await using cloud = await cloudThatTakes(() => false);
    const put = cloud.delivery.putAll('n', machine, undefined, signal);
    await expect(put).rejects.toMatchObject({ code: 'CLOUD_TOO_LARGE' });
    const empty = cloud.delivery.putAll('n', machine, [], signal);
    await expect(empty).rejects.toMatchObject({ code: 'CLOUD_TOO_LARGE' });
    expect(cloud.sizes()).toEqual([undefined, 0]);
  });
});

describe('a report that fits', () => {
  it.each([
    ['of ten phones', devices(10), 10],
    ['of no phones', [], 0],
    ['that says nothing of phones', undefined, undefined],
  ])('%s is one request', async (_, all, size) => {
    await using cloud = await cloudThatTakes(() => true);
    expect(await cloud.delivery.putAll('n', machine, all, signal)).toEqual({ failedDevices: [] });
    expect(cloud.sizes()).toEqual([size]);
  });
});
