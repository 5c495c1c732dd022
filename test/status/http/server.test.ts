import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Secret } from '../../../src/config/secrets.ts';
import type { StatusConfig } from '../../../src/config/status.ts';
import { CommandRefusedError } from '../../../src/status/commands.ts';
import type { Commands } from '../../../src/status/control-api.ts';
import { App } from '../../../src/status/http/app.ts';
import { follow, NoAgentError, requestAgent } from '../../../src/status/http/client.ts';
import { socketLimits } from '../../../src/status/http/http-server.ts';
import {
  createStatusServer,
  type StatusServer,
  type StatusServerOptions,
} from '../../../src/status/http/server.ts';
import type { PhonePast } from '../../../src/status/phone-past.ts';
import { freePorts } from '../../support/free-ports.ts';
import { keptLog, type LogLine, silentLog } from '../../support/log.ts';
import { host, phone, SampleSource } from '../../support/sample-status.ts';

let folder: string;
let socketPath: string;
let source: SampleSource;
let log: LogLine[];
let logged: EventEmitter;
const open: StatusServer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostnode-status-'));
  socketPath = join(folder, 'hostnode.sock');
  source = new SampleSource(host([phone()]));
  log = [];
  logged = new EventEmitter();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

describe('a connection over which nothing moves', () => {
  it('is closed where it comes over a network, and not where a command waits for what came of it', () => {
    const apps = [new App(silentLog, { limits: socketLimits }), new App(silentLog)];
    expect(apps.map(({ server }) => server.timeout)).toEqual([0, 60_000]);
  });
});

const refusing = async (): Promise<never> => {
  throw new CommandRefusedError('not in this test', 409);
};
const commands: Commands = {
  report: async () => ({
    attached: 1,
    collected: 1,
    failed: 0,
    outcome: { kind: 'stored', devices: 1, refused: [] },
  }),
  forget: async (name) => {
    throw new CommandRefusedError(`${name}: the cloud is away`, 502);
  },
  list: () => [],
  maintain: async (name, { until, reason, by }) => [
    { udid: `${name} ${until} ${reason}${by ? ` ${by}` : ''}` },
  ],
  drain: async (name, { until = 0, reason = '', by = '' }) => [
    { udid: `${name} ${until}`, until, reason, by },
  ],
  end: async (kind, name, { by, isForAll }) =>
    kind === 'drain' ? [{ udid: `${name} ${by} ${isForAll}` }] : refusing(),
  bookings: async (name) => ({ phones: [{ udid: name, booking: 'free' }] }),
  endReservations: refusing,
  why: refusing,
  verdict: refusing,
  note: async (name, { text, by }) => ({ kind: 'phone', name: `${name} ${by}: ${text}` }),
  history: async () => [],
};

const anywhere = (changes: Partial<StatusConfig['listeners'][number]> = {}) => ({
  address: '127.0.0.1',
  port: 0,
  parts: ['page', 'metrics', 'health'] as const,
  ...changes,
});

/** Starts a server; the addresses on which it listens, as its log tells them. */
async function serve(
  config: Partial<StatusConfig> = {},
  options: Partial<StatusServerOptions> = {},
): Promise<{ server: StatusServer; urls: string[] }> {
  const { log: logger } = keptLog('debug', (line) => {
    log.push(line);
    logged.emit('line');
  });
  const server = createStatusServer({
    config: { listeners: [anywhere()], hostNames: [], ...config },
    socketPath,
    source,
    commands,
    past,
    pageFiles: [{ path: '/', type: 'text/html; charset=utf-8', body: '<!doctype html><title>page</title>' }],
    metrics: { contentType: 'text/plain; version=0.0.4', text: async () => 'hostnode_up 1\n' },
    log: logger,
    ...options,
  });
  open.push(server);
  await server.start();
  return {
    server,
    urls: log.flatMap(({ msg, url }) => (msg.startsWith('status') && url ? [String(url)] : [])),
  };
}

/** Of one phone, of which nothing is known. */
const past: PhonePast = {
  uptime: async (udid) => (udid === 'R58M1' ? [] : undefined),
  samples: async (udid) => (udid === 'R58M1' ? [] : undefined),
  events: async (udid) => (udid === 'R58M1' ? { events: [] } : undefined),
};
const PAST = ['uptime', 'samples?days=90', 'events'].map((what) => `api/phones/R58M1/${what}`);

