import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { CloudError } from '../../src/cloud/errors.ts';
import { body } from '../support/cloud-server.ts';
import { clientOf } from './exchange.ts';

/** What a report comes to through a proxy that answers so. */
async function through(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const client = clientOf(
    { port },
    {
      baseUrl: 'https://cloud.example/v1',
      proxyEnv: { HTTPS_PROXY: `http://robot:hunter2@127.0.0.1:${port}` },
    },
  );
  const outcome: unknown = await client.putDevices(body).catch((error: unknown) => error);
  client.close();
  server.close();
  return outcome;
}

/** Sends piece after piece, each in a packet of its own, while they last and somebody listens. */
function dribble(socket: Socket, pieces: Iterator<string>): void {
  const { value, done } = pieces.next();
  if (done) return;
  if (!socket.destroyed) socket.write(value, () => setImmediate(dribble, socket, pieces));
}

it('reads an answer of the proxy in a hundred pieces', async () => {
  const answer = `HTTP/1.1 407 No\r\n${'x-a: b\r\n'.repeat(30)}\r\n`;
  const outcome = await through((socket) => dribble(socket, answer[Symbol.iterator]()));
  expect(outcome).toBeInstanceOf(CloudError);
  expect(outcome).toMatchObject({
    status: 407,
    message: expect.stringContaining('the proxy requires a login'),
  });
});

it('says that a proxy speaks no HTTP, as one for SOCKS', async () => {
  const outcome = await through((socket) => socket.end('\x05\xff'));
  expect(outcome).toMatchObject({
    code: 'CLOUD_UNAVAILABLE',
    message: expect.stringMatching(
      /HTTPS_PROXY.*: the server there does not speak HTTP.*check HTTPS_PROXY, its scheme/,
    ),
  });
});

it('ends an answer of the proxy that never ends', async () => {
  let closed: Promise<unknown> | undefined;
  const outcome = await through((socket) => {
    closed = new Promise((resolve) => socket.once('close', resolve));
    dribble(
      socket,
      (function* () {
        yield 'HTTP/1.1 200 OK\r\n';
        for (;;) yield `x-a: ${'b'.repeat(8_000)}\r\n`;
      })(),
    );
  });
  expect(outcome).toMatchObject({
    code: 'CLOUD_UNAVAILABLE',
    message: expect.stringContaining('HPE_HEADER_OVERFLOW'),
  });
  await closed;
});

it('ends an answer of the proxy that comes word by word', async () => {
  let closed: Promise<unknown> | undefined;
  const outcome = await through((socket) => {
    closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('HTTP/1.1 200 OK\r\n');
    const words = setInterval(() => socket.write('x-a: b\r\n'), 20);
    socket.once('close', () => clearInterval(words));
  });
  expect(outcome).toMatchObject({ code: 'CLOUD_UNAVAILABLE' });
  await closed;
});
