/**
 * Runs in a container, in the network of the others: a sandbox cloud on port 8080, and on port 5038 an adb server with
 * the recorded phones. Prints for each report its answer, the name of the host and how many phones the cloud holds.
 */
import type { DevicesBody } from '../../src/cloud/contract.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { SandboxCloud } from '../../src/demo/sandbox-cloud.ts';

const [username = '', apiKey = ''] = process.argv.slice(2);

const adb = await SimulatedAdbServer.start({ port: 5038 });
for (const recording of recordings) adb.plug(new SimulatedPhone(recording));

const cloud = await SandboxCloud.start({ username, apiKey, port: 8080 });
cloud.on('answered', ({ method, status, body }) => {
  if (method !== 'PUT') return;
  const { nodeId } = body as DevicesBody;
  process.stdout.write(`PUT ${status} ${nodeId} ${cloud.devices().length}\n`);
});
process.stdout.write('ready\n');
