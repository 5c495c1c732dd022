/** Runs in the guest: `phones` is an adb server on port 5037 with the recorded phones, `cloud` a sandbox cloud. */
import { SimulatedAdbServer } from '../../src/demo/adb-server.ts';
import { SimulatedPhone } from '../../src/demo/phone.ts';
import { recordings } from '../../src/demo/phones/index.ts';
import { SandboxCloud } from '../../src/demo/sandbox-cloud.ts';
import { keys } from './keys.ts';

const [part, name] = process.argv.slice(2);

if (part === 'phones') {
  const adb = await SimulatedAdbServer.start({ port: 5037 });
  for (const recording of recordings) adb.plug(new SimulatedPhone(recording));
} else {
  const apiKey = name === 'next' ? keys.next : keys.first;
  const cloud = await SandboxCloud.start({ username: 'lab', apiKey, port: 8080 });
  cloud.on('answered', ({ status }) => process.stdout.write(`PUT ${status}\n`));
}
