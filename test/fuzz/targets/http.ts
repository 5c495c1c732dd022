/** What may be sent to the status page's port. Whatever it was, the next one is answered. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Agent } from '../../../src/agent/agent.ts';
import { createLogger } from '../../../src/base/log.ts';
import { Secret } from '../../../src/config/secrets.ts';
import { type Commands, ControlApi } from '../../../src/status/control-api.ts';
import { isKnownHost } from '../../../src/status/http/access.ts';
import { createStatusServer } from '../../../src/status/http/server.ts';
import { phonePast } from '../../../src/status/phone-past.ts';
import type { Plans } from '../../../src/status/phone-plan.ts';
import { MemoryHistory } from '../../support/memory-history.ts';
import { host, phone, SampleSource } from '../../support/sample-status.ts';
import { nothingInherited } from '../invariants.ts';
import { type Target, target } from '../target.ts';
import { cuts, hostile, pieces } from '../texts.ts';

const password = 'correct horse';
const right = `Basic ${Buffer.from(`x:${password}`).toString('base64')}`;
const NAMES = ['lab-07.example.com'];

const method = fc.constantFrom(
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'PRI',
  'get',
  '',
);
const path = fc.oneof(
  fc.constantFrom(
    '/',
    '/healthz',
    '/readyz',
    '/metrics',
    '/api/status',
    '/api/phones/R58M1',
    '/api/report',
    '/api/forget',
  ),
  fc.constantFrom(
    '/api/phones/%',
    '/api/phones/%ff',
    '/api/phones/%2e%2e%2f',
    '/../../etc/passwd',
    '//',
    '*',
    'http://x/healthz',
    '/%00',
    '/api/phones/__proto__',
    '/api/why/R58M1',
    '/api/why/R58M1?since=1&limit=1001',
    '/api/why/%ff',
    '/api/verdict/R58M1?from=1&to=2',
    '/api/verdict/%ff?from=2&to=1',
    '/api/why/rack%202,%20shelf%203?limit=x',
    '/api/phones/R58M1/uptime',
    '/api/phones/R58M1/samples?days=91',
    '/api/phones/R58M1/events?before=-1&kinds=,__proto__',
    '/api/phones/%ff/events',
  ),
  fc.integer({ min: 1, max: 9000 }).map((length) => `/api/phones/${'x'.repeat(length)}`),
  fc
    .array(fc.oneof(fc.constantFrom(...hostile), fc.constantFrom('/api', '/phones', '/', '?', '&a=1')), {
      maxLength: 8,
    })
    .map((parts) => `/${parts.join('')}`),
);
const hostHeader = fc.oneof(
  fc.constantFrom(
    '127.0.0.1',
    'localhost',
    'localhost:9477',
    '[::1]:9477',
    NAMES[0] ?? '',
    'evil.example',
    'localhost.evil.example',
  ),
  fc.constantFrom(
    '127.0.0.1.evil.example',
    'evil.example:9477',
    '[evil.example]',
    'localhost@evil.example',
    'localhost, evil.example',
    '127.0.0.1:99999999',
    '',
    ' ',
    '[',
    '127.1',
    '0x7f.1',
  ),
  fc.constantFrom(...hostile),
);
const authorization = fc.oneof(
  fc.constantFrom(
    right,
    'Basic',
    'Basic ',
    'Basic eA==',
    'Bearer x',
    `basic ${right.slice(6)}`,
    `Basic ${right.slice(6)}=`,
    `${right}, ${right}`,
  ),
  fc.string({ maxLength: 30 }).map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
);
const field = fc.oneof(
  { arbitrary: hostHeader.map((name) => `Host: ${name}`), weight: 6 },
  { arbitrary: authorization.map((value) => `Authorization: ${value}`), weight: 3 },
  fc.constantFrom(
    'Content-Length: 0',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: x',
    'Expect: 100-continue',
    'Expect: x',
  ),
  fc.constantFrom(
    'Connection: close',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Content-Type: application/json',
    'Origin: http://evil.example',
    'Cookie: a=b',
    'Range: bytes=0-1',
    'If-None-Match: *',
    'Accept-Version: 1.x',
  ),
  fc.constantFrom(...hostile).map((text) => `X-${text}: ${text}`),
  fc.integer({ min: 1, max: 20_000 }).map((length) => `X: ${'x'.repeat(length)}`),
  fc
    .integer({ min: 1, max: 3_000 })
    .map((times) => Array.from({ length: times }, (_, at) => `X${at}: y`).join('\r\n')),
);
const asked = fc
  .record({
    method,
    path,
    version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', ''),
    fields: fc.array(field, { maxLength: 6 }),
    body: fc.constantFrom(
      '',
      '',
      '',
      'hello',
      '{"a":1}',
      '5\r\nhello\r\n0\r\n\r\n',
      'ffffffffffffffffff\r\n',
      'x'.repeat(40_000),
    ),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', ''),
  })
  .map(({ method: verb, path: at, version, fields, body, end }) =>
    Buffer.from(`${[`${verb} ${at} ${version}`, ...fields].join('\r\n')}\r\n${end}${body}`, 'latin1'),
  );
const noise = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from('\x16\x03\x01\x02\0\x01\0\x01\xfc', 'latin1')),
);
/** One after the other on one connection. */
const streams = fc.array(fc.oneof({ arbitrary: asked, weight: 8 }, { arbitrary: noise, weight: 1 }), {
  minLength: 1,
  maxLength: 3,
});

