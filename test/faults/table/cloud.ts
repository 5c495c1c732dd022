/** Faults of the cloud and of the way to it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CloudFault } from '../../../src/sandbox/fault.ts';
import { requestAgent } from '../../../src/status/http/client.ts';
import type { Flaw } from '../certificates.ts';
import { ConnectProxy } from '../connect-proxy.ts';
import type { Fault } from '../fault.ts';
import { Front } from '../front.ts';
import { certificates, nameCloud } from '../places.ts';
import { stateOf } from '../surroundings.ts';
import type { World } from '../world.ts';
import { many, nothing, notTaken, poco, pullMany, saidOnce, saidOnceEach, saysOf } from './common.ts';

const takenAgain = 'the cloud stores reports again';
const refused = 'the cloud refused a device; it will be sent again';
const keepsRefusing = 'the cloud keeps refusing a device; each report carries it';

/** The cloud rejects our reports: said once, tried again, and taken again. */
export const cloudAway = (
  name: string,
  words: RegExp,
  {
    mostKnocks = MOST_KNOCKS,
    ...row
  }: Pick<Fault, 'fault' | 'mend'> & Partial<Pick<Fault, 'in' | 'given' | 'needs'>> & { mostKnocks?: number },
): Fault => ({
  name,
  ...row,
  async observed(world) {
    await saysOf(world, notTaken, words);
    const before = world.knocks;
    for (let rounds = 0; rounds < ROUNDS_AWAY; rounds += 1) await world.agent.says('round', world.agent.mark);
    const knocks = world.knocks - before;
    assert.ok(knocks <= ROUNDS_AWAY * mostKnocks, `the cloud was asked ${knocks} times in a few rounds`);
    assert.deepEqual(world.said(takenAgain), []);
  },
  async mend(world) {
    await row.mend(world);
    await world.says(takenAgain);
  },
  never: (world) => saidOnceEach(world, notTaken),
});

/** For so many rounds the cloud is away, … */
const ROUNDS_AWAY = 2;

/** … and asked so often in each: once, and again after a growing while; or, where that cannot help, … */
const MOST_KNOCKS = 6;

/** … once, and by the one that was on its way. */
const ONE_KNOCK = 1.5;

const answers = (name: string, fault: CloudFault, words: RegExp, mostKnocks = ONE_KNOCK): Fault =>
  cloudAway(`the cloud ${name}`, words, {
    fault: (world) => world.cloud.faults.always(fault),
    mend: (world) => world.cloud.faults.clear(),
    mostKnocks,
  });

/** Each with the words that go with it. */
const statuses: readonly [number, RegExp][] = [
  [400, /the cloud rejects this request/],
  [401, /check the user name and the API key/],
  [403, /may report devices/],
  [404, /check the base URL/],
  [405, /check the base URL/],
  [407, /the proxy requires a login/],
  [408, /cannot answer now/],
  [409, /the cloud rejects this request/],
  [410, /the cloud rejects this request/],
  [422, /the cloud rejects this request/],
  [418, /the cloud rejects this request/],
  [429, /cannot answer now/],
  [500, /cannot answer now/],
  [502, /cannot answer now/],
  [503, /cannot answer now/],
  [504, /cannot answer now/],
  [599, /cannot answer now/],
];

/** Only then it is tried again before the next report. */
const mayBeGoneSoon = (status: number) => status === 408 || status === 429 || status >= 500;

const retryAfter = (said: string, header: () => string): Fault => ({
  name: `the cloud answers 503 with Retry-After ${said}`,
  fault: (world) =>
    world.cloud.faults.next({ kind: 'status', status: 503, headers: { 'retry-after': header() } }),
  async observed(world) {
    await saysOf(world, notTaken, /: 503 /);
    const [saidAt, { knocks }] = [performance.now(), world];
    await world.says(takenAgain);
    world.remember(performance.now() - saidAt);
    assert.ok(world.knocks - knocks <= 2, `it asked ${world.knocks - knocks} times`);
  },
  mend: nothing,
  never: (world) => saidOnce(world, notTaken),
});

const waited = (world: World, leastMs: number) =>
  assert.ok(world.remembered >= leastMs, `it waited ${Math.round(world.remembered)} ms and not ${leastMs}`);

/** Taken for an hour, the longest that is waited: in the meantime the cloud is left alone. */
const absurdRetryAfter = (said: string, header: string): Fault => ({
  ...retryAfter(said, () => header),
  async observed(world) {
    await saysOf(world, notTaken, /: 503 /);
    const before = world.knocks;
    for (let rounds = 0; rounds < 3; rounds += 1)
      await world.agent.says('round', world.agent.mark, ({ report }) => report === 'postponed');
    assert.equal(world.knocks, before, 'the cloud was not left alone');
    assert.equal((await world.page()).adb.state, 'listed'); // it goes on with the rest of its work
  },
  async mend(world) {
    world.agent.signal('SIGHUP'); // a person who does not want to wait
    await world.says('reading the configuration again');
  },
});

