/**
 * A sandbox with devices, and a cloud whose storage throws all bytes away; in a process of their own. Run by
 * `goals/cloud.ts`, with the number of devices as its argument; it sends where they are, a `Clouds`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Sandbox, seedOfOneUser } from '../../src/sandbox/index.ts';
import type { Clouds } from './goals/cloud.ts';
import { credentials } from './world.ts';

const udids = Array.from({ length: Number(process.argv[2]) }, (_, index) => `BENCH${index}`);
const { organizations } = seedOfOneUser(credentials);
const devices = udids.map((udid) => ({
  udid,
  modelName: 'Pixel 7',
  deviceName: udid,
  platformVersion: '14',
}));
const sandbox = await Sandbox.start({
  seed: { organizations: organizations.map((organization) => ({ ...organization, devices })) },
});

const storage = createServer(async (request, response) => {
  request.resume();
  await once(request, 'end');
  const url = `${origin}/file?X-Amz-Signature=none`;
  const answers: Record<string, object> = {
    '/v1/apps/uploadUrl': { appPath: 'file', url },
    '/v1/apps': { appId: null, versionId: 1 },
  };
  response.end(request.method === 'POST' ? JSON.stringify(answers[request.url ?? '']) : '');
});
storage.requestTimeout = 0;
storage.listen(0, '127.0.0.1');
await once(storage, 'listening');
const origin = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`;

process.send?.({
  sandboxUrl: sandbox.baseUrl,
  devices: sandbox.devices().map(({ info }) => info),
  wasteUrl: `${origin}/v1`,
} satisfies Clouds);
process.once('disconnect', () => process.exit());