/** Of the first listener. */
async function page(config: Partial<StatusConfig> = {}): Promise<string> {
  const { urls } = await serve(config);
  return urls[0] ?? '';
}

/** A request with exactly these headers. */
async function raw(url: string, headers: Record<string, string>, method = 'GET') {
  const sent = request(url, { method, headers, agent: false });
  sent.end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode, text, headers: response.headers };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await once(logged, 'line');
}

const onSocket = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  requestAgent(socketPath, { method, path, timeoutMs: 5_000, ...(body !== undefined && { body }) });

describe('a listener', () => {
  it('serves the page, its data, metrics and health', async () => {
    const url = await page();
    const get = async (path: string) => {
      const response = await fetch(`${url}${path}`);
      return [response.status, await response.text()];
    };
    expect(await get('')).toEqual([200, '<!doctype html><title>page</title>']);
    expect(await get('api/status')).toEqual([200, JSON.stringify(source.current)]);
    expect(await get('api/phones/R58M1')).toEqual([200, expect.stringContaining('"history":[]')]);
    expect(await get('api/phones/none')).toEqual([404, expect.stringContaining('"error"')]);
    expect(await get('metrics')).toEqual([200, 'hostnode_up 1\n']);
    expect(await get('healthz')).toEqual([200, 'ok\n']);
    expect(await get('readyz')).toEqual([200, 'ok\n']);
    expect(await get('etc/passwd')).toEqual([404, expect.stringContaining('"error"')]);
  });

  it('serves the past of a phone with the page and on the socket, to who calls it by its name', async () => {
    const { urls } = await serve();
    const [url = ''] = urls;
    for (const path of PAST) {
      expect((await fetch(`${url}${path}`)).status).toBe(200);
      expect((await onSocket('GET', `/${path}`)).status).toBe(200);
      expect((await raw(`${url}${path}`, { host: 'evil.example' })).status).toBe(421);
      expect((await raw(`${url}${path}`, { host: 'localhost' }, 'POST')).status).toBe(405);
    }
  });

  it('tells the page which parts its address serves, so that it links to no others', async () => {
    const body = '<!doctype html><meta name="parts" content=""><title>page</title>';
    const pageFiles = [{ path: '/', type: 'text/html; charset=utf-8', body }];
    const parts = ['page', 'health'] as const;
    const { urls } = await serve({ listeners: [anywhere({ parts: [...parts] })] }, { pageFiles });
    expect(await (await fetch(urls[0] ?? '')).text()).toContain('<meta name="parts" content="page health">');
  });

  it('says so while the agent is not in force, hangs, or has not listed its phones', async () => {
    source.current = undefined;
    const url = await page();
    const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
    expect(await Promise.all(['api/status', 'api/phones/R58M1', 'readyz', 'healthz'].map(statusOf))).toEqual([
      503, 503, 503, 200,
    ]);
    source.current = host([], { adb: { address: '', state: 'unreachable', since: 0 } });
    source.isProgressing = false;
    expect(await Promise.all(['readyz', 'healthz'].map(statusOf))).toEqual([503, 503]);
  });

  it('gives each part only where it is wanted', async () => {
    const { urls } = await serve({ listeners: [anywhere({ parts: ['health'] })] });
    const [url = ''] = urls;
    const paths = ['', 'api/status', 'api/events', 'metrics', ...PAST, 'healthz'];
    const answers = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404, 200]);
  });

  it('is several, IPv6 too', async () => {
    const { urls } = await serve({ listeners: [anywhere(), anywhere({ address: '::1', parts: ['page'] })] });
    expect(urls.toSorted()).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      expect.stringMatching(/^http:\/\/\[::1\]:\d+\/$/),
    ]);
    for (const url of urls) expect((await fetch(`${url}api/status`)).status).toBe(200);
  });

  it('is at all addresses of IPv6 beside one of IPv4 with the same port, each with its own parts', async () => {
    const [port = 0] = await freePorts(1);
    const all = anywhere({ address: '::', port, parts: ['health'] });
    await serve({ listeners: [all, anywhere({ port, parts: ['metrics'] })] });
    const urls = [`http://[::1]:${port}/healthz`, `http://127.0.0.1:${port}/metrics`];
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(404);
  });

  it('sends the headers that keep a page to itself, with errors too', async () => {
    const url = await page();
    for (const path of ['', 'api/status', 'nothing', 'healthz', '%']) {
      const { headers } = await fetch(`${url}${path}`);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('cache-control')).toBe(path === '' ? 'no-cache' : 'no-store');
    }
  });

  it('answers to no name that a stranger could have given it', async () => {
    const url = await page({ hostNames: ['lab-07'] });
    const as = async (called: string) => (await raw(`${url}api/status`, { host: called })).status;
    expect(await as('evil.example')).toBe(421);
    expect(await as('lab-07:9477')).toBe(200);
    expect((await raw(`${url}%`, { host: 'evil.example' })).status).toBe(421);
    const { text } = await raw(`${url}metrics`, { host: 'evil.example' });
    expect(JSON.parse(text)).toEqual({
      error:
        'this host does not answer to evil.example: open it by its address, or add the name to status.hostNames',
    });
  });

  it('changes nothing', async () => {
    const url = await page();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers } = await fetch(`${url}report`, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
    expect((await raw(`${url}%`, {}, 'POST')).status).toBe(405);
    for (const path of ['api/status', 'api/events'])
      expect((await fetch(`${url}${path}`, { method: 'HEAD' })).status).toBe(200);
    for (const path of [
      ...['maintenance', 'phones/X/maintenance', 'history?since=0'],
      ...['drain', 'phones/X/bookings'],
    ])
      expect((await fetch(`${url}${path}`)).status).toBe(404);
    expect((await fetch(`${url}notes/X`, { method: 'POST', body: '{"text":"x"}' })).status).toBe(405);
  });

  it('bears requests that are none', async () => {
    const url = await page();
    const say = async (text: string) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.end(text);
      let answer = '';
      for await (const part of socket.setEncoding('utf8')) answer += part;
      return answer.split('\r\n')[0];
    };
    expect(await say('rubbish\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(await say(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      / 431 /,
    );
    expect(await say('GET /api/phones/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(
      / 400 /,
    );
    expect((await fetch(`${url}healthz`)).status).toBe(200);
  });

  it('says of an error within only that there was one, and logs it', async () => {
    const { urls } = await serve(
      {},
      { metrics: { contentType: 'text/plain', text: async () => Promise.reject(new Error('secret')) } },
    );
    const response = await fetch(`${urls[0]}metrics`);
    expect([response.status, await response.text()]).toEqual([
      500,
      '{"error":"internal error: see the log"}',
    ]);
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'error', err: expect.objectContaining({ message: 'secret' }) }),
    );
  });
});