let port: number;
const failures: string[] = [];

const commands: Omit<Commands, 'why' | 'verdict'> = {
  report: async () => assert.fail('a report was wanted by TCP'),
  forget: async () => assert.fail('a phone was to be forgotten by TCP'),
  list: () => assert.fail('the plans were asked by TCP'),
  maintain: async () => assert.fail('maintenance was to begin by TCP'),
  drain: async () => assert.fail('phones were to be drained by TCP'),
  end: async () => assert.fail('a plan was to end by TCP'),
  bookings: async () => assert.fail('the bookings were asked by TCP'),
  endReservations: async () => assert.fail('reservations were to end by TCP'),
  note: async () => assert.fail('a note was written by TCP'),
  history: async () => assert.fail('the history was asked by TCP'),
};

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'hostnode-fuzz-'));
  const listening = Promise.withResolvers<number>();
  const source = new SampleSource(host([phone()]));
  const { logger } = createLogger({
    level: 'info',
    format: 'json',
    destination: (line) => {
      const { level, msg, url } = JSON.parse(line);
      if (typeof url === 'string') listening.resolve(Number(new URL(url).port));
      if (level === 'error' || level === 'fatal') failures.push(`${msg}: ${line}`);
    },
  });
  const history = new MemoryHistory();
  const why = new ControlApi({
    agent: { state: { phones: [] }, isStopping: false } as unknown as Agent,
    plans: {} as Plans,
    history,
    slots: [],
    present: () => source.status(),
    timeline: async () => ({ events: [], hasMore: false }),
    verdict: () => assert.fail('no phone is known'),
  });
  const server = createStatusServer({
    config: {
      listeners: [{ address: '127.0.0.1', port: 0, parts: ['page', 'metrics', 'health'] }],
      hostNames: NAMES,
      password: new Secret(password),
    },
    socketPath: join(folder, 'hostnode.sock'),
    source,
    commands: {
      ...commands,
      why: (name, wanted) => why.why(name, wanted),
      verdict: (...asked) => why.verdict(...asked),
    },
    past: phonePast(history, (udid) => udid === 'R58M1'),
    metrics: { contentType: 'text/plain', text: async () => 'up 1\n' },
    log: logger,
  });
  process.umask = () => 0o077; // a worker thread has none of its own; the socket's mode is no matter here
  await server.start();
  port = await listening.promise;
  return async () => {
    await server.stop();
    history.close();
    await rm(folder, { recursive: true, force: true });
  };
}

/** For how long an answer is waited for: what follows the page's events is never at its end, ms. */
const PATIENCE_MS = 40;

/** All that the server says to these bytes, until it hangs up or has nothing more to say. */
async function answers(arriving: readonly Buffer[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let said = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    said += text;
  });
  const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
  for (const piece of arriving) socket.write(piece);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
  await closed;
  clearTimeout(timer);
  return said;
}

/** Once more where the connection was closed: those of the inputs may still fill the places of this address. */
async function health(tries = 3): Promise<number> {
  const asking = request({ port, host: '127.0.0.1', path: '/healthz', agent: false }).end();
  try {
    const [answer] = await once(asking, 'response');
    answer.resume();
    return answer.statusCode;
  } catch (error) {
    if (tries <= 1) throw error;
    await pause(100);
    return await health(tries - 1);
  }
}

const statusPage = target<{ requests: Buffer[]; lengths: readonly number[] }>({
  name: 'status-http',
  inputs: fc.record({ requests: streams, lengths: cuts }),
  open,
  async check({ requests, lengths }) {
    const sent = Buffer.concat(requests);
    const said = await answers(pieces(sent, lengths));
    if (said !== '') assert.match(said, /^HTTP\/1\.1 \d{3} /);
    const codes = Array.from(said.matchAll(/^HTTP\/1\.1 (\d{3}) /gm), ([, code]) => Number(code));
    assert.ok(!codes.includes(500), 'internal error');
    // without the right password nobody sees a phone
    if (!sent.includes(right.slice(6).replace(/=+$/, '')))
      assert.ok(!said.includes('R58M1'), 'a phone was shown');
    assert.deepEqual(failures.splice(0), []);
    assert.equal(await health(), 200);
    nothingInherited();
  },
});

const hostNames = target<string>({
  name: 'status-host-header',
  inputs: fc.oneof(
    hostHeader,
    fc
      .array(fc.oneof(hostHeader, fc.constantFrom('.', ':', '[', ']', '@', '%', '0')))
      .map((parts) => parts.join('')),
  ),
  check(name) {
    if (!isKnownHost(name, NAMES)) return;
    // what is let in has nobody's name but ours: a browser would look a stranger's up
    const url = URL.parse(`http://${name}/`);
    const called = url?.hostname.replace(/\.$/, '') ?? '127.0.0.1';
    assert.ok(
      /^(?:localhost|\[[0-9a-f:.]+\]|\d{1,3}(?:\.\d{1,3}){3})$/.test(called) || NAMES.includes(called),
      `${name} is let in, which is ${called}`,
    );
  },
});

export const httpTargets: readonly Target[] = [statusPage, hostNames];
