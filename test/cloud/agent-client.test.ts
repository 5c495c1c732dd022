import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../../src/base/errors.ts';
import { proxyFor } from '../../src/cloud/proxy.ts';
import { body, machine, TestServer } from '../support/cloud-server.ts';
import { freePort, RawServer } from '../support/raw-server.ts';
import { answering, clientOf, credentials, failure, overEach, put } from './exchange.ts';

overEach(() => {
  describe('a report that the cloud stores', () => {
    it('is one authenticated PUT of JSON that asks for no compression', async () => {
      const { outcome, received } = await put(answering(200, '{"failedDevices":[]}'));
      expect(outcome).toEqual({ failedDevices: [] });
      expect(received).toHaveLength(1);
      expect(received[0]).toMatchObject({
        method: 'PUT',
        url: '/v1/devices',
        headers: {
          authorization: `Basic ${credentials}`,
          'content-type': 'application/json',
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'hostnode/1.2.3',
        },
      });
      expect(JSON.parse(received[0]?.body ?? '')).toEqual(body);
    });

    it('names the devices that could not be stored, in printable words, unknown keys ignored', async () => {
      const text = JSON.stringify({
        failedDevices: [{ udid: 'A', message: 'no\u0007room', code: 7 }],
        stored: 2,
      });
      const { outcome } = await put(answering(200, text));
      expect(outcome).toEqual({ failedDevices: [{ udid: 'A', message: 'no␇room' }] });
    });

    it.each(['{}', '{"failedDevices":null}'])('none failed when the answer is %s', async (text) => {
      expect((await put(answering(200, text))).outcome).toEqual({ failedDevices: [] });
    });

    it('goes over one connection, report after report', async () => {
      const ports = new Set<number | undefined>();
      await using server = await TestServer.listen((request, response) => {
        ports.add(request.socket.remotePort);
        response.end('{"failedDevices":[]}');
      });
      const client = clientOf(server);
      for (let round = 0; round < 3; round++) await client.putDevices(body);
      client.close();
      expect(server.received).toHaveLength(3);
      expect(ports.size).toBe(1);
    });
  });

  describe('a cloud that closes the connection just as it is used again', () => {
    const cuts: [string, (request: IncomingMessage) => void][] = [
      ['with a reset', (request) => request.socket.resetAndDestroy()],
      ['in good order', (request) => request.socket.destroy()],
    ];

    it.each(cuts)('%s gets the report once more, on a new one', async (_, cut) => {
      const ports: (number | undefined)[] = [];
      await using server = await TestServer.listen((request, response) => {
        ports.push(request.socket.remotePort);
        if (ports.length === 2) cut(request);
        else response.end('{"failedDevices":[]}');
      });
      const client = clientOf(server);
      await client.putDevices(body);
      expect(await client.putDevices(body)).toEqual({ failedDevices: [] });
      client.close();
      expect(server.received.map((received) => JSON.parse(received.body))).toEqual([body, body, body]);
      expect(ports.map((port) => port === ports[0])).toEqual([true, true, false]);
    });

    it('and does so again is unavailable: once is an ordinary thing', async () => {
      await using server = await TestServer.listen((request, response) => {
        if (server.received.length > 1) request.socket.destroy();
        else response.end('{"failedDevices":[]}');
      });
      const client = clientOf(server);
      await client.putDevices(body);
      await expect(client.putDevices(body)).rejects.toMatchObject({ code: 'CLOUD_UNAVAILABLE' });
      client.close();
      expect(server.received).toHaveLength(3);
    });

    it('in the middle of its answer is unavailable, and asked no more', async () => {
      await using server = await TestServer.listen((request, response) => {
        if (server.received.length === 1) response.end('{"failedDevices":[]}');
        else response.writeHead(200).write('{"failed', () => request.socket.destroy());
      });
      const client = clientOf(server);
      await client.putDevices(body);
      await expect(client.putDevices(body)).rejects.toMatchObject({ code: 'CLOUD_UNAVAILABLE' });
      client.close();
      expect(server.received).toHaveLength(2);
    });
  });

  describe('a cloud that wants to switch protocols', () => {
    it('has not answered, and leaves no connection behind', async () => {
      const sockets: Duplex[] = [];
      await using server = await TestServer.listen(({ socket }) => {
        sockets.push(socket);
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
      });
      const client = clientOf(server);
      await expect(client.putDevices(body)).rejects.toMatchObject({
        code: 'CLOUD_ANSWER_INVALID',
        status: 101,
        message: expect.stringContaining('the answer is not one of this API: 101; check the base URL'),
      });
      await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), 50_000);
      client.close();
      expect(server.received).toHaveLength(1);
    });
  });

  describe('a cloud that answers before it has read the report', () => {
    it('is heard, and a stop after that harms nobody', async () => {
      const early = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
      await once(early, 'listening');
      const stopping = new AbortController();
      const long = { ...body, machine: { ...machine, hostname: 'x'.repeat(20_000_000) } };
      const client = clientOf({ port: (early.address() as AddressInfo).port });
      const outcome = client.putDevices(long, stopping.signal);
      await expect(outcome).rejects.toMatchObject({ code: 'CLOUD_UNAVAILABLE', status: 503 });
      stopping.abort();
      await setImmediate(); // an error that nobody handles would end the process here
      client.close();
      early.closeAllConnections();
      early.close();
    });
  });

  describe('the list of devices', () => {
    it('is read with the filters as a query', async () => {
      const list = {
        privateDevices: [{ id: 1, udid: 'A', isOnline: true }],
        favoriteDevices: [],
        cloudDevices: [],
      };
      await using server = await TestServer.listen(answering(200, JSON.stringify(list)));
      const client = clientOf(server);
      expect(await client.getDevices({ isPlugged: true, deviceName: ['Pixel 8', 'Pixel 9'] })).toEqual(list);
      client.close();
      expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'GET /v1/devices?deviceName=Pixel+8%2CPixel+9&isPlugged=true',
      ]);
    });
  });

  describe('a cloud that cannot be reached', () => {
    it('is said to be unavailable when nothing listens', async () => {
      const server = await TestServer.listen(answering(200));
      const { port } = server;
      await server[Symbol.asyncDispose]();
      const error: unknown = await clientOf({ port })
        .putDevices(body)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'CLOUD_UNAVAILABLE',
        message: `PUT http://127.0.0.1:${port}/v1/devices: nothing listens there (ECONNREFUSED); check the base URL and the firewall`,
      });
    });

    it.each<[string, RequestListener]>([
      ['before it answers', (request) => request.socket.resetAndDestroy()],
      [
        'in the middle of its answer',
        (request, response) => {
          response.writeHead(200, { 'content-length': '20' });
          response.write('{"failed', () => request.socket.destroy());
        },
      ],
    ])('is unavailable when it cuts the connection %s', async (_, answer) => {
      expect((await failure(answer)).error.code).toBe('CLOUD_UNAVAILABLE');
    });

    it.each<[string, RequestListener]>([
      ['at all', () => {}],
      ['to the end', (_, response) => response.writeHead(200).write('{')],
    ])('is unavailable when it does not answer %s', async (_, answer) => {
      const { error, address, received } = await failure(answer, { requestTimeoutMs: 300 });
      expect(error).toMatchObject({
        code: 'CLOUD_UNAVAILABLE',
        message: `${address}: no answer within 0.3 s; check the base URL, the firewall and the proxy`,
      });
      expect(received).toHaveLength(1);
    });

    it('is unavailable when it takes the connection and shows no certificate', async () => {
      await using silent = await RawServer.start();
      const client = clientOf(silent, {
        baseUrl: `https://127.0.0.1:${silent.port}/v1`,
        connectTimeoutMs: 300,
      });
      await expect(client.putDevices(body)).rejects.toThrow('no connection within 0.3 s');
      client.close();
    });

    it('is let go at once, for the reason given, when the agent stops', async () => {
      const stop = new AbortController();
      await using server = await TestServer.listen(() => stop.abort(new Error('stopping')));
      const client = clientOf(server);
      await expect(client.putDevices(body, stop.signal)).rejects.toThrow('stopping');
      await expect(client.putDevices(body, stop.signal)).rejects.toThrow('stopping');
      client.close();
      expect(server.received).toHaveLength(1);
    });
  });

  describe('a proxy in the environment', () => {
    const proxyTo = (port: number) => `http://robot:hunter2@127.0.0.1:${port}`;

    it('carries a plain request whole', async () => {
      await using proxy = await TestServer.listen(answering(200, '{"failedDevices":[]}'));
      const client = clientOf(
        { port: 9 },
        { baseUrl: 'http://cloud.example/v1', proxyEnv: { HTTP_PROXY: proxyTo(proxy.port) } },
      );
      expect(await client.putDevices(body)).toEqual({ failedDevices: [] });
      client.close();
      expect(proxy.received.map(({ url }) => url)).toEqual(['http://cloud.example/v1/devices']);
    });

    it('is asked for a tunnel to an https address, and its wish for a login is told', async () => {
      const tunnels: (string | undefined)[] = [];
      const server = createServer().on('connect', (request, socket) => {
        tunnels.push(request.url);
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      });
      await using proxy = await TestServer.listen(answering(500), server);
      const client = clientOf(proxy, {
        baseUrl: 'https://cloud.example/v1',
        proxyEnv: { HTTPS_PROXY: proxyTo(proxy.port) },
      });
      const error: unknown = await client.putDevices(body).catch((thrown: unknown) => thrown);
      client.close();
      expect(tunnels).toEqual(['cloud.example:443']);
      expect(error).toMatchObject({ code: 'CLOUD_UNAUTHORIZED', status: 407 });
      expect(inspect(error)).not.toContain('hunter2');
    });

    it('needs no http:// before it, and what is said of the other protocol does not matter', async () => {
      await using proxy = await TestServer.listen(answering(200, '{"failedDevices":[]}'));
      const client = clientOf(
        { port: 9 },
        {
          baseUrl: 'http://cloud.example/v1',
          proxyEnv: { http_proxy: `127.0.0.1:${proxy.port}`, https_proxy: 'socks5://host:1080' },
        },
      );
      expect(await client.putDevices(body)).toEqual({ failedDevices: [] });
      client.close();
      expect(proxy.received.map(({ url }) => url)).toEqual(['http://cloud.example/v1/devices']);
    });

    it('is left aside for plain HTTP to this host, which would leave it with the key in it', async () => {
      await using proxy = await TestServer.listen(answering(200, '{"failedDevices":[]}'));
      const proxyEnv = { HTTP_PROXY: proxyTo(proxy.port) };
      for (const host of ['127.0.0.1', '127.9.0.1', 'localhost', '[::1]']) {
        const client = clientOf({ port: 9 }, { baseUrl: `http://${host}:9/v1`, proxyEnv });
        await expect(client.putDevices(body)).rejects.toThrow(/nothing listens there|no connection/);
        client.close();
        expect(proxyFor(new URL(`http://${host}:9/v1`), proxyEnv)).toBeUndefined();
      }
      expect(proxy.received).toEqual([]);
      expect(proxyFor(new URL('https://localhost/v1'), { HTTPS_PROXY: 'http://proxy' })).toBeDefined();
    });

    it('is left aside for the addresses of NO_PROXY', async () => {
      const { outcome } = await put(answering(200, '{}'), {
        proxyEnv: { HTTP_PROXY: proxyTo(9), NO_PROXY: '127.0.0.1' },
      });
      expect(outcome).toEqual({ failedDevices: [] });
    });

    it.each([
      ['https://cloud.example/v1', 'HTTPS_PROXY', '127.0.0.1', 'nothing listens there'],
      ['http://cloud.example/v1', 'http_proxy', '127.0.0.1', 'nothing listens there'],
      ['https://cloud.example/v1', 'https_proxy', 'proxy.invalid', ''],
    ])('that is not there is named in place of the cloud: %s, %s', async (baseUrl, variable, host, why) => {
      const port = await freePort();
      const proxyEnv = { [variable]: `http://robot:hunter2@${host}:${port}` };
      const client = clientOf({ port: 9 }, { baseUrl, proxyEnv });
      const error: unknown = await client.putDevices(body).catch((thrown: unknown) => thrown);
      client.close();
      expect(error).toMatchObject({
        code: 'CLOUD_UNAVAILABLE',
        message: expect.stringContaining(`the proxy ${host}:${port} (${variable}): ${why}`),
      });
      expect(inspect(error)).not.toMatch(/hunter2|base URL/);
    });

    it.each([
      ['accepts and answers nothing', ''],
      ['opens the tunnel to a cloud that answers nothing', 'HTTP/1.1 200 Connection established\r\n\r\n'],
    ])('that %s is given up in time', async (_, answer) => {
      const sockets: Duplex[] = [];
      const server = createServer().on('connect', (_request, socket) => {
        sockets.push(socket.on('end', () => socket.destroy()).resume());
        socket.write(answer);
      });
      await using proxy = await TestServer.listen(answering(500), server);
      const client = clientOf(proxy, {
        baseUrl: 'https://cloud.example/v1',
        proxyEnv: { HTTPS_PROXY: proxyTo(proxy.port) },
        requestTimeoutMs: 200,
      });
      const error: unknown = await client.putDevices(body).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'CLOUD_UNAVAILABLE',
        message: expect.stringContaining('the proxy'),
      });
      await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), 50_000);
      client.close();
    });

    it.each(['100 Continue', '101 Switching Protocols', '302 Found', '403 Forbidden', '407 Login'])(
      'that refuses with %s and keeps its connection open leaves none behind',
      async (status) => {
        const sockets: Duplex[] = [];
        const server = createServer().on('connect', (_request, socket) => {
          sockets.push(socket.on('error', () => {}));
          socket.on('end', () => socket.destroy()).resume();
          socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
        });
        await using proxy = await TestServer.listen(answering(500), server);
        const client = clientOf(proxy, {
          baseUrl: 'https://cloud.example/v1',
          proxyEnv: { HTTPS_PROXY: proxyTo(proxy.port) },
        });
        await expect(client.putDevices(body)).rejects.toMatchObject({
          code: status.startsWith('407') ? 'CLOUD_UNAUTHORIZED' : 'CLOUD_UNAVAILABLE',
        });
        await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), 50_000);
        client.close();
      },
    );

    it.each([
      'http://robot:hunter2@host:99999',
      'http://robot:hunter2%ZZ@host:3128',
      'socks5://robot:hunter2@host:1080',
    ])('that is no address is a wrong configuration, told without its password: %s', (address) => {
      const make = () => clientOf({ port: 9 }, { proxyEnv: { HTTP_PROXY: address } });
      expect(make).toThrow(ConfigError);
      expect(make).not.toThrow(/hunter2/);
    });
  });
});