describe('a password', () => {
  it('is wanted for the page and its data, not for metrics and health', async () => {
    const { urls } = await serve({ password: new Secret('open sesame') });
    const [url = ''] = urls;
    const authorization = `Basic ${Buffer.from('lab:open sesame').toString('base64')}`;
    for (const path of ['', 'api/status', 'api/events', 'api/phones/R58M1', ...PAST]) {
      const refused = await fetch(`${url}${path}`);
      expect([path, refused.status]).toEqual([path, 401]);
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    }
    expect((await fetch(`${url}api/status`, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${url}api/status`, { headers: { authorization: 'Basic bGFiOng=' } })).status).toBe(
      401,
    );
    expect((await fetch(`${url}metrics`)).status).toBe(200);
    expect((await fetch(`${url}healthz`)).status).toBe(200);
    expect((await onSocket('GET', '/api/status')).status).toBe(200);
  });
});

describe('events', () => {
  it('tell the status at once and after each change, made once for all', async () => {
    await serve();
    const end = new AbortController();
    const readers = [0, 1, 2].map(() => follow(socketPath, end.signal));
    const first = await Promise.all(readers.map((reader) => reader.next()));
    expect(first.map(({ value }) => JSON.parse(String(value)))).toEqual(Array(3).fill(source.current));
    const before = source.asked;
    source.change(host([]));
    const second = await Promise.all(readers.map((reader) => reader.next()));
    expect(second.map(({ value }) => JSON.parse(String(value)).phones)).toEqual([[], [], []]);
    expect(source.asked - before).toBe(1);
    end.abort();
  });

  it('are told why where there is no room for one more', async () => {
    await serve();
    const end = new AbortController();
    const readers = Array.from({ length: 50 }, () => follow(socketPath, end.signal));
    await Promise.all(readers.map((reader) => reader.next()));
    await expect(follow(socketPath, end.signal).next()).rejects.toThrow(
      new NoAgentError('too many clients follow the status already'),
    );
    end.abort();
  });

  it('are let go by those who leave, and by the server when it stops', async () => {
    const { server, urls } = await serve();
    const leaving = new AbortController();
    const leaver = await fetch(`${urls[0]}api/events`, { signal: leaving.signal });
    expect(leaver.headers.get('content-type')).toBe('text/event-stream');
    leaving.abort();
    const stayer = await fetch(`${urls[0]}api/events`);
    await server.stop(); // a server that waits for those who follow never stops
    await stayer.text().catch(() => '');
    expect(await readdir(folder)).toEqual([]);
  });

  it('are given to so many and no more', async () => {
    const { urls } = await serve();
    const end = new AbortController();
    const all = Array.from({ length: 51 }, () => fetch(`${urls[0]}api/events`, { signal: end.signal }));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.filter((status) => status === 503)).toHaveLength(1);
    end.abort();
  });
});

describe('a port that is taken', () => {
  it('is said, with who has it, and tried again', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { server } = await serve({ listeners: [anywhere({ port })] }, { retryMs: 100 });
    expect(server.pageProblem).toMatch(
      new RegExp(
        `^port ${port} is taken by .* \\(process ${process.pid}\\): end that process, or set status.port$`,
      ),
    );
    expect(log).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: 'cannot serve the status page: its port is taken; will try again',
        url: `http://127.0.0.1:${port}/`,
        by: expect.stringContaining(`(process ${process.pid})`),
        remedy: 'end that process, or set status.port (HOSTNODE_STATUS_PORT)',
      }),
    ]);
    expect((await onSocket('GET', '/healthz')).status).toBe(200);
    other.close();
    await until(() => log.some(({ msg }) => msg === 'status page'));
    expect([server.pageUrl, server.pageProblem]).toEqual([`http://127.0.0.1:${port}/`, undefined]);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(log.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('is left to its holder where any port will do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { server } = await serve({}, { formerPorts: new Map([[JSON.stringify(anywhere()), port]]) });
    expect(server.pageProblem).toBeUndefined();
    expect(server.pageUrl).not.toContain(`:${port}/`);
    other.close();
  });

  it('is no reason to wait when it stops', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { server } = await serve({ listeners: [anywhere({ port })] });
    await server.stop();
    other.close();
  });
});

