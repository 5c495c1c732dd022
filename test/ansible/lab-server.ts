/**
 * What hosts reach beside them: a sandbox cloud on port 8080, and on port 8099 a web server for the folder $2, both at the
 * address $1. Prints each report's answer and the host that sent it: `PUT 200 lab-1`.
 */
import { createReadStream, existsSync } from 'node:fs';
import { createServer as createWebServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { join, normalize } from 'node:path';
import type { DevicesBody } from '../../src/cloud/contract/report.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { seedOfOneUser } from '../../src/sandbox/seed.ts';
import { keys } from '../systemd/keys.ts';

const [address = '', folder = ''] = process.argv.slice(2);

process.stdin.resume().on('end', () => process.exit()); // its parent has ended

const cloud = await Sandbox.start({
  port: 8080,
  seed: seedOfOneUser({ username: 'lab', apiKey: keys.first }),
});
cloud.on('answered', ({ method, status, body }) => {
  if (method === 'PUT') process.stdout.write(`PUT ${status} ${(body as DevicesBody | undefined)?.nodeId}\n`);
});
// the sandbox listens on the loopback alone
createServer((socket) => {
  const onward = connect(8080, '127.0.0.1');
  socket.pipe(onward).pipe(socket);
  for (const end of [socket, onward]) end.on('error', () => [socket, onward].map((each) => each.destroy()));
}).listen(8080, address);

createWebServer((request, response) => {
  const file = join(folder, normalize(`/${request.url}`));
  if (existsSync(file)) createReadStream(file).pipe(response.writeHead(200));
  else response.writeHead(404).end();
}).listen(8099, address, () => process.stdout.write('ready\n'));
