/**
 * Runs in the guest: `phones` is an adb server on port 5037 with the recorded phones, `cloud` a sandbox cloud, `tester`
 * a phone on the host's real adb server with a test that runs on it: it prints a number after the other, and `cut`
 * when that ends.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { SandboxCloud } from '../../src/demo/sandbox-cloud.ts';
import { SimulatedPhone as RigPhone } from '../rig/rig.ts';
import { askAdb, openOnPhone } from '../rig/smart-socket.ts';
import { keys } from './keys.ts';

const PORT = 5037;
const COUNT = 'shell:i=0; while true; do echo $i; i=$((i+1)); sleep 0.1; done';

const say = (text: string) => process.stdout.write(`${text}\n`);

const parts: Record<string, (argument?: string) => Promise<void>> = {
  async phones() {
    const adb = await SimulatedAdbServer.start({ port: PORT });
    for (const recording of recordings) adb.plug(new SimulatedPhone(recording));
  },

  /** @param argument the key's name, or `slow`: the first key, and each report takes 3 s */
  async cloud(argument) {
    const apiKey = argument === 'next' ? keys.next : keys.first;
    const cloud = await SandboxCloud.start({ username: 'lab', apiKey, port: 8080 });
    if (argument === 'slow') cloud.faults.next({ kind: 'slow', ms: 3000 }, 100);
    cloud.on('received', ({ method }) => say(`${method} begins`));
    cloud.on('answered', ({ method, status }) => say(`${method} ${status}`));
  },

  async tester() {
    const phone = await RigPhone.start('smartron-t5911-8.1');
    while (!(await askAdb(PORT, `host:connect:${phone.serial}`).catch(String)).startsWith('connected')) {
      await pause(200);
    }
    const test = await openOnPhone(PORT, phone.serial, COUNT);
    test.on('data', (data) => process.stdout.write(data));
    test.on('close', () => say('cut'));
  },
};

const [part = '', argument] = process.argv.slice(2);
await parts[part]?.(argument);
