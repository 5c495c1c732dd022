/** Many connections, much asked for and nothing read: it costs the one who does it, and nobody else. */
import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { follow, NoAgentError, requestAgent } from '../../src/status/http/client.ts';
import { createHttpServer, MOST_UNANSWERED, tcpLimits } from '../../src/status/http/http-server.ts';
import {
  answerTo,
  connected,
  dial,
  dialSocket,
  ended,
  get,
  heard,
  lastly,
  say,
  serve,
  statusesOf,
} from './served-status.ts';

/** Larger than what the kernel keeps for a reader that does not read. */
const LARGE = 'x'.repeat(16 * 1024 * 1024);

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('requests that are piled up and never read', { timeout: 60_000 }, () => {
  it('end their connection, cost one rendering of the metrics, and keep nobody waiting', async () => {
    let renders = 0;
    const { url } = await serve({
      async metrics() {
        renders += 1;
        return LARGE;
      },
    });
    const sockets = times(190, () => dial(url).pause());
    await connected(sockets);
    for (const socket of sockets) socket.write(get('/metrics').repeat(100));
    expect(await answerTo(url, '/healthz')).toBe('200');
    await Promise.all(sockets.map((socket) => ended(socket.resume())));
    expect(renders).toBeLessThan(sockets.length);
    expect(await answerTo(url, '/healthz')).toBe('200');
  });

  it.each([
    '/metrics',
    '/api/status',
    '/api/phones/R58M1',
    '/api/events',
    '/healthz',
    '/readyz',
    '/',
    '/none',
    '/%',
    '/phones',
  ])('end their connection: %s', async (path) => {
    const { url, socketPath } = await serve();
    for (const socket of [dial(url), dialSocket(socketPath)]) {
      socket.write(get(path).repeat(MOST_UNANSWERED + 1));
      expect(statusesOf(await heard(socket)).length).toBeLessThanOrEqual(MOST_UNANSWERED);
    }
  });

  it.each([
    ['Expect: much\r\n', 'a wish that nobody grants'],
    ['Expect: 100-continue\r\n', 'a body to come'],
    ['Content-Length: 2\r\n\r\nab', 'a body'],
  ])('end their connection with %j', async (header) => {
    const { url } = await serve();
    const socket = dial(url);
    const rest = header.includes('\r\n\r\n') ? header : `${header}\r\n`;
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${rest}`.repeat(MOST_UNANSWERED + 1));
    const answers = statusesOf(await heard(socket)).filter((status) => status !== '100');
    expect(answers.length).toBeLessThanOrEqual(MOST_UNANSWERED);
  });

  it('are answered in their order where they are a few, also by one who hangs up behind them', async () => {
    const { url } = await serve();
    const few = get('/healthz') + get('/none') + get('/api/status', lastly);
    expect(statusesOf(await say(url, few))).toEqual(['200', '404', '200']);
    const socket = dial(url);
    socket.end(get('/healthz') + get('/none'));
    expect(statusesOf(await heard(socket))).toEqual(['200', '404']);
  });

  it('are not answered behind one that was to be the last', async () => {
    const { url } = await serve();
    expect(statusesOf(await say(url, get('/healthz', lastly) + get('/healthz').repeat(5)))).toHaveLength(1);
  });

  it('are not even parsed where they are very many', async () => {
    const asked: unknown[] = [];
    const server = createHttpServer((request, response) => response.end(request.url), tcpLimits);
    server.on('request', (request) => asked.push(request));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await say(url, 'GET / HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(50_000))).toBe('');
    expect(asked).toEqual([]);
  });

  it('take no place for followers who could hear nothing, and leave none behind', async () => {
    const { url } = await serve();
    const piling = times(20, () => dial(url));
    for (const socket of piling) {
      socket.write(get('/api/events').repeat(5));
      await once(socket, 'data');
    }
    expect(await Promise.all(times(30, () => followerOf(url)))).toEqual(Array(30).fill(200));
    expect(await followerOf(url)).toBe(503);
    for (const socket of piling) socket.destroy();
    while ((await followerOf(url)) === 503) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('with two thousand headers are refused', async () => {
    const { url } = await serve();
    expect(statusesOf(await say(url, get('/healthz', `${'a:b\r\n'.repeat(2000)}${lastly}`)))).toEqual([
      '431',
    ]);
  });
});

/** What comes of following from this address; the connection stays until the end of the test. */
async function followerOf(url: URL, localAddress = '127.0.0.1'): Promise<number | undefined> {
  const sent = httpGet(new URL('/api/events', url), { localAddress, agent: false });
  onTestFinished(() => {
    sent.destroy();
  });
  sent.on('error', () => {});
  const [response] = await once(sent, 'response');
  response.on('error', () => {});
  return response.statusCode;
}

describe('connections', { timeout: 60_000 }, () => {
  it('of one address are half of all at most, however many it opens', async () => {
    const { url } = await serve();
    const sockets = times(1_000, () => dial(url).resume());
    let open = sockets.length;
    for (const socket of sockets) socket.once('close', () => (open -= 1));
    await connected(sockets);
    await Promise.all(times(150, (index) => answerTo(url, '/healthz', `127.0.1.${index + 1}`))).then(
      (answers) => expect(answers).toEqual(Array(150).fill('200')),
    );
    expect(open).toBe(100);
  });

  it('of many addresses that fill all places make room for one that has fewer', async () => {
    const { url } = await serve();
    const sockets = times(300, (index) => dial(url, `127.0.1.${(index % 60) + 1}`).resume());
    await connected(sockets);
    for (const number of times(30, (index) => index + 1))
      expect(await answerTo(url, '/healthz', `127.0.2.${number}`)).toBe('200');
  });

  it('that do nothing after an answer make room for a newcomer of the same address', async () => {
    const { url } = await serve();
    const idle = times(100, () => dial(url));
    await Promise.all(
      idle.map((socket) => {
        socket.write(get('/healthz'));
        return once(socket, 'data');
      }),
    );
    for (const _ of times(20, String)) expect(await answerTo(url, '/healthz')).toBe('200');
  });
});

describe('those who follow', { timeout: 60_000 }, () => {
  it('over TCP take no place from those on the socket, nor one address all places of another', async () => {
    const { url, socketPath } = await serve();
    const followers = (count: number, from: string) => Promise.all(times(count, () => followerOf(url, from)));
    const first = await followers(60, '127.0.0.1');
    expect(first.filter((status) => status === 503)).toHaveLength(10);
    expect(await followers(50, '127.0.0.2')).toEqual(Array(50).fill(200));
    expect(await followers(5, '127.0.0.3')).toEqual(Array(5).fill(200));
    const end = new AbortController();
    const watches = times(50, () => follow(socketPath, end.signal));
    await Promise.all(watches.map((watch) => watch.next()));
    await expect(follow(socketPath, end.signal).next()).rejects.toThrow(NoAgentError);
    expect(await followerOf(url, '127.0.0.4')).toBe(200);
    end.abort();
  });

  it('and do not read make room for one who does', async () => {
    const { socketPath, source } = await serve();
    source.current = { ...(source.current as NonNullable<typeof source.current>), fineSince: 1 };
    (source.current.phones[0] as { message: string }).message = 'x'.repeat(1_000_000);
    const stuck = times(50, () => dialSocket(socketPath).pause());
    await Promise.all(
      stuck.map((socket) => {
        socket.write(get('/api/events'));
        return once(socket, 'readable');
      }),
    );
    const end = new AbortController();
    expect((await follow(socketPath, end.signal).next()).value).toContain('R58M1');
    end.abort();
  });
});

describe('the Unix socket among stuck callers', { timeout: 60_000 }, () => {
  const silence = '';
  const half = 'GET /healthz HTTP/1.1\r\nHost: ';
  const bodiless =
    'POST /phones/x/maintenance HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
  it.each([
    ['that say nothing', silence],
    ['that end no request', half],
    ['that end no body', bodiless],
    [
      'that end no chunk',
      bodiless.replace('Content-Length: 100', 'Transfer-Encoding: chunked').replace('{', '5\r\n{'),
    ],
    ['that keep their connection', get('/healthz')],
    ['that follow', get('/api/events')],
    ['that do not read', get('/metrics').repeat(3)],
    ['that pile up requests', get('/metrics').repeat(100)],
    ['that wait for a report', 'POST /report HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n'],
  ])('%s has a place for whoever asks', async (_, words) => {
    const { socketPath } = await serve({
      metrics: async () => LARGE,
      commands: { report: () => new Promise(() => {}) },
    });
    const stuck = times(400, () => dialSocket(socketPath).pause());
    await connected(stuck);
    for (const socket of stuck) socket.write(words);
    for (const __ of times(5, String))
      expect((await requestAgent(socketPath, { path: '/healthz', timeoutMs: 5_000 })).status).toBe(200);
  });

  it('does not take the place of a command at work while another one does nothing', async () => {
    const report = Promise.withResolvers<never>();
    const { socketPath } = await serve({ commands: { report: () => report.promise } });
    const working = requestAgent(socketPath, { method: 'POST', path: '/report', timeoutMs: 30_000 });
    const stuck = times(400, () => dialSocket(socketPath).pause());
    await connected(stuck);
    expect((await requestAgent(socketPath, { path: '/healthz', timeoutMs: 5_000 })).status).toBe(200);
    report.reject(new Error('over'));
    expect((await working).status).toBe(500);
  });
});

describe('an answer that is not taken', () => {
  it('ends its connection after a time', async () => {
    const limits = { ...tcpLimits, idleMs: 100 };
    const server = createHttpServer((_, response) => void response.end(LARGE), limits);
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const connecting = once(server, 'connection');
    const stuck = dial(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).pause();
    const [toStuck] = await connecting;
    stuck.write(get('/large'));
    await once(toStuck, 'close');
  });
});
