/** The status server with a host of one phone, and strangers who speak to it byte by byte. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { Secret } from '../../src/config/secrets.ts';
import type { Commands } from '../../src/status/control-api.ts';
import { createStatusServer } from '../../src/status/http/server.ts';
import { host, phone, SampleSource } from '../support/sample-status.ts';

const notHere = (): never => {
  throw new Error('not in this test');
};
const nothing: Commands = {
  report: notHere,
  forget: notHere,
  list: notHere,
  maintain: notHere,
  drain: notHere,
  end: notHere,
  bookings: notHere,
  endReservations: notHere,
  note: notHere,
  history: notHere,
  why: notHere,
  verdict: notHere,
};

export interface Served {
  /** Of a free port of this host: on all its addresses of 127.0.0.0/8. */
  url: URL;
  socketPath: string;
  source: SampleSource;
}

export async function serve({
  password,
  metrics = async () => 'hostnode_up 1\n',
  commands = {},
}: {
  password?: string;
  metrics?: () => Promise<string>;
  commands?: Partial<Commands>;
} = {}): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-http-'));
  const listening = Promise.withResolvers<URL>();
  const source = new SampleSource(host([phone({ name: 'a name that is nobody else’s business' })]));
  const socketPath = join(folder, 'hostnode.sock');
  const server = createStatusServer({
    config: {
      listeners: [{ address: '0.0.0.0', port: 0, parts: ['page', 'metrics', 'health'] }],
      hostNames: [],
      ...(password !== undefined && { password: new Secret(password) }),
    },
    socketPath,
    source,
    commands: { ...nothing, ...commands },
    past: { uptime: notHere, samples: notHere, events: notHere },
    metrics: { contentType: 'text/plain; version=0.0.4', text: metrics },
    log: createLogger({
      level: 'info',
      format: 'json',
      destination: (line) => {
        const { url } = JSON.parse(line);
        if (url !== undefined) listening.resolve(new URL(url));
      },
    }).logger,
  });
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });
  await server.start();
  const { port } = await listening.promise;
  return { url: new URL(`http://127.0.0.1:${port}/`), socketPath, source };
}

/** @param from the caller's own address, e.g. 127.0.0.7 */
export const dial = ({ port, hostname }: URL, from = '127.0.0.1'): Socket =>
  dialled({ port: Number(port), host: hostname, localAddress: from });

export const dialSocket = (path: string): Socket => dialled({ path });

function dialled(where: NetConnectOpts): Socket {
  const socket = connect(where)
    .setEncoding('utf8')
    .on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

export const connected = (sockets: readonly Socket[]): Promise<unknown> =>
  Promise.all(sockets.map((socket) => (socket.connecting ? once(socket, 'connect') : undefined)));

/** Resolves when the server, or the network, has ended it, also where nothing of it is read. */
export const ended = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

/** All that comes back for these bytes until the server hangs up. */
export async function say(url: URL, text: string, from?: string): Promise<string> {
  const socket = dial(url, from);
  socket.write(text);
  return heard(socket);
}

export async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  await ended(socket);
  return text;
}

export const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

export const lastly = 'Connection: close\r\n';

/** One request, from this address. */
export const answerTo = (url: URL, path: string, from?: string, headers = ''): Promise<string> =>
  say(url, get(path, `${headers}${lastly}`), from).then((text) => statusesOf(text)[0] ?? 'none');

export const basic = (password: string): string =>
  `Authorization: Basic ${Buffer.from(`lab:${password}`).toString('base64')}\r\n`;

export const statusesOf = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status = '']) => status);
