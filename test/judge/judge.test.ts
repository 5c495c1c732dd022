/** An independent judge between client and sandbox: Prism lets pass what the OpenAPI document allows, both ways. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type OperationId, operations } from '../../src/cloud/contract/index.ts';
import type { DeviceInfo } from '../../src/cloud/contract/report.ts';
import { CloudClient } from '../../src/cloud/index.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { furnish, inputs } from '../sandbox/each-operation.ts';
import { machine } from '../support/cloud-server.ts';
import { describeWhere } from '../support/machine-needs.ts';
import { missingForPrism, Prism } from './prism.ts';

const APK = fileURLToPath(new URL('../fixtures/apk/hello.apk', import.meta.url));
const JSON_TYPE = { 'content-type': 'application/json' };
/** OpenAPI 3.1 cannot express the method DEL. */
const expressible = operations.filter(({ method }) => method !== 'DEL').map(({ id }) => id);
const answering = operations.filter(({ method, answer }) => method !== 'DEL' && answer).map(({ id }) => id);

const network = {
  ...{ address: '10.0.0.2', netmask: '255.255.255.0', family: 'IPv4', mac: '02:00:00:00:00:01' },
  ...{ internal: false, cidr: '10.0.0.2/24' },
};
/** Every key that a device can have. */
const wholeDevice: Required<DeviceInfo> = {
  ...{ udid: 'WHOLE', serialNumber: 'WHOLE', status: 'PLUGGED', state: 'device', message: '' },
  ...{ platformName: 'ANDROID', platformVersion: '14', modelName: 'Pixel 7', brandName: 'google' },
  ...{ deviceName: 'Lab 1', cpuArchitecture: 'arm64-v8a', addedToCloud: true, isHidden: false },
  ...{ isEmulator: false, isAndroid: true, isIos: false, isRooted: false },
  adbTunnelInfo: {
    serial: 'WHOLE',
    connection: 'usb',
    devpath: '1-4.2',
    adbHost: '127.0.0.1',
    adbPort: 5037,
  },
  installedBrowsers: [{ name: 'chrome' }],
  support: {
    appiumDisabled: false,
    networkTrafficCapturingDisabled: false,
    unlockPasscodeDisabled: true,
    setTimeZoneDisabled: false,
    networkPayloadCaptureDisabled: true,
  },
  orientation: 270,
  resolution: { width: 1080, height: 2400, projection: 915, logical: { width: 412, height: 915 } },
  networkReachability: {
    ...{ code: 204, host: 'lab.example', status: 'REACHABLE', ipAddress: '10.0.0.7', proxy: false },
  },
  uptime: 86_400,
  bootTime: 1_700_000_000,
  storage: { total: 128_000_000_000, used: 1 },
  memory: { total: 8_000_000_000, used: 1 },
  battery: {
    ...{ status: 'CHARGING', temperature: 251, voltage: 4_123, health: 'GOOD', technology: 'Li-ion' },
    percentage: '87',
  },
  telephony: {
    mobileDataState: 'CONNECTED',
    carriersInfo: [
      { imei: '490154203237518', meid: 'A0000000000000', slot: 0, iccid: '8991000000000000000' },
    ],
  },
};

function clientAt(origin: string, apiKey = 'admin-key'): CloudClient {
  const client = new CloudClient({ baseUrl: `${origin}/v1`, username: 'admin', apiKey, retryForMs: 0 });
  onTestFinished(() => client.close());
  return client;
}

const call = (client: CloudClient, id: string, input: object | undefined) =>
  client.request(id as OperationId, input as never);

describeWhere('Prism as the judge', { missing: missingForPrism() }, () => {
  let sandbox: Sandbox;
  let judge: Prism;
  let mock: Prism;
  beforeAll(async () => {
    sandbox = await Sandbox.start();
    [judge, mock] = await Promise.all([Prism.proxy(sandbox.origin), Prism.mock({ seed: '1' })]);
  });
  afterAll(async () => {
    await Promise.all([judge, mock].map((each) => each?.[Symbol.asyncDispose]()));
    await sandbox?.stop();
  });

  it.each(expressible)(
    '%s: finds no fault in the request of the client and the answer of the sandbox',
    async (id) => {
      sandbox.reset();
      const appPath = await furnish(sandbox);
      const before = sandbox.requests.length;
      await call(clientAt(judge.origin), id, { ...inputs[id], ...(id === 'apps.create' && { appPath }) });
      expect(sandbox.requests.slice(before)).toMatchObject([{ status: 200 }]);
    },
  );

  // the client rejects an answer that the contract does not allow
  it.each(expressible)('%s: the client reads what the judge makes up from the document', async (id) => {
    await call(clientAt(mock.origin), id, inputs[id]);
  });

  it('finds no fault in an upload, nor in an app and a version that were parsed', async () => {
    sandbox.reset();
    const client = clientAt(judge.origin);
    const { versionId } = await client.uploadApp(APK);
    await expect.poll(() => sandbox.state.versions.get(versionId)?.parsed).toBeTruthy();
    sandbox.setNow(sandbox.now() + 60_000);
    expect(await client.apps.list()).toMatchObject([{ state: 'OK' }]);
    await client.versions.get({ versionId });
    expect(await client.v2.getApp({ appId: 1 })).toMatchObject({ latest_version: { state: 'OK' } });
  });

  it('finds no fault in a report with all that the agent can know', async () => {
    sandbox.reset();
    const before = sandbox.devices().length;
    const reported = { nodeId: 'rack-2', machine: { ...machine, network }, devices: [wholeDevice] };
    expect(await clientAt(judge.origin).devices.report(reported)).toEqual({ failedDevices: [] });
    expect(sandbox.devices().slice(before)).toMatchObject([{ info: wholeDevice }]);
  });

  it('finds no fault in errors', async () => {
    sandbox.reset();
    await expect(clientAt(judge.origin, 'wrong').apps.list()).rejects.toMatchObject({ status: 401 });
    await expect(clientAt(judge.origin).apps.get({ appId: 99 })).rejects.toMatchObject({ status: 404 });
    expect(sandbox.requests.map(({ status }) => status)).toEqual([401, 404]);
  });

  it.each(answering)('%s: stops an answer that is none of this operation', async (id) => {
    sandbox.reset();
    sandbox.faults.next({ kind: 'answer', status: 200, headers: JSON_TYPE, body: '7' });
    const asked = call(clientAt(judge.origin), id, inputs[id]);
    await expect(asked).rejects.toMatchObject({ status: 500, excerpt: expect.stringContaining('not valid') });
    expect(sandbox.requests).toMatchObject([{ status: 200 }]);
  });

  it.each([
    ['GET', '/v1/apps/none', undefined],
    ['GET', '/v1/devices?isBooked=perhaps', undefined],
    ['GET', '/v1/data-sets', undefined],
    ['POST', '/v1/apps/uploadUrl', { appId: 1 }],
    ['POST', '/v1/apps/uploadUrl', { filename: 'a.apk', fileName: 'a.apk' }],
    ['PUT', '/v1/devices', { nodeId: 'rack-2', machine, devices: [{ ...wholeDevice, uptime: null }] }],
  ])('stops a request that the document does not allow: %s %s %j', async (method, path, body) => {
    sandbox.reset();
    const { status } = await fetch(`${judge.origin}${path}`, {
      method,
      headers: { ...JSON_TYPE, authorization: `Basic ${btoa('admin:admin-key')}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([status, sandbox.requests]).toEqual([422, []]);
  });
});