/** The credentials and the report may be for this origin alone. */
function redirectElsewhere(): Fault {
  let elsewhere: Front | undefined;
  return cloudAway('the cloud redirects to another origin', /not followed: redirects to /, {
    async fault(world) {
      elsewhere = await Front.start({ to: 9 });
      const location = `http://127.0.0.1:${elsewhere.port}/v1/devices`;
      world.cloud.faults.always({ kind: 'answer', status: 307, headers: { location } });
    },
    async mend(world) {
      world.cloud.faults.clear();
      await elsewhere?.shut();
      assert.equal(elsewhere?.connections, 0, 'the redirect was followed');
    },
    mostKnocks: ONE_KNOCK,
  });
}

const flawed = (flaw: Flaw, words: RegExp): Fault =>
  cloudAway(`the cloud's certificate is ${flaw}`, words, {
    in: ['tls'],
    needs: 'openssl',
    fault: (world) => world.front.show(certificates().flawed[flaw]),
    mend: (world) => world.front.show(certificates().good),
  });

/** The way to the cloud leads through a proxy. */
function behindProxy(
  name: string,
  words: RegExp,
  row: { fault(proxy: ConnectProxy): unknown; mend(proxy: ConnectProxy): unknown },
) {
  let proxy = new ConnectProxy();
  return cloudAway(name, words, {
    in: ['tls'],
    given: {
      async before(world) {
        proxy = new ConnectProxy();
        await proxy.open();
        world.onClose(() => proxy.shut());
      },
      env: () => ({ HTTPS_PROXY: proxy.url }),
    },
    needs: 'openssl',
    fault: () => row.fault(proxy),
    mend: () => row.mend(proxy),
  });
}

/** It says that everything was stored: it is not believed, and learns nothing. */
const lyingProxy = (how: string, words: RegExp, lie: () => ConnectProxy['lie']): Fault =>
  behindProxy(`the proxy lies: it ${how}`, words, {
    fault(proxy) {
      proxy.lie = lie();
      proxy.cut();
    },
    mend(proxy) {
      proxy.lie = undefined;
      proxy.cut();
      assert.doesNotMatch(proxy.heard, /PUT |authorization/i);
    },
  });

/** The phones that it tells of. */
const known = ({ phones }: World) => phones.filter(({ isAttached, wasPulled }) => isAttached || wasPulled);

/** Each is said to be refused, sent again on its own, and in the end given up. */
async function isEachRefused(world: World): Promise<void> {
  for (const { udid } of known(world)) {
    await world.says(refused, (line) => line.udid === udid);
    await world.says(keepsRefusing, (line) => line.udid === udid);
  }
}

async function isEachTaken(world: World): Promise<void> {
  for (const { udid } of known(world))
    await world.says('the cloud stored a device that it had refused', (line) => line.udid === udid);
}

function movedCloud(): Fault {
  let moved: Front | undefined;
  return {
    name: 'the address behind the name of the cloud changes',
    in: ['named'],
    needs: 'mounts',
    async fault(world) {
      const { port, shown } = world.front;
      await world.front.shut();
      const to = Number(new URL(world.cloud.baseUrl).port);
      moved = await Front.start({ to, host: '127.0.0.2', port, ...(shown && { certificate: shown }) });
      await nameCloud(world, '127.0.0.2');
    },
    async observed(world) {
      await world.stored(2);
      assert.ok((moved?.connections ?? 0) > 0, 'it asked elsewhere');
    },
    async mend(world) {
      await moved?.shut();
      await world.front.open();
      await nameCloud(world, '127.0.0.1');
      await world.stored(1);
    },
  };
}

const failing = (
  name: string,
  failedDevices: { udid: string; message: string }[],
  row: Pick<Fault, 'observed' | 'never'>,
) => ({
  name,
  fault: (world: World) =>
    world.cloud.faults.always({ kind: 'answer', status: 200, body: JSON.stringify({ failedDevices }) }),
  mend: (world: World) => world.cloud.faults.clear(),
  ...row,
});

/** As many as fit into 1 MiB, each with escapes to search. */
const manyUnsent = Array.from({ length: 20_000 }, (_, index) => ({
  udid: `${index}`,
  message: '%25 &amp; abc',
}));

