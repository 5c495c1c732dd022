import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { TestServer } from '../support/cloud-server.ts';
import { hostnode, Program, programFile } from '../support/program.ts';
import { temporaryFolder } from '../support/program-lab.ts';

/** A storage that takes a beginning, and never answers. */
async function silentStorage(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return server;
}

it('an upload that is ended by Ctrl-C says what is left behind, and shows no upload URL', async () => {
  const storage = await silentStorage();
  const url = `http://127.0.0.1:${(storage.address() as AddressInfo).port}/shop?X-Acme-Signature=c2VjcmV0`;
  const cloud = await TestServer.listen((_, response) =>
    response.end(JSON.stringify({ appPath: 'up/1', url })),
  );
  onTestFinished(() => cloud[Symbol.asyncDispose]());
  const file = join(await temporaryFolder(), 'shop.apk');
  await writeFile(file, Buffer.alloc(3_000_000));
  const program = new Program([process.execPath, programFile(), 'cloud', 'apps', 'upload', file], {
    HOSTNODE_CLOUD_BASE_URL: `http://127.0.0.1:${cloud.port}/v1`,
    HOSTNODE_CLOUD_USERNAME: 'lab',
    HOSTNODE_CLOUD_API_KEY: 'k3y-of-the-lab',
  });
  const arrived = once(storage, 'request', { signal: AbortSignal.timeout(50_000) });
  await arrived;
  program.signal('SIGINT');
  expect(await program.ended).toBe(1);
  expect(program.stdout).toBe('');
  expect(program.stderr).toContain(
    'No app was registered; the storage may have the file, or a part of it, as "up/1"',
  );
  expect(program.stderr).not.toContain('Signature');
});

it('an upload of a pipe is refused, and waits for no writer', async () => {
  const pipe = join(await temporaryFolder(), 'shop.apk');
  execFileSync('mkfifo', [pipe]);
  const { code, stderr } = await hostnode(['cloud', 'apps', 'upload', pipe], {
    HOSTNODE_CLOUD_BASE_URL: 'http://127.0.0.1:9/v1',
    HOSTNODE_CLOUD_USERNAME: 'lab',
    HOSTNODE_CLOUD_API_KEY: 'k3y-of-the-lab',
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: `hostnode: ${pipe}: is not a regular file\n` });
});
