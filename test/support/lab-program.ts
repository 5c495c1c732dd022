/**
 * The lab where the agent runs in a guest or a container: one part for each call.
 * `phones`: an adb server on port 5037 with the recorded phones. `cloud`: a sandbox cloud on port 8080. `tester`: a phone
 * on the host's real adb server with a test that runs on it: it prints a number after the other, and `cut` when that
 * ends. `container`: a cloud, and on port 5038 the recorded phones; it prints for each report its answer, the name of
 * the host and how many phones the cloud holds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { DevicesBody } from '../../src/cloud/contract/report.ts';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import { keys } from '../systemd/keys.ts';

const ADB_PORT = 5037;
const startCloud = (apiKey: string) =>
  Sandbox.start({ port: 8080, seed: seedOfOneUser({ username: 'lab', apiKey }) });
const COUNT = 'shell:i=0; while true; do echo $i; i=$((i+1)); sleep 0.1; done';

const say = (text: string) => process.stdout.write(`${text}\n`);

async function startPhones(port: number): Promise<void> {
  const adb = await SimulatedAdbServer.start({ port });
  for (const recording of recordings) adb.plug(new SimulatedPhone(recording));
}

const parts: Record<string, (argument?: string) => Promise<void>> = {
  phones: () => startPhones(ADB_PORT),

  /** @param argument the key's name, or `slow`: the first key, and each report takes 3 s */
  async cloud(argument) {
    const cloud = await startCloud(argument === 'next' ? keys.next : keys.first);
    if (argument === 'slow') cloud.faults.next({ kind: 'slow', ms: 3000 }, 100);
    cloud.on('received', ({ method }) => say(`${method} begins`));
    cloud.on('answered', ({ method, status }) => say(`${method} ${status}`));
  },

  async tester() {
    // a container has no files of the rig
    const [{ SimulatedPhone: RigPhone }, { askAdb, openOnPhone }] = await Promise.all([
      import('../rig/rig.ts'),
      import('../rig/smart-socket.ts'),
    ]);
    const phone = await RigPhone.start('smartron-t5911-8.1');
    while (!(await askAdb(ADB_PORT, `host:connect:${phone.serial}`).catch(String)).startsWith('connected')) {
      await pause(200);
    }
    const test = await openOnPhone(ADB_PORT, phone.serial, COUNT);
    test.on('data', (data) => process.stdout.write(data));
    test.on('close', () => say('cut'));
  },

  async container() {
    await startPhones(ADB_PORT + 1);
    const cloud = await startCloud(keys.first);
    cloud.on('answered', ({ method, status, body }) => {
      const { nodeId } = body as DevicesBody;
      if (method === 'PUT') say(`PUT ${status} ${nodeId} ${cloud.devices().length}`);
    });
    say('ready');
  },
};

const [part = '', argument] = process.argv.slice(2);
await parts[part]?.(argument);