export const cloud: Fault[] = [
  cloudAway('the cloud refuses connections', /nothing listens there/, {
    fault: (world) => world.front.shut(),
    mend: (world) => world.front.open(),
  }),
  cloudAway('the cloud resets connections', /the connection was cut/, {
    fault(world) {
      world.front.manner = 'reset';
      world.front.cut();
    },
    mend: (world) => {
      world.front.manner = 'open';
    },
  }),
  cloudAway('the cloud takes connections and says nothing', /no answer within 3 s/, {
    fault(world) {
      world.front.manner = 'silent';
      world.front.cut();
    },
    mend(world) {
      world.front.manner = 'open';
      world.front.cut();
    },
  }),
  {
    name: 'the cloud closes each kept connection as it is used again',
    fault: (world) => {
      world.front.manner = 'no reuse';
    },
    async observed(world) {
      const { disappointed } = world.front;
      await world.until(() => world.front.disappointed - disappointed >= 2, 'no connection was used again');
      await world.stored(3);
    },
    mend: (world) => {
      world.front.manner = 'open';
    },
  },
  answers('hangs before its answer', { kind: 'hang' }, /no answer within 3 s/, MOST_KNOCKS),
  answers('hangs in the body', { kind: 'hang-in-body' }, /no answer within 3 s/, MOST_KNOCKS),
  answers('cuts its answer short', { kind: 'cut' }, /cut/, MOST_KNOCKS),
  answers(
    'answers a page: a portal requires a login',
    {
      kind: 'answer',
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><title>Log in</title>',
    },
    /the answer is not one of this API/,
  ),
  answers(
    'answers JSON of another shape',
    { kind: 'answer', status: 200, body: '{"result":"ok","count":3}' },
    /the answer is not one of this API/,
  ),
  answers(
    'answers JSON that is none',
    { kind: 'answer', status: 200, body: '{"failedDevices":[' },
    /not one of this API/,
  ),
  answers('answers 200 without a body', { kind: 'answer', status: 200 }, /the answer is not one of this API/),
  answers('answers 204', { kind: 'answer', status: 204 }, /the answer is not one of this API/),
  answers('answers 100 MB', { kind: 'huge', bytes: 100 * 1024 * 1024 }, /over 1 MiB/),
  answers(
    'answers a gzip bomb',
    {
      kind: 'answer',
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(100 * 1024 * 1024, ' ')),
    },
    /the answer is not one of this API/,
  ),
  ...statuses.map(([status, words]) =>
    answers(
      `answers ${status}`,
      { kind: 'status', status },
      status === 407 ? words : new RegExp(`: ${status} .*${words.source}`),
      mayBeGoneSoon(status) ? MOST_KNOCKS : ONE_KNOCK,
    ),
  ),
  {
    name: 'the cloud is slow',
    fault: (world) => world.cloud.faults.always({ kind: 'slow', ms: 1500 }),
    async observed(world) {
      await world.stored(3);
      await world.says('round', ({ durationMs }) => Number(durationMs) >= 1500);
    },
    mend: (world) => world.cloud.faults.clear(),
    never: (world) => assert.deepEqual(world.said(notTaken), []),
  },
  { ...retryAfter('in seconds', () => '3'), never: (world) => waited(world, 2_900) },
  {
    ...retryAfter('as a date', () => new Date(Date.now() + 6_000).toUTCString()),
    never: (world) => waited(world, 2_900), // a date has whole seconds, and the next report is up to a second away
  },
  retryAfter('that says nothing', () => 'in a while, -5, 1e99'),
  absurdRetryAfter('in a hundred years', 'Fri, 01 Jan 2100 00:00:00 GMT'),
  absurdRetryAfter('of 10^30 seconds', `1${'0'.repeat(30)}`),
  redirectElsewhere(),
  answers(
    'redirects to itself',
    { kind: 'answer', status: 307, headers: { location: '/v1/devices' } },
    /redirected more than 3 times/,
    6,
  ),
  answers(
    'redirects to nowhere',
    { kind: 'answer', status: 302 },
    /302, not followed: redirects to no address/,
  ),
  answers(
    'redirects in a way that makes another request of it',
    { kind: 'answer', status: 303, headers: { location: '/v1/devices' } },
    /303, not followed: redirects to /,
  ),
  flawed('expired', /the certificate has expired/),
  flawed('not yet valid', /the certificate is not valid yet/),
  flawed('of another host', /the certificate is for another host name/),
  flawed('of an unknown authority', /name its file in cloud\.caFile/),
  behindProxy('the proxy is down', /nothing listens there/, {
    fault: (proxy) => proxy.shut(),
    mend: (proxy) => proxy.open(),
  }),
  behindProxy('the proxy requires a login', /the proxy requires a login/, {
    fault(proxy) {
      proxy.wantsLogin = true;
      proxy.cut();
    },
    mend: (proxy) => {
      proxy.wantsLogin = false;
    },
  }),
  lyingProxy(
    'poses as the cloud with a certificate of its own',
    /name its file in cloud\.caFile/,
    () => certificates().flawed['of an unknown authority'],
  ),
  lyingProxy('answers in plain text where TLS is due', /no TLS there/, () => 'plain'),
  cloudAway('the name of the cloud cannot be looked up', /DNS of this host/, {
    in: ['named'],
    needs: 'mounts',
    async fault(world) {
      await nameCloud(world);
      world.front.cut();
    },
    mend: (world) => nameCloud(world, '127.0.0.1'),
  }),
  movedCloud(),
  {
    name: 'the cloud refuses a device and quotes the API key: as it is, in percent and in base64',
    fault(world) {
      const key = world.apiKeys.at(-1) ?? '';
      const percent = [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
      const base64 = [key, `x:${key}`].map((text) => Buffer.from(text).toString('base64'));
      // the last one stands where a message that is cut ends in the middle of it
      world.cloud.refuse(poco, [key, percent, ...base64, `${'.'.repeat(900)}${key}`].join(' '));
    },
    async observed(world) {
      const { message } = await world.says(refused, ({ udid }) => udid === poco);
      const [key = ''] = world.apiKeys.at(-1)?.split('-') ?? [];
      const percent = [...key].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
      for (const piece of [key, percent, Buffer.from(key).toString('base64').slice(0, 12)])
        assert.ok(!String(message).includes(piece), `it shows ${piece}`);
      assert.ok(String(message).split('[redacted]').length >= 5, String(message));
    },
    mend: (world) => world.cloud.accept(poco),
  },
  {
    name: 'the cloud refuses all devices',
    fault: (world) => {
      for (const { udid } of known(world)) world.cloud.refuse(udid, 'no rack position');
    },
    observed: isEachRefused,
    async mend(world) {
      for (const { udid } of known(world)) world.cloud.accept(udid);
      await isEachTaken(world);
    },
    never(world) {
      assert.equal(world.said(refused).length, known(world).length);
      assert.equal(world.said(keepsRefusing).length, known(world).length);
    },
  },
  answers('answers 413, however little is sent', { kind: 'status', status: 413 }, /: 413 .*too large/, 12),
  failing('the cloud refuses strangers', [{ udid: 'stranger', message: 'who is that?' }], {
    async observed(world) {
      await world.says('the cloud refused a device that was not sent', (line) => line.udid === 'stranger');
      await world.received(2);
    },
    never: (world) => saidOnce(world, 'the cloud refused a device that was not sent'),
  }),
  failing('the cloud refuses 20,000 devices that were never sent', manyUnsent, {
    async observed(world) {
      await world.says('the cloud refused further devices that were not sent');
      for (let reports = 0; reports < 2; reports += 1) {
        await world.received(1);
        const { status } = await requestAgent(join(stateOf(world), 'hostnode.sock'), {
          path: '/healthz',
          timeoutMs: 5_000,
        });
        assert.equal(status, 200);
      }
    },
    never(world) {
      assert.equal(world.said('the cloud refused a device that was not sent').length, 10);
      saidOnce(world, 'the cloud refused further devices that were not sent');
    },
  }),
  failing(
    'the cloud refuses one device twice',
    [
      { udid: poco, message: 'first' },
      { udid: poco, message: 'second' },
    ],
    {
      observed: (world) => world.says(refused, (line) => line.udid === poco && line.message === 'first'),
      never: (world) => saidOnce(world, refused),
    },
  ),
  {
    name: 'the cloud takes no body over 100 KB',
    fault(world) {
      for (const phone of many(world, 100)) phone.plug();
      world.cloud.bodyLimitBytes = 100 * 1024;
    },
    async observed(world) {
      await world.until(
        () => world.cloud.requests.some(({ status }) => status === 413),
        'no body was too long',
      );
      for (const phone of world.phones) if (phone.isAttached) await phone.charge();
      await world.until(() => world.witness.differences().length === 0, 'the parts are not the whole');
    },
    async mend(world) {
      world.cloud.bodyLimitBytes = 16 * 1024 * 1024;
      pullMany(world);
      world.agent.signal('SIGHUP'); // the size that worked is remembered: other faults count reports in one part
      await world.says('hostnode starts');
    },
    never: (world) => assert.deepEqual(world.said(notTaken), []),
  },
  {
    name: 'the API key is rotated',
    fault: (world) => world.rotateKey(),
    observed: (world) => saysOf(world, notTaken, /check the user name and the API key/),
    async mend(world) {
      await world.writeKey();
      world.agent.signal('SIGHUP');
      await world.says('reading the configuration again');
    },
    never: (world) => saidOnce(world, notTaken),
  },
];