describe('verdict', () => {
  const verdict: Commands['verdict'] = async (name, { from, to }) => ({
    ...{ verdict: 'nothing', phone: { udid: name, name }, from, to, watchedRatio: 1 },
    ...{ unwatched: [], faults: [], notLookedAt: [] },
  });
  const days = (count: number) => count * 86_400_000;

  it('is answered on the page’s address and on the socket, for a time of at most 90 days', async () => {
    const { urls } = await serve({}, { commands: { ...commands, verdict } });
    const path = 'api/verdict/bay%204?from=1000&to=2000';
    const expected = { verdict: 'nothing', phone: { udid: 'bay 4', name: 'bay 4' }, from: 1000, to: 2000 };
    expect(await (await fetch(`${urls[0]}${path}`)).json()).toMatchObject(expected);
    expect((await onSocket('GET', `/${path}`)).status).toBe(200);
    const since = Date.now() - 1000;
    const untilNow = await (await fetch(`${urls[0]}api/verdict/X?from=${since}`)).json();
    expect(untilNow).toMatchObject({ from: since, to: expect.any(Number) });
    for (const query of [
      ...[
        '',
        'from=1',
        `from=${Date.now() + days(1)}`,
        'to=2',
        'from=x&to=2',
        'from=-1&to=2',
        'from=2&to=2',
        'from=3&to=2',
        'from=1.5&to=2',
      ],
      ...[`from=0&to=${days(90) + 1}`, 'from=1&to=9999999999999999', 'from=1&from=1&to=2'],
    ])
      expect([query, (await fetch(`${urls[0]}api/verdict/X?${query}`)).status]).toEqual([query, 400]);
  });

  it('needs the password of the page', async () => {
    const { urls } = await serve({ password: new Secret('pw 1') }, { commands: { ...commands, verdict } });
    expect((await fetch(`${urls[0]}api/verdict/X?from=1&to=2`)).status).toBe(401);
  });
});

