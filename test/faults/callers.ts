/** Faults of those who call the agent: at its page's port, and on its Unix socket. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { join } from 'node:path';
import { follow, requestAgent } from '../../src/status/http/client.ts';
import type { Fault } from './fault.ts';
import { stateOf } from './surroundings.ts';
import type { World } from './world.ts';

const password = 'open sesame';

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

async function portOf(world: World): Promise<number> {
  const { url } = await world.agent.says('status page');
  return Number(new URL(String(url)).port);
}

const socketOf = (world: World): string => join(stateOf(world), 'hostnode.sock');

/** The status of the answer; 0 where there is none. */
function answer(port: number, path: string, localAddress: string, said?: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = said === undefined ? {} : { authorization: `Basic ${btoa(`lab:${said}`)}` };
    const sent = get({ port, host: '127.0.0.1', path, localAddress, headers, agent: false, timeout: 30_000 });
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    sent.on('timeout', () => sent.destroy()).on('close', () => resolve(0));
    sent.on('error', () => resolve(0));
  });
}

/** Callers that connect, say this and read nothing, until the fault ends. */
class Stuck {
  readonly #sockets: Socket[] = [];

  async call(count: number, where: (index: number) => NetConnectOpts, words: string): Promise<void> {
    const fresh = Array.from({ length: count }, (_, index) => connect(where(index)).pause());
    this.#sockets.push(...fresh);
    await Promise.all(
      fresh.map(async (socket) => {
        socket.on('error', () => {});
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
        socket.write(words);
      }),
    );
  }

  end(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }
}

/** Many callers do this; others are answered, and the agent works. */
function stuck(name: string, call: (world: World, callers: Stuck) => Promise<unknown>): Fault {
  const callers = new Stuck();
  return {
    name,
    async fault(world) {
      world.onClose(async () => callers.end());
      await call(world, callers);
    },
    async observed(world) {
      assert.equal(await answer(await portOf(world), '/healthz', '127.0.9.9'), 200);
      assert.equal((await requestAgent(socketOf(world), { path: '/healthz', timeoutMs: 5_000 })).status, 200);
      const end = new AbortController();
      const { value } = await follow(socketOf(world), end.signal).next();
      assert.match(String(value), /"phones":/);
      end.abort();
      await world.stored(2);
    },
    mend: () => callers.end(),
  };
}

/** Over TCP, each from one of so many addresses of this host. */
const from =
  (port: number, addresses: number) =>
  (index: number): NetConnectOpts => ({
    port,
    host: '127.0.0.1',
    localAddress: `127.0.8.${(index % addresses) + 1}`,
  });

function passwordGuessed(): Fault {
  const guesses: Promise<number>[] = [];
  return {
    name: 'the password of the page is guessed from 223 addresses',
    given: {
      before: (world) => writeFile(join(world.folder, 'password'), password, { mode: 0o600 }),
      env: (world) => ({ HOSTNODE_STATUS_PASSWORD_FILE: join(world.folder, 'password') }),
    },
    async fault(world) {
      const port = await portOf(world);
      for (let number = 0; number < 2_000; number += 1)
        guesses.push(answer(port, '/api/status', `127.0.8.${(number % 223) + 1}`, `guess ${number}`));
    },
    async observed(world) {
      const port = await portOf(world);
      await Promise.all(guesses);
      assert.equal(await answer(port, '/api/status', '127.0.9.9', password), 200);
      assert.equal(await answer(port, '/api/status', '127.0.9.9', password), 200);
      await world.stored(1);
    },
    mend: nothing,
    async never(world) {
      const looked = (await Promise.all(guesses.splice(0))).filter((status) => status === 401).length;
      const most = 20 + 2 * world.elapsedSeconds + 223;
      assert.ok(looked <= most, `${looked} guesses were looked at in ${Math.round(world.elapsedSeconds)} s`);
    },
  };
}

const nothing = () => {};

export const callers: Fault[] = [
  stuck('a scraper pipelines requests and never reads', async (world, callers) => {
    for (const path of ['/metrics', '/api/status', '/'])
      await callers.call(190, from(await portOf(world), 1), request(path).repeat(100));
  }),
  stuck('one address opens connections without end', async (world, callers) =>
    callers.call(2_000, from(await portOf(world), 1), ''),
  ),
  stuck('many addresses follow and never read', async (world, callers) =>
    callers.call(400, from(await portOf(world), 100), request('/api/events')),
  ),
  stuck('callers on the Unix socket end no request', async (world, callers) => {
    const path = socketOf(world);
    await callers.call(250, () => ({ path }), '');
    await callers.call(
      250,
      () => ({ path }),
      'POST /report HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
    );
  }),
  stuck('callers on the Unix socket never read', async (world, callers) => {
    const path = socketOf(world);
    await callers.call(40, () => ({ path }), request('/api/events'));
    await callers.call(150, () => ({ path }), request('/api/status').repeat(8));
    await callers.call(150, () => ({ path }), request('/metrics').repeat(100));
  }),
  passwordGuessed(),
];