describe('why', () => {
  const DAY_MS = 86_400_000;
  const asked: { name: string; since: number; limit: number }[] = [];
  const answer = { subject: { kind: 'phone' as const, name: 'X' }, now: 'X is fine' };
  const why = async (name: string, options: { since: number; limit: number }) => {
    if (name === 'nobody') throw new CommandRefusedError('nothing has this name', 404);
    asked.push({ name, ...options });
    return { ...answer, findings: [], remedy: '', timeline: [] };
  };

  it('is answered on the page’s address and on the socket, with bounds', async () => {
    const { urls } = await serve({}, { commands: { ...commands, why } });
    const [url = ''] = urls;
    const [since, early] = [Date.now() - 30 * DAY_MS, 1000];
    expect(await (await fetch(`${url}api/why/rack%202,%20bay%204`)).json()).toMatchObject(answer);
    expect((await onSocket('GET', `/api/why/X?since=${early}&limit=7`)).status).toBe(200);
    expect(asked).toEqual([
      { name: 'rack 2, bay 4', since: expect.any(Number), limit: 50 },
      { name: 'X', since: early, limit: 7 },
    ]);
    expect(asked[0]?.since).toBeGreaterThanOrEqual(since);
    for (const query of ['since=x', 'since=-1', 'limit=0', 'limit=1001', 'limit=1.5', 'limit=1&limit=2'])
      expect([query, (await fetch(`${url}api/why/X?${query}`)).status]).toEqual([query, 400]);
    const unknown = await fetch(`${url}api/why/nobody`);
    expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'nothing has this name' }]);
  });

  it('is worked out once for all who ask the same of the page at once, and anew for each command', async () => {
    const { urls } = await serve({}, { commands: { ...commands, why } });
    asked.length = 0;
    const answers = await Promise.all([1, 2, 3].map(() => fetch(`${urls[0]}api/why/X`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(asked).toHaveLength(1);
    for (const _ of [1, 2]) await onSocket('GET', '/api/why/X');
    expect(asked).toHaveLength(3);
  });

  it('needs the password of the page', async () => {
    const { urls } = await serve({ password: new Secret('pässword 1') }, { commands: { ...commands, why } });
    expect((await fetch(`${urls[0]}api/why/X`)).status).toBe(401);
  });
});

describe('the Unix socket', () => {
  it('is for its owner and its group, and is gone after the end', async () => {
    const { server } = await serve({ listeners: [] });
    expect((await stat(socketPath)).mode & 0o777).toBe(0o660);
    await server.stop();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes commands, and says why one cannot be done', async () => {
    await serve();
    expect(JSON.parse((await onSocket('POST', '/report')).text)).toMatchObject({ attached: 1 });
    expect(await onSocket('POST', '/phones/a%2Fb/forget')).toEqual({
      status: 502,
      text: '{"error":"a/b: the cloud is away"}',
    });
    expect(await onSocket('GET', '/maintenance')).toEqual({ status: 200, text: '[]' });
    expect(await onSocket('POST', '/phones/X/maintenance', { until: 5, reason: ' battery ' })).toEqual({
      status: 200,
      text: '{"phones":[{"udid":"X 5 battery"}]}',
    });
    const hostile = { until: 5, reason: 'new\u001b[31m\nbattery', by: 'an\u0007na' };
    expect((await onSocket('POST', '/phones/X/maintenance', hostile)).text).toBe(
      '{"phones":[{"udid":"X 5 new [31m battery an na"}]}',
    );
    expect((await onSocket('DELETE', '/phones/X/maintenance')).status).toBe(409);
    const tooLong = { until: 5, reason: 'x'.repeat(301) };
    const [noUntil, noReason] = ['until must be ms since the epoch', 'reason must be 1 to 300 characters'];
    for (const [body, error] of [
      [undefined, noUntil],
      [{}, noUntil],
      [{ until: 'x', reason: 'y' }, noUntil],
      [{ until: 5, reason: ' ' }, noReason],
      [{ until: 5, reason: '\u200b' }, noReason],
      [[1], 'the body must be an object with until, reason, by'],
      [{ until: 5, reason: 'y', of: 1 }, 'the body must be an object with until, reason, by'],
      [tooLong, noReason],
    ])
      expect(await onSocket('POST', '/phones/X/maintenance', body)).toEqual({
        status: 400,
        text: JSON.stringify({ error }),
      });
    expect(await onSocket('POST', '/notes/rack%202', { text: ' new cable ', by: 'anna' })).toEqual({
      status: 200,
      text: '{"kind":"phone","name":"rack 2 anna: new cable"}',
    });
    const dirty = { text: ' a\u001b[31m\u202eb\n🔧 ', by: 'an\u0007na' };
    expect((await onSocket('POST', '/notes/X', dirty)).text).toContain('"X an na: a [31m b 🔧"');
    for (const body of [
      undefined,
      {},
      { text: ' \u2060' },
      { text: 'x'.repeat(501) },
      { text: '🔧'.repeat(501) },
    ])
      expect(await onSocket('POST', '/notes/X', body)).toMatchObject({
        status: 400,
        text: expect.stringContaining('text must be 1 to 500 characters'),
      });
    for (const body of [
      { text: 'x', by: 1 },
      { text: 'x', at: 1 },
    ])
      expect((await onSocket('POST', '/notes/X', body)).status).toBe(400);
    expect((await onSocket('POST', '/notes/X', { text: '🔧'.repeat(500) })).status).toBe(200);
    expect(await onSocket('GET', '/history?since=0&before=5')).toEqual({ status: 200, text: '[]' });
    for (const query of ['', '?since=x', '?since=-1', '?since=0&before=0', '?since=0&before=1.5'])
      expect(await onSocket('GET', `/history${query}`)).toMatchObject({
        status: 400,
        text: expect.stringMatching(/(?:since|before) must be a whole number from [01] to/),
      });
    const long = { until: 5, reason: 'x'.repeat(20_000) };
    expect((await onSocket('POST', '/phones/X/maintenance', long)).status).toBe(413);
  });

  it('replaces that of an agent that was killed', async () => {
    const code = `require('net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', code]);
    expect(await readdir(folder)).toEqual(['hostnode.sock']);
    await expect(onSocket('GET', '/healthz')).rejects.toThrow(NoAgentError);
    await serve();
    expect((await onSocket('GET', '/healthz')).status).toBe(200);
  });

  it('is opened anew where somebody has removed it, and else left alone', async () => {
    const { server } = await serve({ listeners: [] });
    const { ino } = await stat(socketPath);
    await server.reopenSocket();
    expect((await stat(socketPath)).ino).toBe(ino);
    await rm(socketPath);
    await server.reopenSocket();
    expect((await onSocket('GET', '/healthz')).status).toBe(200);
    expect((await stat(socketPath)).mode & 0o777).toBe(0o660);
    await rm(socketPath);
    await writeFile(socketPath, 'mine');
    await server.reopenSocket();
    await server.reopenSocket();
    expect(log.map(({ reason }) => reason)).toEqual(['another file is in its place']);
    expect(await readFile(socketPath, 'utf8')).toBe('mine');
    await rm(socketPath);
    await server.reopenSocket();
    expect((await onSocket('GET', '/healthz')).status).toBe(200);
  });

  it('changes the mode of nothing that somebody puts in its place', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, '', { mode: 0o600 });
    const before = process.umask();
    await symlink(victim, socketPath);
    await serve({ listeners: [] });
    expect(log[0]).toMatchObject({ reason: 'another file is in its place' });
    await rm(socketPath);
    // the very moment in which it listens
    const real = Server.prototype.listen;
    const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args) {
      const server = Reflect.apply(real, this, args);
      if (existsSync(socketPath)) {
        expect(statSync(socketPath).mode & 0o777).toBe(0o660);
        rmSync(socketPath);
        symlinkSync(victim, socketPath);
      }
      return server;
    });
    const { server } = await serve({ listeners: [] });
    expect(await readlink(socketPath)).toBe(victim);
    listen.mockRestore();
    expect((await stat(victim)).mode & 0o777).toBe(0o600);
    expect(process.umask()).toBe(before);
    await rm(socketPath);
    await server.reopenSocket();
    expect((await onSocket('GET', '/healthz')).status).toBe(200);
  });

  it('stays in the directory in which it was opened, also where its path leads elsewhere by then', async () => {
    const mine = join(folder, 'mine');
    const theirs = join(folder, 'theirs');
    await mkdir(mine);
    await mkdir(theirs);
    socketPath = join(mine, 'hostnode.sock');
    const { server } = await serve({ listeners: [] });
    await rename(mine, join(folder, 'moved'));
    await symlink(theirs, mine);
    await writeFile(socketPath, 'theirs');
    await server.stop();
    expect(await readFile(socketPath, 'utf8')).toBe('theirs');
    expect(await readdir(join(folder, 'moved'))).toEqual([]);
  });

  it('leaves no descriptor behind, opened anew or in vain', async () => {
    const { server } = await serve({ listeners: [] });
    const ofFolder = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
        } catch {
          return false; // that of the reading itself
        }
      });
    for (let times = 0; times < 5; times += 1) {
      await rm(socketPath);
      await server.reopenSocket();
      await rm(socketPath);
      await writeFile(socketPath, 'mine');
      await server.reopenSocket();
    }
    expect(ofFolder()).toHaveLength(1);
    await server.stop();
    expect(ofFolder()).toEqual([]);
  });

  it('leaves alone that of an agent that lives, and a file in its place', async () => {
    await serve({ listeners: [] });
    await serve({ listeners: [] });
    expect(log).toEqual([
      expect.objectContaining({
        level: 'error',
        path: socketPath,
        reason: expect.not.stringContaining('/proc/self/fd'),
        msg: 'cannot open the Unix socket: the agent takes no commands',
      }),
    ]);
    expect((await onSocket('GET', '/healthz')).status).toBe(200);
    socketPath = join(folder, 'file');
    await writeFile(socketPath, 'mine');
    await serve({ listeners: [] });
    expect(log).toHaveLength(2);
    expect(await readFile(socketPath, 'utf8')).toBe('mine');
  });

  it('with a path that is too long is said, and the listeners serve all the same', async () => {
    socketPath = join(folder, 'x'.repeat(108));
    const { urls } = await serve();
    expect(log[0]).toMatchObject({
      level: 'error',
      reason: 'a socket’s path has at most 107 bytes',
    });
    expect((await fetch(`${urls[0]}healthz`)).status).toBe(200);
  });
});

describe('the client', () => {
  it('says where it looked when no agent is there', async () => {
    await expect(onSocket('GET', '/healthz')).rejects.toThrow(
      `no agent answers at ${socketPath}: is hostnode running? To ask another agent, give its --config or --socket`,
    );
  });

  it.skipIf(process.getuid?.() !== 0)('says who may open it', async () => {
    await serve({ listeners: [] });
    await chmod(folder, 0o700);
    process.seteuid?.(65_534);
    try {
      await expect(onSocket('GET', '/healthz')).rejects.toThrow(
        `${socketPath} denies access to this user: run the command as root, or join the group hostnode`,
      );
    } finally {
      process.seteuid?.(0);
    }
  });

  it('says that another program has the socket', async () => {
    const other = createServer((caller) => caller.end('SSH-2.0\r\n')).listen(socketPath);
    await once(other, 'listening');
    await expect(onSocket('GET', '/healthz')).rejects.toThrow(
      `what answers at ${socketPath} is not hostnode: give the --config or --socket of an agent`,
    );
    other.close();
  });

  it('says that a path is too long for a socket', async () => {
    socketPath = join(folder, 'x'.repeat(108));
    const said = `${socketPath} cannot be opened: a socket’s path has at most 107 bytes; give the agent a shorter state.dir`;
    await expect(onSocket('GET', '/healthz')).rejects.toThrow(new NoAgentError(said));
    const following = follow(socketPath, new AbortController().signal);
    await expect(following.next()).rejects.toThrow(new NoAgentError(said));
  });

  it('gives up following an agent that does not answer, or gives no sign of life any more', async () => {
    const answers = ['', 'HTTP/1.1 200 OK\r\n\r\nevent: status\ndata: {}\n\n'];
    const hanging = createServer((caller) => caller.write(answers.shift() ?? '')).listen(socketPath);
    await once(hanging, 'listening');
    const gone = (seconds: number) =>
      new NoAgentError(`the agent at ${socketPath} did not answer within ${seconds} s`);
    const following = () => follow(socketPath, new AbortController().signal, { firstMs: 300, thenMs: 200 });
    await expect(following().next()).rejects.toThrow(gone(0.3));
    const reader = following();
    expect(await reader.next()).toEqual({ done: false, value: '{}' });
    await expect(reader.next()).rejects.toThrow(gone(0.2));
    hanging.close();
  });

  it('gives an agent up that does not answer', async () => {
    const silent = createServer().listen(socketPath);
    await once(silent, 'listening');
    await expect(requestAgent(socketPath, { path: '/healthz', timeoutMs: 50 })).rejects.toThrow(
      `the agent at ${socketPath} did not answer within 0.05 s`,
    );
    silent.close();
  });
});
